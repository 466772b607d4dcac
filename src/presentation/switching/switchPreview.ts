/** What staged switches would do, before they do it. */
import type { ModelToolsOptions } from '../../agent/tools/modelTools.js';
import { isCallable } from '../../agent/tools/offeredServers.js';
import type { ServerSwitch } from '../../config/configuration.js';
import { globalPoolId, type WorkspaceFolder } from '../../config/definition.js';
import type { McpPool, McpServer, McpService } from '../../mcp/mcpApi.js';
import { isRunning } from '../../mcp/stateKinds.js';
import { type ToolCosts, toolCosts } from './toolCosts.js';

/**
 * What becomes of a server. Of those that are enabled `asks` waits for consent, `restricted` for Workspace Trust,
 * `masterOff` for the switch of its file and `invalid` for a better entry; `rests` is one that did not run anyway.
 */
export type ServerEffect =
  | 'starts'
  | 'asks'
  | 'restricted'
  | 'masterOff'
  | 'invalid'
  | 'stops'
  | 'rests';

export interface CostChange {
  readonly folder: WorkspaceFolder | undefined;
  readonly before: ToolCosts;
  readonly after: ToolCosts;
}

export interface SwitchPreview {
  readonly servers: readonly { readonly server: McpServer; readonly effect: ServerEffect }[];
  /** Per folder, or for the user's own servers without one. */
  readonly costs: readonly CostChange[];
  /** Each of those that are enabled has said once what it offers. */
  readonly isCostKnown: boolean;
}

type PreviewService = Pick<McpService, 'pools' | 'servers' | 'getPool' | 'serversFor' | 'trust'>;

export interface PreviewParts extends ModelToolsOptions {
  readonly service: PreviewService & ModelToolsOptions['service'];
}

/** Server id → whether it is to be enabled. */
type Wanted = ReadonlyMap<string, boolean>;

/** Servers that are gone, and those that are so already, change nothing. */
export async function previewSwitches(
  switches: readonly ServerSwitch[],
  parts: PreviewParts,
): Promise<SwitchPreview> {
  const { service } = parts;
  const wanted = new Map(switches.map(({ id, isEnabled }) => [id, isEnabled]));
  const servers = service.servers
    .filter(({ id, definition }) => (wanted.get(id) ?? definition.enabled) !== definition.enabled)
    .map((server) => ({ server, effect: effectOf(server, !server.definition.enabled, service) }));
  return {
    servers,
    costs: await costChanges(wanted, parts),
    isCostKnown: !servers.some(
      ({ server, effect }) => isGoing(effect) && server.catalog.value.tools.length === 0,
    ),
  };
}

function isGoing(effect: ServerEffect): boolean {
  return effect === 'starts' || effect === 'asks';
}

function effectOf(server: McpServer, isOn: boolean, service: PreviewService): ServerEffect {
  const { definition } = server;
  if (!isOn) {
    return isRunning(server.state.value) ? 'stops' : 'rests';
  }
  if ([globalPoolId, definition.poolId].some((id) => service.getPool(id)?.isMasterDisabled)) {
    return 'masterOff';
  }
  if (!definition.launch) {
    return 'invalid';
  }
  const reason = service.trust.reasonToWait(definition);
  if (reason) {
    return reason.kind === 'workspace_untrusted' ? 'restricted' : 'asks';
  }
  return 'starts';
}

async function costChanges(wanted: Wanted, parts: PreviewParts): Promise<readonly CostChange[]> {
  const { service } = parts;
  const folders = service.pools.flatMap(({ folder }) => folder ?? []);
  const places = folders.length > 0 ? folders : [undefined];
  return Promise.all(
    places.map(async (folder) => ({
      folder,
      before: await toolCosts(
        service.serversFor(folder?.uri).filter(isCallable),
        folder?.uri,
        parts,
      ),
      after: await toolCosts(serversWith(wanted, folder?.uri, service), folder?.uri, parts),
    })),
  );
}

/** What the folder's agent would have; see {@link McpService.serversFor}. */
function serversWith(
  wanted: Wanted,
  folderUri: string | undefined,
  service: PreviewService,
): readonly McpServer[] {
  const pool = folderUri === undefined ? undefined : service.getPool(folderUri);
  const globals = service.getPool(globalPoolId)?.servers ?? [];
  const now = new Map(service.serversFor(folderUri).map((server) => [server.id, server]));
  const isThere = (server: McpServer) => {
    const isWanted = wanted.get(server.id);
    return isWanted === undefined
      ? isCallable(server)
      : isWanted && isGoing(effectOf(server, true, service));
  };
  const own = pool?.servers ?? [];
  const offered = globals.filter((server) => !isHiddenWith(wanted, server, pool, service));
  return [...own, ...offered.map((server) => now.get(server.id) ?? server)].filter(isThere);
}

/** A server of the folder hides the global one of its name as long as it may run. */
function isHiddenWith(
  wanted: Wanted,
  server: McpServer,
  pool: McpPool | undefined,
  service: PreviewService,
): boolean {
  if (!pool) {
    return false;
  }
  const rival = pool.servers.find(({ definition }) => definition.name === server.definition.name);
  const isWanted = rival && wanted.get(rival.id);
  return rival === undefined || isWanted === undefined
    ? server.isHiddenIn(pool.id)
    : isWanted && effectOf(rival, true, service) === 'starts';
}
