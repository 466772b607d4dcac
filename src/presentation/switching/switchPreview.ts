/** What staged switches would do, before they do it. */
import type { ModelToolsOptions } from '../../agent/tools/modelTools.js';
import { isCallable } from '../../agent/tools/offeredServers.js';
import { globalPoolId, type WorkspaceFolder } from '../../config/definition.js';
import type {
  PlacedSwitch,
  SwitchPlace,
  ToolSwitches,
} from '../../mcp/catalog/records/toolSwitches.js';
import type { McpPool, McpServer, McpService } from '../../mcp/mcpApi.js';
import { isRunning } from '../../mcp/stateKinds.js';
import type { StagedSwitches } from './stagedSwitches.js';
import { type SwitchTarget, stagedChoices, stagedTargets } from './switchTargets.js';
import { type ToolCosts, toolCosts } from './toolCosts.js';

/**
 * What becomes of a server. Of those that are switched on `asks` waits for consent, `restricted` for Workspace Trust,
 * `masterOff` for the switch of its file and `invalid` for a better entry; `rests` is one that did not run anyway.
 */
export type ServerEffect =
  | 'starts'
  | 'connects'
  | 'asks'
  | 'restricted'
  | 'masterOff'
  | 'invalid'
  | 'stops'
  | 'disconnects'
  | 'rests';

export interface CostChange {
  readonly folder: WorkspaceFolder | undefined;
  readonly before: ToolCosts;
  readonly after: ToolCosts;
}

export interface SwitchPreview {
  readonly servers: readonly { readonly server: McpServer; readonly effect: ServerEffect }[];
  readonly tools: readonly {
    readonly server: McpServer;
    readonly tool: string;
    readonly isOn: boolean;
  }[];
  /** Per folder, or for the user's own servers without one. */
  readonly costs: readonly CostChange[];
  /** Switched on, and nobody knows what they offer. */
  readonly unknown: readonly McpServer[];
}

type PreviewService = Pick<
  McpService,
  'pools' | 'getPool' | 'serversFor' | 'settingsFor' | 'trust'
>;

export interface PreviewParts {
  readonly service: PreviewService & ModelToolsOptions['service'];
  readonly switches: Pick<ToolSwitches, 'get' | 'isOn' | 'choiceFor'>;
  readonly budget: ModelToolsOptions['policy']['budget'];
  readonly directTools: string | undefined;
}

export async function previewSwitches(
  staged: StagedSwitches,
  targets: readonly SwitchTarget[],
  parts: PreviewParts,
): Promise<SwitchPreview> {
  const { service } = parts;
  const chosen = stagedTargets(staged, targets);
  const servers = chosen
    .filter(({ kind }) => kind === 'server')
    .map(({ server, isOn }) => ({ server, effect: effectOf(server, !isOn, service) }));
  const choices = stagedChoices(staged, targets, parts);
  return {
    servers,
    tools: chosen.flatMap((target) =>
      target.kind === 'tool'
        ? [{ server: target.server, tool: target.tool, isOn: !target.isOn }]
        : [],
    ),
    costs: await costChanges({ staged, choices }, parts),
    unknown: servers
      .filter(({ server, effect }) => isGoing(effect) && server.catalog.value.tools.length === 0)
      .map(({ server }) => server),
  };
}

function isGoing(effect: ServerEffect): boolean {
  return effect === 'starts' || effect === 'connects' || effect === 'asks';
}

function effectOf(server: McpServer, isOn: boolean, service: PreviewService): ServerEffect {
  const { definition } = server;
  const isRemote = definition.launch?.kind === 'http';
  if (!isOn) {
    return isRunning(server.state.value) ? (isRemote ? 'disconnects' : 'stops') : 'rests';
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
  return isRemote ? 'connects' : 'starts';
}

interface WhatIf {
  readonly staged: StagedSwitches;
  readonly choices: readonly PlacedSwitch[];
}

async function costChanges(
  { staged, choices }: WhatIf,
  parts: PreviewParts,
): Promise<readonly CostChange[]> {
  const { service, switches, budget, directTools } = parts;
  const costsOf = (servers: readonly McpServer[], folderUri: string | undefined, isOn: IsOn) =>
    toolCosts(servers, folderUri, {
      service,
      policy: { budget, switches: { isOn } },
      directTools,
    });
  const folders = service.pools.flatMap(({ folder }) => folder ?? []);
  const places = folders.length > 0 ? folders : [undefined];
  return Promise.all(
    places.map(async (folder) => {
      const now = service.serversFor(folder?.uri).filter(isCallable);
      const then = serversWith(staged, folder?.uri, service);
      return {
        folder,
        before: await costsOf(now, folder?.uri, (place) => switches.isOn(place)),
        after: await costsOf(then, folder?.uri, (place) => isOnWith(choices, place, switches)),
      };
    }),
  );
}

type IsOn = (place: SwitchPlace) => boolean;

function isOnWith(
  choices: readonly PlacedSwitch[],
  place: SwitchPlace,
  switches: Pick<ToolSwitches, 'get'>,
): boolean {
  const chosen = (at: SwitchPlace) => {
    const choice = choices.find((one) => isSamePlace(one.place, at));
    return choice ? choice.value : switches.get(at);
  };
  return (chosen(place) ?? chosen({ ...place, folderUri: undefined })) !== 'off';
}

function isSamePlace(a: SwitchPlace, b: SwitchPlace): boolean {
  return a.folderUri === b.folderUri && a.server === b.server && a.tool === b.tool;
}

/** What the folder's agent would have; see {@link McpService.serversFor}. */
function serversWith(
  staged: StagedSwitches,
  folderUri: string | undefined,
  service: PreviewService,
): readonly McpServer[] {
  const pool = folderUri === undefined ? undefined : service.getPool(folderUri);
  const globals = service.getPool(globalPoolId)?.servers ?? [];
  const now = new Map(service.serversFor(folderUri).map((server) => [server.id, server]));
  const isThere = (server: McpServer) => {
    const wanted = staged.get(server.id);
    return wanted === undefined
      ? isCallable(server)
      : wanted && ['starts', 'connects', 'asks'].includes(effectOf(server, true, service));
  };
  const own = pool?.servers ?? [];
  const offered = globals.filter((server) => !isHiddenWith(staged, server, pool, service));
  return [...own, ...offered.map((server) => now.get(server.id) ?? server)].filter(isThere);
}

/** A server of the folder hides the global one of its name as long as it may run. */
function isHiddenWith(
  staged: StagedSwitches,
  server: McpServer,
  pool: McpPool | undefined,
  service: PreviewService,
): boolean {
  if (!pool) {
    return false;
  }
  const rival = pool.servers.find(({ definition }) => definition.name === server.definition.name);
  const wanted = rival && staged.get(rival.id);
  return rival === undefined || wanted === undefined
    ? server.isHiddenIn(pool.id)
    : wanted && ['starts', 'connects'].includes(effectOf(rival, true, service));
}
