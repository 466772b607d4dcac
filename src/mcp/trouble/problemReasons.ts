/** What keeps an entry from being used, in at most six words. */
import * as l10n from '@vscode/l10n';
import type { ConfigProblem } from '../../config/definition.js';

/** @param code of the gravest problem; `undefined` when none is known */
export function problemReason(code: ConfigProblem['code'] | undefined): string {
  return (code && reasons[code]?.()) ?? l10n.t('Invalid entry');
}

const reasons: Readonly<{ readonly [Code in ConfigProblem['code']]?: () => string }> = {
  'bad-oauth': () => l10n.t('Invalid OAuth settings'),
  'bad-url': () => l10n.t('Invalid URL'),
  'command-and-url': () => l10n.t('Both command and URL'),
  'duplicate-name': () => l10n.t('Duplicate name'),
  'empty-command': () => l10n.t('Empty command'),
  'entry-not-object': () => l10n.t('Entry is not an object'),
  'kind-contradiction': () => l10n.t('Type contradicts other fields'),
  'malformed-name': () => l10n.t('Invalid name'),
  'no-command-or-url': () => l10n.t('No command or URL'),
  'wrong-type': () => l10n.t('Wrong type of value'),
  folder_virtual: () => l10n.t('Folder not on disk'),
};
