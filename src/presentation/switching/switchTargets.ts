/** Servers and tools as things to switch, and the one way to switch many of them. */
import type { ToolFeatures } from '../../agent/policy/toolFeatures.js';
import { switchPlace } from '../../agent/tools/toolOverview.js';
import type { PlacedSwitch, ToolSwitches } from '../../mcp/catalog/records/toolSwitches.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { isWantedOn, type StagedSwitches, type SwitchRow } from './stagedSwitches.js';

export type SwitchTarget = SwitchRow & { readonly server: McpServer } & (
    | { readonly kind: 'server' }
    | { readonly kind: 'tool'; readonly tool: string }
  );

export type SwitchFeatures = Pick<ToolFeatures, 'switches' | 'setAside'>;

/** Each server, in the order of the tree, before its tools. */
export function switchTargets(
  { servers }: Pick<McpService, 'servers'>,
  { switches, setAside }: SwitchFeatures,
): readonly SwitchTarget[] {
  return servers.flatMap((server): readonly SwitchTarget[] => [
    { kind: 'server', key: server.id, isOn: server.definition.enabled, server },
    ...server.catalog.value.tools.map(({ name }) => ({
      kind: 'tool' as const,
      key: `${server.id}\0${name}`,
      isOn:
        switches.isOn(switchPlace(server, name)) &&
        setAside.reasonFor(server.id, name) === undefined,
      server,
      tool: name,
    })),
  ]);
}

/** Those that are staged and are not so already. */
export function stagedTargets(
  staged: StagedSwitches,
  targets: readonly SwitchTarget[],
): readonly SwitchTarget[] {
  return targets.filter((target) => isWantedOn(staged, target) !== target.isOn);
}

/** What the staged tools come to in the user's own switches. */
export function stagedChoices(
  staged: StagedSwitches,
  targets: readonly SwitchTarget[],
  { switches }: { readonly switches: Pick<ToolSwitches, 'choiceFor'> },
): readonly PlacedSwitch[] {
  return stagedTargets(staged, targets).flatMap((target) => {
    if (target.kind === 'server') {
      return [];
    }
    const place = switchPlace(target.server, target.tool);
    return [{ place, value: switches.choiceFor(place, staged.get(target.key) === true) }];
  });
}

/**
 * Applies everything, or nothing when something of it cannot be written.
 * @returns what takes it back.
 */
export async function applySwitches(
  staged: StagedSwitches,
  targets: readonly SwitchTarget[],
  parts: SwitchFeatures & { readonly service: Pick<McpService, 'configuration' | 'getServer'> },
): Promise<() => Promise<void>> {
  const { service, switches, setAside } = parts;
  const chosen = stagedTargets(staged, targets);
  const servers = chosen.filter(({ kind }) => kind === 'server');
  const switchServers = (isBack: boolean) =>
    service.configuration.setEnabledTogether(
      servers
        .filter(({ server }) => service.getServer(server.id) !== undefined)
        .map(({ server, isOn }) => ({ id: server.id, isEnabled: isOn === isBack })),
    );
  const choices = stagedChoices(staged, targets, parts);
  const former = choices.map(({ place }) => ({ place, value: switches.get(place) }));
  await switchServers(false);
  try {
    await switches.setAll(choices);
  } catch (error) {
    await switchServers(true);
    throw error;
  }
  for (const target of chosen) {
    if (target.kind === 'tool') {
      setAside.restore(target.server.id, target.tool);
    }
  }
  return async () => {
    await switchServers(true);
    await switches.setAll(former);
  };
}
