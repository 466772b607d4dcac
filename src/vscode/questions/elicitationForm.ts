import * as vscode from 'vscode';
import { elicitationDefaults } from '../../mcp/connection/reading/elicitationForm.js';
import type {
  ElicitationAnswer,
  ElicitationRequest,
} from '../../mcp/connection/session/clientFeatures.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import { FieldForm } from './fieldForm.js';
import type { QuestionScreen, ShowResult } from './questionScreen.js';

type FormRequest = Extract<ElicitationRequest, { readonly kind: 'form' }>;

/** One form of a server. What was filled in stays until it is shown again. */
export class ElicitationForm {
  private readonly form: FieldForm;

  constructor(
    serverName: string,
    { fields, message }: FormRequest,
    parts: { readonly documents: TextDocuments; readonly screen: QuestionScreen },
  ) {
    const { t } = vscode.l10n;
    this.form = new FieldForm({
      ...parts,
      title: vscode.l10n.t('MCP server "{0}" asks', serverName),
      message,
      fields,
      values: elicitationDefaults(fields),
      labels: {
        send: `$(check) ${t('Send Answer')}`,
        decline: `$(circle-slash) ${t('Decline')}`,
      },
    });
  }

  /** Shows the whole form until the user sends it, declines, or leaves. */
  async show(signal: AbortSignal): Promise<ShowResult<ElicitationAnswer>> {
    const shown = await this.form.show(signal);
    if (shown.kind !== 'answered') {
      return shown;
    }
    const { value: content } = shown;
    return {
      kind: 'answered',
      value: content ? { action: 'accept', content } : { action: 'decline' },
    };
  }
}
