/** What the list of running servers says about each. For plain Node. */
import * as l10n from '@vscode/l10n';
import { definedValues } from '../../base/json.js';
import { counted } from '../../base/text/counted.js';
import type { RunningServer } from '../../mcp/service/runningServers.js';
import { launchKind } from '../../mcp/stateKinds.js';

const secondMs = 1000;
const megabyte = 1024 * 1024;

export function runningServerFacts(running: RunningServer): string {
  const { pid, processCount = 1, memoryBytes, uptimeMs, activity } = running;
  const facts = [
    uptimeMs === undefined ? l10n.t('connecting') : l10n.t('up {0}', duration(uptimeMs)),
    pid === undefined ? launchKind(running.server.definition) : l10n.t('pid {0}', pid),
    processCount > 1 ? l10n.t('{0} processes', processCount) : undefined,
    memoryText(memoryBytes),
    l10n.t('restarts: {0}', activity.restarts),
  ];
  return facts.filter((fact) => fact !== undefined).join(' · ');
}

function memoryText(bytes: number | undefined): string | undefined {
  return bytes === undefined ? undefined : l10n.t('{0} MB', Math.round(bytes / megabyte));
}

/** By id of the server; of those whose memory is known. */
export function memoryTexts(running: readonly RunningServer[]): Readonly<Record<string, string>> {
  const texts = running.map(({ server, memoryBytes }) => [server.id, memoryText(memoryBytes)]);
  return definedValues<string>(Object.fromEntries(texts));
}

/** Who keeps it running. */
export function runningServerHolders({ server, activity }: RunningServer): string {
  const { holders, calls } = activity;
  const { lifecycle } = server.definition.options;
  const parts = [
    ...[...new Set(holders)].map((holder) => {
      const count = holders.filter((item) => item === holder).length;
      return count === 1 ? holder : `${holder} × ${count}`;
    }),
    ...(lifecycle === 'lazy' ? [] : [lifecycle]),
    ...(calls === 0 ? [] : [counted(l10n.t('1 request|{0} requests'), calls)]),
  ];
  return parts.length === 0
    ? l10n.t('Idle, stops when unused')
    : l10n.t('Used by: {0}', parts.join(', '));
}

/** The two largest units that count. */
export function duration(ms: number): string {
  const seconds = Math.floor(ms / secondMs);
  if (seconds < 60) {
    return l10n.t('{0} s', seconds);
  }
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? l10n.t('{0} min', minutes)
    : l10n.t('{0} h {1} min', Math.floor(minutes / 60), minutes % 60);
}
