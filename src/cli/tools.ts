import { defaultToolPolicy } from '../agent/policy/toolPolicy.js';
import { ModelTools } from '../agent/tools/modelTools.js';
import type { SettledExposure } from '../mcp/catalog/exposure.js';
import { ToolIndex } from '../mcp/catalog/search/toolIndex.js';
import { loadTokenCounter } from '../mcp/catalog/tokens/tokenEstimate.js';
import type { CliResult } from './cliTypes.js';
import { connectAll, statusOf } from './connect.js';
import { oneLine } from './plainText.js';
import type { CliSession } from './session.js';

interface ListedTool {
  readonly name: string;
  readonly server: string;
  readonly tool: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly exposure: SettledExposure;
  readonly tokens: number;
  readonly inputSchema: { readonly [key: string]: unknown };
}

/** Lists the tools as a model gets them. */
export async function runTools(session: CliSession): Promise<CliResult> {
  const { servers, tools } = await readTools(session);
  const totalTokens = tools.reduce((total, { tokens }) => total + tokens, 0);
  const lines = tools.map(({ name, tokens, exposure, description }) => {
    const [firstLine = ''] = description.split('\n');
    return `${name}  (${exposure}, ${tokens} tokens)  ${oneLine(firstLine)}\n`;
  });
  const listed = tools.map(({ inputSchema: _, title: __, ...tool }) => tool);
  return {
    document: { tools: listed, totalTokens },
    text: `${lines.join('')}${tools.length} tools, ${totalTokens} tokens\n`,
    status: statusOf(session, servers),
  };
}

const maxResults = 20;

/** Ranks the tools as the agent's own search does. */
export async function runSearch(session: CliSession, query: string): Promise<CliResult> {
  const { servers, tools } = await readTools(session);
  const results = new ToolIndex(tools).search(query, maxResults).map(({ tool, score }) => ({
    name: tool.name,
    server: tool.server,
    tool: tool.tool,
    score: Math.round(score * 1000) / 1000,
  }));
  return {
    document: { results },
    text: results.map((result) => `${result.name}\n`).join('') || 'No tool fits.\n',
    status: statusOf(session, servers),
  };
}

async function readTools(session: CliSession) {
  const usable = new Map(
    session.service.serversFor(session.folderUri).map((server) => [server.id, server]),
  );
  const servers = session.servers.flatMap(({ id }) => usable.get(id) ?? []);
  await connectAll(session, servers);
  const countTokens = await loadTokenCounter();
  const connected = servers.filter(({ state }) => state.value.kind === 'connected');
  const listed = new ModelTools({
    service: session.service,
    policy: defaultToolPolicy,
    directTools: session.directTools,
  }).list(connected, session.folderUri, countTokens);
  const tools = listed
    .filter(({ exposure }) => exposure !== 'hidden')
    .map(
      ({ name, server, tool, source, model, exposure }): ListedTool => ({
        name,
        server,
        tool,
        title: source.title,
        description: source.description ?? '',
        exposure,
        tokens: model.tokens(countTokens),
        inputSchema: source.inputSchema,
      }),
    );
  return { servers, tools };
}
