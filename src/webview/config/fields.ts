import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { withRemedy } from '../../base/errors.js';
import type { FieldProblem, FormField } from '../../protocol/configProtocol.js';
import {
  describingIds,
  type FieldWords,
  groupField,
  labelledField,
  textBox,
} from '../form/fieldParts.js';
import { checkBox, sideButton } from '../shared/buttons.js';
import { dropDown } from '../shared/choices.js';
import { icon } from '../shared/icon.js';
import { type ConfigFieldDraft, fieldOf, isFlagOn, listChoice } from './formDraft.js';
import { offerView, secretNote } from './formNotes.js';
import type { FormPage } from './formPage.js';
import { nameProblem, type OpenForm } from './pageState.js';
import { keepHint, rowsEditor } from './rowsEditor.js';

type Change = (part: Partial<ConfigFieldDraft>) => void;

/** The control of a field, with its label, what it means and what is wrong with it. */
export function configFieldView(
  field: FormField,
  form: OpenForm,
  page: FormPage,
  draft = fieldOf(form.draft, field),
  change: Change = (part) => page.changeField(field.id, part),
): TemplateResult {
  const { id, label, help, control } = field;
  const words: FieldWords = {
    id: `field-${id}`,
    title: control === 'flag' ? undefined : label,
    hint: helpText(help),
    problems: problemsOf(form, id).map(({ message, remedy }) => withRemedy(message, remedy)),
  };
  const kept = form.draft.kept.includes(id) ? keptLine() : nothing;
  const notes = html`${id === 'command' ? offerView(form, page) : nothing} ${secretNote(id, form, page)}`;
  const isGroup = control === 'list' || control === 'pairs';
  return (isGroup ? groupField : labelledField)(
    words,
    controlOf(field, words, draft, change),
    kept,
    notes,
  );
}

function controlOf(
  field: FormField,
  words: FieldWords,
  draft: ConfigFieldDraft,
  change: Change,
): TemplateResult {
  switch (field.control) {
    case 'flag':
      return checkBox(
        field.label,
        isFlagOn(field, draft),
        (isOn) => change({ text: String(isOn) }),
        words.id,
      );
    case 'choice':
      return choice(field, words, draft, change);
    case 'mixed':
      return html`${choice(field, words, draft, change)}
      ${draft.text === listChoice ? rowsEditor(field, draft, change) : nothing}`;
    case 'list':
    case 'pairs':
      return rowsEditor(field, draft, change);
    default:
      return html`${box(field, words, draft, change)} ${forget(field, draft, change)}`;
  }
}

/** What a save has found, or else what is wrong with the name as it is typed. */
function problemsOf(form: OpenForm, id: string): readonly FieldProblem[] {
  const found = form.problems.filter(({ field }) => field === id);
  const typed = id === 'name' && found.length === 0 ? nameProblem(form) : undefined;
  return typed ? [typed] : found;
}

/** Text with `code` in it. */
function helpText(help: string): TemplateResult | undefined {
  const parts = help.split('`');
  return help === ''
    ? undefined
    : html`${parts.map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}

function keptLine(): TemplateResult {
  return html`<p class="warning-line">${icon('info')}<span
      >${l10n.t('The file holds a value that cannot be shown here. It stays until you set another one.')}</span
    ></p>`;
}

function box(
  { control, placeholder }: FormField,
  words: FieldWords,
  { text, stored }: ConfigFieldDraft,
  change: Change,
): TemplateResult {
  return textBox(
    {
      ...words,
      text,
      rows: control === 'long-secret' ? 4 : undefined,
      isSecret: control === 'secret' || control === 'long-secret',
      isNumber: control === 'number',
      placeholder: keepHint(stored) ?? placeholder,
    },
    (typed) => change({ text: typed }),
  );
}

function forget(
  { label, isRequired }: FormField,
  draft: ConfigFieldDraft,
  change: Change,
): TemplateResult | typeof nothing {
  return draft.stored !== undefined && !isRequired
    ? sideButton(l10n.t('Remove Stored Value'), () => change({ stored: undefined }), {
        label: `${l10n.t('Remove Stored Value')}: ${label}`,
        className: 'add-row',
      })
    : nothing;
}

function choice(
  { options = [] }: FormField,
  words: FieldWords,
  { text }: ConfigFieldDraft,
  change: Change,
): TemplateResult {
  // a value that is read, but that the form does not offer
  const isOther = !options.some(({ value }) => value === text);
  const choices = isOther ? [...options, { value: text, label: text }] : options;
  return dropDown(choices, text, (value) => change({ text: value }), {
    id: words.id,
    describedBy: describingIds(words),
    isInvalid: words.problems !== undefined && words.problems.length > 0,
  });
}
