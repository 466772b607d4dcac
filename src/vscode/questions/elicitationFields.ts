import * as vscode from 'vscode';
import { labelText } from '../../base/text/labelText.js';
import {
  checkElicitationValue,
  type ElicitationField,
  type ElicitationValue,
  uncheckedRule,
} from '../../mcp/connection/reading/elicitationForm.js';
import type { Choice, QuestionScreen, ShowResult } from './questionScreen.js';

type FieldOf<K extends ElicitationField['kind']> = Extract<ElicitationField, { readonly kind: K }>;
/** `value` is `undefined` for a field that is left empty. */
interface FieldAnswer {
  readonly value: ElicitationValue | undefined;
}

/** Where and under which title a field is asked for. */
export interface FieldPlace {
  readonly screen: QuestionScreen;
  readonly title: string;
}

export function askForField(
  field: ElicitationField,
  value: ElicitationValue | undefined,
  place: FieldPlace,
  signal: AbortSignal,
): Promise<ShowResult<FieldAnswer>> {
  switch (field.kind) {
    case 'text':
    case 'number':
      return askForText(field, value, place, signal);
    case 'boolean':
    case 'choice':
      return askForChoice(field, value, place, signal);
    case 'choices':
      return askForChoices(field, value, place, signal);
  }
}

export function fieldValueText(
  field: ElicitationField,
  value: ElicitationValue | undefined,
): string {
  if (value === undefined) {
    return vscode.l10n.t('empty');
  }
  if (typeof value === 'boolean') {
    return yesOrNo(value);
  }
  const labelOf = (one: string) =>
    'options' in field ? (field.options.find((o) => o.value === one)?.label ?? one) : one;
  return typeof value === 'object' ? value.map(labelOf).join(', ') : labelOf(String(value));
}

async function askForText(
  field: FieldOf<'text' | 'number'>,
  value: ElicitationValue | undefined,
  { screen, title }: FieldPlace,
  signal: AbortSignal,
): Promise<ShowResult<FieldAnswer>> {
  const read = (text: string) => {
    const isEmpty = text.trim() === '' && (field.kind !== 'text' || text === '');
    return isEmpty ? undefined : field.kind === 'number' ? Number(text) : text;
  };
  const shown = await screen.write(
    {
      title: `${title}: ${field.title}`,
      prompt: [field.description ?? field.title, uncheckedRule(field)]
        .filter((part) => part !== undefined)
        .join(' — '),
      placeholder: placeholder(field),
      value: value === undefined ? '' : String(value),
      check: (typed) => checkElicitationValue(field, read(typed)),
    },
    signal,
  );
  return shown.kind === 'answered' ? { ...shown, value: { value: read(shown.value) } } : shown;
}

function placeholder(field: FieldOf<'text' | 'number'>): string {
  const format = field.kind === 'text' ? field.format : undefined;
  switch (format) {
    case 'date':
      return '2026-01-31';
    case 'date-time':
      return '2026-01-31T12:00:00Z';
    case 'email':
      return 'name@example.com';
    case 'uri':
      return 'https://example.com';
    default:
      return field.isRequired ? vscode.l10n.t('Required') : vscode.l10n.t('May be left empty');
  }
}

function askForChoice(
  field: FieldOf<'boolean' | 'choice'>,
  value: ElicitationValue | undefined,
  { screen, title }: FieldPlace,
  signal: AbortSignal,
): Promise<ShowResult<FieldAnswer>> {
  const values: readonly { label: string; value: ElicitationValue }[] =
    field.kind === 'boolean'
      ? [true, false].map((one) => ({ label: yesOrNo(one), value: one }))
      : field.options;
  const choices: Choice<FieldAnswer>[] = values.map((one) => ({
    label: labelText(one.label),
    ...(typeof one.value === 'string' && one.value !== one.label
      ? { description: labelText(one.value) }
      : {}),
    value: { value: one.value },
  }));
  if (!field.isRequired) {
    choices.push({ label: vscode.l10n.t('No Answer'), value: { value: undefined } });
  }
  const options = {
    title: `${title}: ${field.title}`,
    placeholder: field.description ?? field.title,
    isActive: (index: number) => choices[index]?.value?.value === value,
  };
  return screen.choose(choices, options, signal);
}

async function askForChoices(
  field: FieldOf<'choices'>,
  value: ElicitationValue | undefined,
  { screen, title }: FieldPlace,
  signal: AbortSignal,
): Promise<ShowResult<FieldAnswer>> {
  const picked: readonly string[] = Array.isArray(value) ? value : [];
  const choices = field.options.map((option) => ({
    label: labelText(option.label),
    picked: picked.includes(option.value),
    value: option.value,
  }));
  const shown = await screen.chooseMany(
    choices,
    { title: `${title}: ${field.title}`, placeholder: field.description ?? field.title },
    signal,
  );
  if (shown.kind !== 'answered') {
    return shown;
  }
  const isEmpty = shown.value.length === 0 && !field.isRequired;
  return { ...shown, value: { value: isEmpty ? undefined : shown.value } };
}

function yesOrNo(value: boolean): string {
  return value ? vscode.l10n.t('Yes') : vscode.l10n.t('No');
}
