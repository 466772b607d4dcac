import { defaultToolPolicy } from '../../agent/policy/toolPolicy.js';
import type { BridgedTool, OfferedTool } from '../../agent/tools/bridgedTool.js';
import { ToolBridge } from '../../agent/tools/toolBridge.js';
import type { SwitchPlace } from '../../mcp/catalog/records/toolSwitches.js';
import { selectTools } from '../../mcp/catalog/search/selectTools.js';
import { ToolIndex } from '../../mcp/catalog/search/toolIndex.js';
import {
  countToolTokens,
  loadTokenCounter,
  type TokenCounter,
} from '../../mcp/catalog/tokens/tokenEstimate.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import { type CliResult, resultOf } from '../cliTypes.js';
import { connectAll, exitStatus, tellMissing } from '../connect.js';
import type { CliSession } from '../session.js';
import { chosenProfiles } from './profile.js';

const exposures = ['direct', 'search', 'proxy'] as const;

/** The tools as the agent has them. */
interface AgentTools {
  readonly servers: readonly McpServer[];
  readonly bridge: ToolBridge;
  readonly countTokens: TokenCounter;
}

/** Lists the tools as a model gets them, and what they cost it in each way of exposing them. */
export function runTools(session: CliSession): Promise<CliResult> {
  return withTools(session, async ({ servers, bridge, countTokens }) => {
    const tools = [...bridge.tools.values()].map((tool) => listed(tool, countTokens));
    const offered = bridge.offered.map((tool) => asSent(tool, countTokens));
    const document = {
      tools,
      totalTokens: totalTokens(tools),
      standingTokens: totalTokens(offered),
      offered,
      byExposure: byExposure((exposure) => {
        const these = tools.filter((tool) => tool.exposure === exposure);
        return { tools: these.length, tokens: totalTokens(these) };
      }),
      ifAll: byExposure((exposure) => ({
        standingTokens: totalTokens(
          bridge.offeredAs(exposure).map((tool) => asSent(tool, countTokens)),
        ),
      })),
    };
    return resultOf(document, toolLines(document), exitStatus(session, servers));
  });
}

const maxResults = 20;

/** Ranks the tools as the agent's own search does; `select:a,b` picks by name. */
export function runSearch(session: CliSession, query: string): Promise<CliResult> {
  return withTools(session, async ({ servers, bridge }) => {
    const index = new ToolIndex([...bridge.tools.values()]);
    const { hits, unknown } = selectTools(index, query, maxResults);
    const results = hits.map(({ tool, score }) => ({
      name: tool.name,
      server: tool.server,
      tool: tool.tool,
      score: Math.round(score * 1000) / 1000,
    }));
    const lines = [
      ...results.map(({ name }) => name),
      ...unknown.map((name) => `No tool is called ${name}.`),
    ];
    return resultOf(
      { results, unknown },
      lines.length > 0 ? lines : ['No tool fits.'],
      exitStatus(session, servers),
    );
  });
}

async function withTools(
  session: CliSession,
  work: (tools: AgentTools) => Promise<CliResult>,
): Promise<CliResult> {
  const { service, folderUri, directTools } = session;
  const usable = new Map(service.serversFor(folderUri).map((server) => [server.id, server]));
  const profiles = await chosenProfiles(session);
  const servers = session.servers.flatMap(({ id }) => usable.get(id) ?? []);
  const [countTokens] = await Promise.all([loadTokenCounter(), connectAll(session, servers)]);
  tellMissing(session, servers);
  const policy = {
    ...defaultToolPolicy,
    switches: {
      isOn: (place: SwitchPlace) => profiles.allows(place),
      onDidChange: profiles.onDidChange,
    },
  };
  const bridge = new ToolBridge({ service, folderUri, countTokens, policy, directTools });
  try {
    return await work({ servers, bridge, countTokens });
  } finally {
    bridge.dispose();
    profiles.dispose();
  }
}

/** What a model request carries of a tool, from the definition that the agent hands to Pi. */
function asSent({ definition }: OfferedTool, countTokens: TokenCounter) {
  const { name, description, parameters } = definition;
  const inputSchema: Readonly<Record<string, unknown>> = { ...parameters };
  const tokens = countToolTokens({ name, description, inputSchema }, countTokens);
  return { name, description, tokens, inputSchema };
}

function listed(tool: BridgedTool, countTokens: TokenCounter) {
  const { server, exposure } = tool;
  return { ...asSent(tool, countTokens), server, tool: tool.tool, exposure };
}

function byExposure<T>(of: (exposure: (typeof exposures)[number]) => T) {
  return Object.fromEntries(exposures.map((exposure) => [exposure, of(exposure)])) as Record<
    (typeof exposures)[number],
    T
  >;
}

function totalTokens(tools: readonly { readonly tokens: number }[]): number {
  return tools.reduce((total, { tokens }) => total + tokens, 0);
}

interface ToolsDocument {
  readonly tools: readonly ReturnType<typeof listed>[];
  readonly totalTokens: number;
  readonly standingTokens: number;
  readonly offered: readonly ReturnType<typeof asSent>[];
  readonly byExposure: Readonly<
    Record<string, { readonly tools: number; readonly tokens: number }>
  >;
  readonly ifAll: Readonly<Record<string, { readonly standingTokens: number }>>;
}

function toolLines(document: ToolsDocument): readonly string[] {
  const { tools, offered } = document;
  const known = new Set(tools.map(({ name }) => name));
  const gateways = offered.filter(({ name }) => !known.has(name));
  return [
    ...tools.map(({ name, tokens, exposure, description }) => {
      const [firstLine = ''] = description.split('\n');
      return `${name}  (${exposure}, ${tokens} tokens)  ${firstLine}`;
    }),
    ...gateways.map(({ name, tokens }) => `${name}  (${tokens} tokens)`),
    `${tools.length} tools, ${document.totalTokens} tokens, ${document.standingTokens} of them in every request`,
    ...exposures.map((exposure) => {
      const { tools: count = 0, tokens = 0 } = document.byExposure[exposure] ?? {};
      const { standingTokens = 0 } = document.ifAll[exposure] ?? {};
      return `  ${exposure}: ${count} tools, ${tokens} tokens; if all were, ${standingTokens} in every request`;
    }),
  ];
}
