/** What the routes show of servers and settings; secrets are redacted where entries are read. */
import { asList, asObject, asString, type JsonObject } from '../../base/json.js';
import { globalPoolId } from '../../config/definition.js';
import { defaultMaxCharacters } from '../../config/schema/settings.js';
import { maskText } from '../../config/secrets/secretMask.js';
import type { McpPool, McpServer, McpService } from '../../mcp/mcpApi.js';
import { shownEntry } from '../../mcp/shownEntry.js';
import { stateText } from '../../mcp/trouble/stateText.js';

export function settingsView(service: McpService): JsonObject {
  const pool = service.getPool(globalPoolId);
  const servers = pool?.servers ?? [];
  const stored = pool?.settings.truncation;
  const { enabled, maxChars } = asObject(stored);
  return {
    enabled: pool?.isMasterDisabled !== true,
    connected: servers.filter(({ state }) => state.value.kind === 'connected').length,
    total: servers.length,
    truncation: {
      enabled: enabled !== false,
      maxChars: typeof maxChars === 'number' ? maxChars : defaultMaxCharacters,
    },
  };
}

/** Name → entry as its file holds it. */
export async function entriesView(
  service: McpService,
  servers: readonly McpServer[],
): Promise<JsonObject> {
  const entries = await Promise.all(
    servers.map(async (server) => [server.definition.name, await shownEntry(service, server)]),
  );
  return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
}

export function statusesView(
  service: McpService,
  servers: readonly McpServer[],
): Promise<readonly JsonObject[]> {
  return Promise.all(servers.map((server) => statusView(service, server)));
}

export async function statusView(service: McpService, server: McpServer): Promise<JsonObject> {
  const { definition, catalog } = server;
  const { url, command, args, transport } = (await shownEntry(service, server)) ?? {};
  const state = server.state.value;
  const isRemote = definition.launch ? definition.launch.kind === 'http' : url !== undefined;
  const isWell = ['connected', 'connecting', 'idle', 'disabled'].includes(state.kind);
  return {
    scope: definition.folder ? 'project' : 'global',
    projectId: definition.folder?.uri,
    name: definition.name,
    kind: isRemote ? 'remote' : 'stdio',
    url: asString(url),
    ...argvView(command, args),
    enabled: definition.enabled,
    state: state.kind,
    toolCount: catalog.value.tools.length,
    lastError: isWell ? undefined : maskText(stateText(state).sentence),
    transport: asString(transport),
  };
}

/** Nothing that a person still has to look at keeps a server of the folder from running. */
export function isFolderTrusted({ trust }: McpService, { id, servers }: McpPool): boolean {
  return (
    servers.every(({ definition }) => trust.reasonToWait(definition) === undefined) &&
    (servers.length > 0 || trust.folderTrust(id).kind !== 'none')
  );
}

/** `command` may be the whole argv, as opencode writes it. */
function argvView(command: unknown, args: unknown): JsonObject {
  const isWhole = Array.isArray(command);
  const [program, ...first] = isWhole ? command : [command];
  const all = isWhole || Array.isArray(args) ? [...first, ...asList(args)] : undefined;
  return { command: asString(program), args: all };
}
