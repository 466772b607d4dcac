/** What is said about other programs that use, run or would start the same server. */
import * as l10n from '@vscode/l10n';
import { importLabels } from '../../../config/imports/importLabels.js';
import type { OtherUse } from '../presentation.js';

/** As whole sentences: what is known of other clients, and what the user has said to it. For every surface. */
export function doubleStartSentences({
  isPredicted,
  running,
  choice,
}: NonNullable<OtherUse['start']>): readonly string[] {
  return [
    ...running.map(({ client, first }) =>
      first === undefined
        ? l10n.t('{0} has started a copy of its own.', importLabels[client])
        : l10n.t(
            '{0} has started a copy of its own, process {1}.',
            importLabels[client],
            first.pid,
          ),
    ),
    ...(isPredicted && running.length === 0
      ? [l10n.t("VS Code's own agent reads the same entry and may start a copy of its own.")]
      : []),
    ...(choice === 'both' ? [l10n.t('You chose to run both.')] : []),
    ...(choice === 'left' ? [l10n.t('You left it to VS Code.')] : []),
  ];
}

export function handOverSentence(handOver: 'offered' | 'waiting'): string {
  return handOver === 'offered'
    ? l10n.t("VS Code's own agent has it from the gateway, by the connection that is here.")
    : l10n.t(
        "You share it with VS Code's own agent, which gets it when the gateway of the folder runs.",
      );
}
