import * as vscode from 'vscode';
import {
  checkElicitationValue,
  type ElicitationField,
  type ElicitationValue,
  elicitationDefaults,
} from '../../mcp/connection/reading/elicitationForm.js';
import type {
  ElicitationAnswer,
  ElicitationRequest,
} from '../../mcp/connection/session/clientFeatures.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import { askForField, fieldValueText } from './elicitationFields.js';
import type { Choice, QuestionScreen, ShowResult } from './questionScreen.js';

type FormRequest = Extract<ElicitationRequest, { readonly kind: 'form' }>;
type Step =
  | { readonly kind: 'field'; readonly field: ElicitationField }
  | { readonly kind: 'message' | 'send' | 'decline' };
/** `open`: the form goes on. */
type Outcome = 'valid' | 'open' | 'hidden';

/** A title bar shows less than a message may have. */
const shownMessageLength = 120;

/** One form of a server. What was filled in stays until it is shown again. */
export class ElicitationForm {
  private readonly values = new Map</* field name */ string, ElicitationValue>();
  private readonly title: string;

  constructor(
    serverName: string,
    private readonly request: FormRequest,
    private readonly parts: { readonly documents: TextDocuments; readonly screen: QuestionScreen },
  ) {
    this.title = vscode.l10n.t('MCP server "{0}" asks', serverName);
    for (const [name, value] of Object.entries(elicitationDefaults(request.fields))) {
      this.values.set(name, value);
    }
  }

  /** Shows the whole form until the user sends it, declines, or leaves. */
  async show(signal: AbortSignal): Promise<ShowResult<ElicitationAnswer>> {
    for (;;) {
      const step = await this.nextStep(signal);
      if (step.kind !== 'answered') {
        return step;
      }
      if (step.value.kind === 'decline') {
        return { kind: 'answered', value: { action: 'decline' } };
      }
      const outcome = await this.take(step.value, signal);
      if (outcome === 'valid' && step.value.kind === 'send') {
        const content = Object.fromEntries(this.values);
        return { kind: 'answered', value: { action: 'accept', content } };
      }
      if (outcome === 'hidden') {
        return { kind: 'hidden' };
      }
    }
  }

  private nextStep(signal: AbortSignal): Promise<ShowResult<Step>> {
    const choices = this.choices();
    const options = {
      title: this.title,
      placeholder: this.request.message.replace(/\s+/g, ' '),
      // an Enter that was meant for something else must not send anything
      isActive: (index: number) => choices[index]?.value?.kind === 'field',
    };
    return this.parts.screen.choose(choices, options, signal);
  }

  private async take(step: Step, signal: AbortSignal): Promise<Outcome> {
    switch (step.kind) {
      case 'message':
        await this.parts.documents.show(this.title, this.request.message);
        return 'open';
      case 'field':
        return this.edit(step.field, signal);
      default:
        return this.complete(signal);
    }
  }

  private choices(): readonly Choice<Step>[] {
    const { fields, message } = this.request;
    const entries = fields.map((field): Choice<Step> => {
      const isMissing = this.problemOf(field) !== undefined;
      return {
        label: `$(${isMissing ? 'circle-large-outline' : 'pass'}) ${fieldLabel(field)}`,
        description: fieldValueText(field, this.values.get(field.name)),
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

  /** Asks for what is missing or wrong. */
  private async complete(signal: AbortSignal): Promise<Outcome> {
    for (const field of this.request.fields.filter((one) => this.problemOf(one) !== undefined)) {
      const outcome = await this.edit(field, signal);
      if (outcome !== 'valid') {
        return outcome;
      }
    }
    return signal.aborted ? 'open' : 'valid';
  }

  private async edit(field: ElicitationField, signal: AbortSignal): Promise<Outcome> {
    const place = { screen: this.parts.screen, title: this.title };
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
