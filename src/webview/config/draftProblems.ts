/** What is wrong with a draft, as far as the page can tell. No DOM. */
import * as l10n from '@vscode/l10n';
import type { FieldProblem, FormField, FormGroup } from '../../protocol/configProtocol.js';
import { problemText } from '../form/formWords.js';
import {
  type ConfigFieldDraft,
  type FormDraft,
  fieldOf,
  isEmptyField,
  type Row,
  shownGroups,
} from './formDraft.js';

/** What can be said without asking the extension; names are the extension's to judge. */
export function validateDraft(
  draft: FormDraft,
  groups: readonly FormGroup[],
): readonly FieldProblem[] {
  return shownGroups(draft, groups)
    .flatMap(({ fields }) => fields)
    .flatMap((field) => problemsOf(field, fieldOf(draft, field)));
}

function problemsOf(field: FormField, draft: ConfigFieldDraft): readonly FieldProblem[] {
  switch (field.control) {
    case 'pairs':
      return keyProblems(field, draft.rows);
    case 'number':
      return numberProblems(field, draft.text.trim());
    default:
      return field.isRequired && isEmptyField(draft)
        ? [emptyProblem(field, 'required', 'required')]
        : [];
  }
}

function emptyProblem(
  { id }: FormField,
  code: FieldProblem['code'],
  kind: 'required' | 'noName',
): FieldProblem {
  return {
    code,
    field: id,
    message: problemText({ kind }),
    remedy: l10n.t('Fill in the field.'),
  };
}

function keyProblems(field: FormField, rows: readonly Row[]): readonly FieldProblem[] {
  const { id } = field;
  const used = rows.filter((row) => row.key.trim() !== '' || row.value !== '');
  // header names that differ only in case are the same header
  const keys = used.map(({ key }) => (id === 'headers' ? key.trim().toLowerCase() : key.trim()));
  const twice = used.find((_row, at) => keys[at] && keys.slice(0, at).includes(keys[at]));
  return [
    ...(keys.includes('') ? [emptyProblem(field, 'key-missing', 'noName')] : []),
    ...(twice === undefined
      ? []
      : [
          {
            code: 'key-twice' as const,
            field: id,
            message: l10n.t('"{0}" is set twice.', twice.key.trim()),
            remedy: l10n.t('Remove one of the two rows.'),
          },
        ]),
  ];
}

function numberProblems(field: FormField, text: string): readonly FieldProblem[] {
  const { id, label, minimum = 0, maximum, isInteger } = field;
  const value = Number(text);
  const isFitting =
    Number.isFinite(value) &&
    value >= minimum &&
    value <= (maximum ?? value) &&
    (!isInteger || Number.isInteger(value));
  if (text === '' || isFitting) {
    return [];
  }
  return [
    {
      code: 'not-a-number',
      field: id,
      message:
        maximum === undefined
          ? l10n.t('{0}: "{1}" is not a number of at least {2}.', label, text, minimum)
          : l10n.t('{0}: "{1}" is not a number from {2} to {3}.', label, text, minimum, maximum),
      remedy: l10n.t('Enter a number, or nothing for the default.'),
    },
  ];
}
