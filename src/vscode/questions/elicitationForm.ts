import * as vscode from 'vscode';
import type { ElicitationAnswer, ElicitationRequest } from '../../mcp/connection/clientFeatures.js';
import {
  checkElicitationValue,
  type ElicitationField,
  type ElicitationValue,
  elicitationDefaults,
} from '../../mcp/connection/elicitationForm.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import { type Choice, showChoices } from './choices.js';
import { askForField, fieldValueText } from './elicitationFields.js';

type FormRequest = Extract<ElicitationRequest, { readonly kind: 'form' }>;
type Values = Map</* field name */ string, ElicitationValue>;
type Step =
  | { readonly kind: 'field'; readonly field: ElicitationField }
  | { readonly kind: 'message' | 'send' | 'decline' };

/** A title bar is narrower than a message may be long. */
const shownMessageLength = 120;

/** Shows the whole form until the user sends it, declines, or leaves. */
export async function askForm(
  serverName: string,
  request: FormRequest,
  documents: TextDocuments,
  signal: AbortSignal,
): Promise<ElicitationAnswer> {
  const { fields, message } = request;
  const values: Values = new Map(Object.entries(elicitationDefaults(fields)));
  const title = vscode.l10n.t('MCP server "{0}" asks', serverName);
  for (;;) {
    const choices = formChoices(request, values);
    const options = {
      title,
      placeholder: message.replace(/\s+/g, ' '),
      // an Enter that was meant for something else must not send anything
      isActive: (index: number) => choices[index]?.value?.kind === 'field',
    };
    const step = await showChoices(choices, options, signal);
    switch (step?.kind) {
      case undefined:
        return { action: 'cancel' };
      case 'decline':
        return { action: 'decline' };
      case 'message':
        await documents.show(title, message);
        break;
      case 'field':
        await editField(step.field, values, title, signal);
        break;
      case 'send':
        if (await completeForm(fields, values, title, signal)) {
          return { action: 'accept', content: Object.fromEntries(values) };
        }
        break;
    }
  }
}

function formChoices({ fields, message }: FormRequest, values: Values): readonly Choice<Step>[] {
  const entries = fields.map((field): Choice<Step> => {
    const isMissing = checkElicitationValue(field, values.get(field.name)) !== undefined;
    return {
      label: `$(${isMissing ? 'circle-large-outline' : 'pass'}) ${fieldLabel(field)}`,
      description: fieldValueText(field, values.get(field.name)),
      ...(field.description ? { detail: field.description } : {}),
      value: { kind: 'field', field },
    };
  });
  const whole: Choice<Step> = {
    label: `$(file) ${vscode.l10n.t('Show the Whole Message')}`,
    value: { kind: 'message' },
  };
  // a long form scrolls: what ends it stays in sight above it
  return [
    { label: `$(check) ${vscode.l10n.t('Send Answer')}`, value: { kind: 'send' } },
    { label: `$(circle-slash) ${vscode.l10n.t('Decline')}`, value: { kind: 'decline' } },
    ...(message.length > shownMessageLength || /\n/.test(message.trim()) ? [whole] : []),
    { label: vscode.l10n.t('Form'), kind: vscode.QuickPickItemKind.Separator },
    ...entries,
  ];
}

/** Asks for what is missing or wrong. @returns false when the user left one of the questions. */
async function completeForm(
  fields: readonly ElicitationField[],
  values: Values,
  title: string,
  signal: AbortSignal,
): Promise<boolean> {
  const open = fields.filter(
    (field) => checkElicitationValue(field, values.get(field.name)) !== undefined,
  );
  for (const field of open) {
    if (!(await editField(field, values, title, signal))) {
      return false;
    }
  }
  return !signal.aborted;
}

/** @returns whether the field holds a valid value now. */
async function editField(
  field: ElicitationField,
  values: Values,
  title: string,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await askForField(field, values.get(field.name), title, signal);
  if (!answer) {
    return false;
  }
  if (answer.value === undefined) {
    values.delete(field.name);
  } else {
    values.set(field.name, answer.value);
  }
  return checkElicitationValue(field, answer.value) === undefined;
}

export function fieldLabel({ title, isRequired }: ElicitationField): string {
  return isRequired ? vscode.l10n.t('{0} (required)', title) : title;
}
