import * as l10n from '@vscode/l10n';
import type { TemplateResult } from 'lit-html';
import type { FieldDraft } from '../../base/form/fieldDraft.js';
import { dropDown } from '../shared/choices.js';
import { describedBy, type FormContext, fieldId } from './formContext.js';

const none = '-1';

/** Options are told apart by their place: a server may give two the same name. */
export function optionSelect(
  draft: FieldDraft,
  form: FormContext,
  labels: readonly string[],
  id = fieldId(draft),
): TemplateResult {
  const { field, chosen } = draft;
  const choices = [
    { value: none, label: field.isRequired ? l10n.t('(choose)') : l10n.t('(left out)') },
    ...labels.map((label, index) => ({ value: String(index), label })),
  ];
  const choose = (value: string) => {
    draft.choose(value === none ? undefined : Number(value));
    form.changed();
  };
  return dropDown(choices, chosen === undefined ? none : String(chosen), choose, {
    id,
    describedBy: describedBy(draft, form),
    isInvalid: form.problems.has(draft.id),
    isRequired: field.isRequired === true,
    isEnabled: field.isReadOnly !== true,
  });
}
