/** What is said about other programs that use, run or would start the same server. */
import * as l10n from '@vscode/l10n';
import { quotedName } from '../../../base/text/nameToken.js';
import { importLabels } from '../../../config/imports/importLabels.js';
import type { ForeignRun } from '../../../mcp/otherClients/foreignRuns.js';
import type { OtherUse } from '../presentation.js';

/** As whole sentences: what is known of other clients, and what the user has said to it. For every surface. */
export function doubleStartSentences({
  isPredicted,
  running,
  choice,
}: NonNullable<OtherUse['start']>): readonly string[] {
  return [
    ...running.map(({ client, first }) => {
      const text = l10n.t('runs in {0} too', importLabels[client]);
      return first === undefined ? text : l10n.t('{0}, process {1}', text, first.pid);
    }),
    ...(isPredicted && running.length === 0
      ? [l10n.t("VS Code's own agent reads the same entry and may start a copy of its own.")]
      : []),
    ...(choice === 'both' ? [l10n.t('You chose to run both.')] : []),
    ...(choice === 'left' ? [l10n.t('left to VS Code')] : []),
  ];
}

/** Those that are seen by their processes, and so can be ended. */
export function stoppableCopies(start: OtherUse['start']): readonly ForeignRun[] {
  return (start?.running ?? []).flatMap(({ client, first }) => (first ? [{ client, first }] : []));
}

/** The question before copies are ended: each of them is named. */
export function stopCopiesQuestion(
  server: string,
  copies: readonly ForeignRun[],
): { readonly message: string; readonly detail: string; readonly action: string } {
  const named = copies.map(({ client, first }) =>
    l10n.t('{0}, process {1}', importLabels[client], first.pid),
  );
  const effect = l10n.t('Its agent loses the server, and may start it again.');
  return {
    message: l10n.t('Stop the copy of {0}?', quotedName(server)),
    detail: [...named, effect].join('\n'),
    action: l10n.t('Stop the Copy'),
  };
}
