import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { FieldDraft } from '../../base/form/fieldDraft.js';
import { mayBeForm, mayBeJson, writeAsForm, writeAsJson } from '../../base/form/jsonMode.js';
import { linkButton } from '../shared/buttons.js';
import type { FormContext } from './formContext.js';
import { fieldTitle } from './formWords.js';

/** What can be done with a field beyond filling it in: nothing is sent that the user has not set. */
export function fieldActions(
  draft: FieldDraft,
  form: FormContext,
): TemplateResult | typeof nothing {
  const { field, state } = draft;
  if (field.isReadOnly) {
    return nothing;
  }
  const isEmptyText = field.kind === 'text' && state === 'absent' && form.sendsEmptyTexts === true;
  const isGroup = field.kind === 'object' || field.kind === 'array' || field.kind === 'choices';
  const isRoot = field.name === '' && draft.id === 0;
  const [example] = field.examples ?? [];
  const isFixed = field.kind === 'fixed' && !draft.isRaw;
  const mayLeave = state !== 'absent' && !isRoot && !isFixed;
  const actions = [
    ...(field.isNullable && state !== 'null'
      ? [action(l10n.t('Send null'), draft, form, () => draft.setNull())]
      : []),
    ...(isEmptyText ? [action(l10n.t('Send Empty Text'), draft, form, () => draft.open())] : []),
    ...(example !== undefined && state === 'absent'
      ? [action(l10n.t('Insert Example'), draft, form, () => draft.write(example))]
      : []),
    ...(mayLeave && (isGroup || state === 'null' || draft.isRaw || !field.isRequired)
      ? [action(l10n.t('Leave Out'), draft, form, () => draft.clear())]
      : []),
    ...jsonActions(draft, form, isRoot || isFixed),
  ];
  return actions.length > 0 ? html`<div class="field-actions">${actions}</div>` : nothing;
}

/** To JSON and back; the root has its JSON beside it. */
function jsonActions(
  draft: FieldDraft,
  form: FormContext,
  isShownAnyway: boolean,
): readonly TemplateResult[] {
  if (isShownAnyway || !form.mayEditJson || draft.field.kind === 'json') {
    return [];
  }
  if (draft.isRaw) {
    return mayBeForm(draft)
      ? [action(l10n.t('Edit in Form'), draft, form, () => writeAsForm(draft))]
      : [];
  }
  return mayBeJson(draft)
    ? [action(l10n.t('Edit as JSON'), draft, form, () => writeAsJson(draft))]
    : [];
}

export function action(
  label: string,
  draft: FieldDraft,
  form: FormContext,
  run: () => unknown,
): TemplateResult {
  return linkButton(
    label,
    () => {
      run();
      form.changed();
    },
    { label: `${label}: ${fieldTitle(draft)}` },
  );
}
