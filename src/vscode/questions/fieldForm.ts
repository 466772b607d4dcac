import * as vscode from 'vscode';
import { labelText } from '../../base/text/labelText.js';
import {
  checkElicitationValue,
  type ElicitationContent,
  type ElicitationField,
  type ElicitationValue,
} from '../../mcp/connection/reading/elicitationForm.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import { askForField, fieldValueText } from './elicitationFields.js';
import type { Choice, QuestionScreen, ShowResult } from './questionScreen.js';

export interface FieldFormOptions {
  readonly title: string;
  /** Shown in one line, and whole on demand. */
  readonly message: string;
  readonly fields: readonly ElicitationField[];
  /** What the fields begin with. */
  readonly values: ElicitationContent;
  /** What ends the form, with icons. */
  readonly labels: { readonly send: string; readonly decline: string };
  readonly documents: TextDocuments;
  readonly screen: QuestionScreen;
}

/** `undefined`: declined. */
export type FieldFormAnswer = ElicitationContent | undefined;

type Step =
  | { readonly kind: 'field'; readonly field: ElicitationField }
  | { readonly kind: 'message' | 'send' | 'decline' };
/** `open`: the form goes on. */
type Outcome = 'valid' | 'open' | 'hidden';

/** A title bar shows less than a message may have. */
const shownMessageLength = 120;

/** A list of fields that the user fills in one by one. What was filled in stays until it is shown again. */
export class FieldForm {
  private readonly values: Map</* field name */ string, ElicitationValue>;

  constructor(private readonly options: FieldFormOptions) {
    this.values = new Map(Object.entries(options.values));
  }

  /** Shows the whole form until the user sends it, declines, or leaves. */
  async show(signal: AbortSignal): Promise<ShowResult<FieldFormAnswer>> {
    for (;;) {
      const step = await this.nextStep(signal);
      if (step.kind !== 'answered') {
        return step;
      }
      if (step.value.kind === 'decline') {
        return { kind: 'answered', value: undefined };
      }
      const outcome = await this.take(step.value, signal);
      if (outcome === 'valid' && step.value.kind === 'send') {
        return { kind: 'answered', value: Object.fromEntries(this.values) };
      }
      if (outcome === 'hidden') {
        return { kind: 'hidden' };
      }
    }
  }

  private nextStep(signal: AbortSignal): Promise<ShowResult<Step>> {
    const choices = this.choices();
    const options = {
      title: this.options.title,
      placeholder: this.options.message.replace(/\s+/g, ' '),
      // an Enter that was meant for something else must not send anything
      isActive: (index: number) => choices[index]?.value?.kind === 'field',
    };
    return this.options.screen.choose(choices, options, signal);
  }

  private async take(step: Step, signal: AbortSignal): Promise<Outcome> {
    switch (step.kind) {
      case 'message':
        await this.options.documents.show(this.options.title, this.options.message);
        return 'open';
      case 'field':
        return this.edit(step.field, signal);
      default:
        return this.complete(signal);
    }
  }

  private choices(): readonly Choice<Step>[] {
    const { fields, message, labels } = this.options;
    const entries = fields.map((field): Choice<Step> => {
      const isMissing = this.problemOf(field) !== undefined;
      return {
        label: `$(${isMissing ? 'circle-large-outline' : 'pass'}) ${labelText(fieldLabel(field))}`,
        description: labelText(fieldValueText(field, this.values.get(field.name))),
        ...(field.description ? { detail: labelText(field.description) } : {}),
        value: { kind: 'field', field },
      };
    });
    const whole: Choice<Step> = {
      label: `$(file) ${vscode.l10n.t('Show the Whole Message')}`,
      value: { kind: 'message' },
    };
    // a long form scrolls: what ends it stays in sight above it
    return [
      { label: labels.send, value: { kind: 'send' } },
      { label: labels.decline, value: { kind: 'decline' } },
      ...(message.length > shownMessageLength || /\n/.test(message.trim()) ? [whole] : []),
      { label: vscode.l10n.t('Form'), kind: vscode.QuickPickItemKind.Separator },
      ...entries,
    ];
  }

  /** Asks for what is missing or wrong. */
  private async complete(signal: AbortSignal): Promise<Outcome> {
    for (const field of this.options.fields.filter((one) => this.problemOf(one) !== undefined)) {
      const outcome = await this.edit(field, signal);
      if (outcome !== 'valid') {
        return outcome;
      }
    }
    return signal.aborted ? 'open' : 'valid';
  }

  private async edit(field: ElicitationField, signal: AbortSignal): Promise<Outcome> {
    const place = { screen: this.options.screen, title: this.options.title };
    const shown = await askForField(field, this.values.get(field.name), place, signal);
    if (shown.kind !== 'answered') {
      return shown.kind === 'hidden' ? 'hidden' : 'open';
    }
    if (shown.value.value === undefined) {
      this.values.delete(field.name);
    } else {
      this.values.set(field.name, shown.value.value);
    }
    return this.problemOf(field) === undefined ? 'valid' : 'open';
  }

  private problemOf(field: ElicitationField): string | undefined {
    return checkElicitationValue(field, this.values.get(field.name));
  }
}

function fieldLabel({ title, isRequired }: ElicitationField): string {
  return isRequired ? vscode.l10n.t('{0} (required)', title) : title;
}
