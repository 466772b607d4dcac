import * as l10n from '@vscode/l10n';
import type { UndoOutcome } from '../../agent/changes/sessionChanges.js';
import { HumanError } from '../../base/errors.js';

/** What an undo or redo left as it was, and why; `undefined` when it did everything. */
export function undoReport(outcomes: readonly UndoOutcome[]): HumanError | undefined {
  const sentences = outcomes.flatMap((outcome) => sentenceOf(outcome) ?? []);
  return sentences.length === 0
    ? undefined
    : new HumanError('undo_incomplete', sentences.join(' '), {
        remedy: l10n.t('Correct the cause and try again, or keep the changes.'),
      });
}

function sentenceOf({ path, result, reason }: UndoOutcome): string | undefined {
  const name = path.replace(/^.*[\\/]/, '');
  const left = (why: string) => l10n.t('{0} was left as it is: {1}', name, why);
  switch (result) {
    case 'conflict':
      return left(l10n.t('Others changed the same lines since.'));
    case 'impossible':
      return l10n.t('{0}: {1}', name, l10n.t('Left as it is: what it held is not kept.'));
    case 'failed':
      return left(reason ?? '');
    default:
      return undefined;
  }
}
