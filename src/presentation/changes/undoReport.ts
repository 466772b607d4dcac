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
  switch (result) {
    case 'conflict':
      return l10n.t('{0} was left as it is, since others changed the same lines.', name);
    case 'impossible':
      return l10n.t('{0} was left as it is, since what it held before is not kept.', name);
    case 'failed':
      return l10n.t('{0} was left as it is: {1}', name, reason ?? '');
    default:
      return undefined;
  }
}
