/** What a row says about other programs that use, run or would start the same server. */
import * as l10n from '@vscode/l10n';
import { importLabels } from '../../config/imports/importLabels.js';
import { itemFlags } from '../../contributions.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { DoubleStart } from '../../mcp/otherClients/doubleStarts.js';
import type { OtherUse } from './presentation.js';

/** Words for the row, without those for what the user has settled. */
export function otherUseFacts(server: McpServer, { handOver, start }: OtherUse): readonly string[] {
  const { enabled } = server.definition;
  if (start?.choice === 'left' && !enabled) {
    return [l10n.t('left to VS Code')];
  }
  const isOpen = enabled && start?.choice !== 'both';
  return [
    ...(handOver === undefined ? [] : [handOverWord(handOver)]),
    ...(isOpen && start && isDoubled(start) ? [l10n.t('runs in {0} too', clientsOf(start))] : []),
  ];
}

/** Some other client runs it, and the user has not said that it may. */
export function isDoubledUnasked(
  { enabled }: McpServer['definition'],
  { start }: OtherUse,
): boolean {
  return enabled && start !== undefined && start.choice !== 'both' && isDoubled(start);
}

function isDoubled({ running }: Pick<DoubleStart, 'running'>): boolean {
  return running.length > 0;
}

function clientsOf({ running }: Pick<DoubleStart, 'running'>): string {
  return [...new Set(running.map(({ client }) => importLabels[client]))].join(', ');
}

export function handOverWord(handOver: 'offered' | 'waiting'): string {
  return handOver === 'offered'
    ? l10n.t('shared with VS Code')
    : l10n.t('VS Code waits for the gateway');
}

export function otherUseFlags({ handOver, start }: OtherUse): readonly string[] {
  return [
    ...(handOver === undefined ? [] : [itemFlags.handedOver]),
    ...(start === undefined ? [] : [itemFlags.doubled]),
  ];
}
