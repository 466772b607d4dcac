import { countToolTokens, loadTokenCounter } from '../mcp/catalog/tokenEstimate.js';
import { nameTools } from '../mcp/catalog/toolNames.js';
import type { McpServer } from '../mcp/mcpApi.js';
import type { McpTool, ToolExposure } from '../mcp/mcpTypes.js';
import type { CliResult } from './cliTypes.js';
import { connectAll, statusOf } from './connect.js';
import type { CliSession } from './session.js';

interface ModelTool {
  readonly name: string;
  readonly server: string;
  readonly tool: string;
  readonly description: string;
  readonly exposure: ToolExposure;
  readonly tokens: number;
}

/** Lists the tools as a model sees them. */
export async function runTools(session: CliSession): Promise<CliResult> {
  const { servers, tools } = await readTools(session);
  const totalTokens = tools.reduce((total, { tokens }) => total + tokens, 0);
  const lines = tools.map(({ name, tokens, description }) => {
    const [firstLine = ''] = description.split('\n');
    return `${name}  (${tokens} tokens)  ${firstLine}\n`;
  });
  return {
    document: { tools, totalTokens },
    text: `${lines.join('')}${tools.length} tools, ${totalTokens} tokens\n`,
    status: statusOf(session, servers),
  };
}

/** Ranks the tools by how many words of the query their texts hold; a hit in the name counts most. */
export async function runSearch(session: CliSession, query: string): Promise<CliResult> {
  const { servers, tools } = await readTools(session);
  const words = wordsOf(query);
  const results = tools
    .map(({ name, server, tool, description }) => ({
      name,
      server,
      tool,
      score: score(words, name, description),
    }))
    .filter((result) => result.score > 0)
    .sort((a, b) => b.score - a.score || a.name.localeCompare(b.name));
  return {
    document: { results },
    text: results.map((result) => `${result.name}\n`).join('') || 'No tool fits.\n',
    status: statusOf(session, servers),
  };
}

async function readTools(session: CliSession) {
  const usable = new Set(session.service.serversFor(session.folderUri));
  const servers = session.servers.filter((server) => usable.has(server));
  await connectAll(session, servers);
  const countTokens = await loadTokenCounter();
  const connected = servers.filter(({ state }) => state.value.kind === 'connected');
  const named = nameTools(
    connected.map(({ id, definition, catalog }) => ({
      id,
      name: definition.name,
      tools: catalog.value.tools.filter((tool) => isIncluded(tool, definition)),
      ...(definition.options.toolPrefix ? { prefix: definition.options.toolPrefix } : {}),
    })),
  );
  const byId = new Map(connected.map((server) => [server.id, server]));
  const tools = named.flatMap(({ name, serverId, tool }): ModelTool[] => {
    const server = byId.get(serverId);
    const found = server?.catalog.value.tools.find((item) => item.name === tool);
    if (!server || !found) {
      return [];
    }
    const tokens = countToolTokens({ ...found, name }, countTokens);
    return [
      {
        name,
        server: server.definition.name,
        tool,
        description: found.description ?? '',
        exposure: server.definition.options.exposure ?? 'auto',
        tokens,
      },
    ];
  });
  return { servers, tools };
}

function isIncluded(tool: McpTool, { options }: McpServer['definition']): boolean {
  const { includeTools, excludeTools, exposure } = options;
  return (
    exposure !== 'hidden' &&
    (includeTools === undefined || includeTools.includes(tool.name)) &&
    !excludeTools?.includes(tool.name)
  );
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function score(words: readonly string[], name: string, description: string): number {
  const inName = wordsOf(name.replaceAll('_', ' '));
  const inText = new Set(wordsOf(description));
  return words.reduce(
    (sum, word) => sum + (inName.includes(word) ? 3 : 0) + (inText.has(word) ? 1 : 0),
    0,
  );
}
