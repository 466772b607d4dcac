/** Plans that wait, as documents in which the user changes them. */
import * as vscode from 'vscode';
import { planMarkdown } from '../../agent/builtIn/planTool.js';
import { HumanError } from '../../base/errors.js';
import type { ApprovalView, PlanView } from '../../protocol/tools/approvals.js';
import { openAsDocument } from './codeTarget.js';

/** Characters; the tool takes a little more. */
const maxText = 19_000;

export class PlanDocuments {
  private readonly opened = new Map</* approval id */ string, vscode.TextDocument>();

  /** Of the conversation that the page shows. */
  constructor(private readonly approvals: () => readonly ApprovalView[]) {}

  /** @throws {HumanError} when it does not wait any more */
  async open(approvalId: string): Promise<void> {
    const plan = this.planOf(approvalId);
    if (!plan) {
      throw new HumanError('plan_gone', vscode.l10n.t('This is not there any more.'), {
        remedy: vscode.l10n.t('Ask for a plan again.'),
      });
    }
    const before = this.opened.get(approvalId);
    if (before && !before.isClosed) {
      await vscode.window.showTextDocument(before);
      return;
    }
    this.opened.set(approvalId, await openAsDocument(documentOf(plan), 'markdown'));
  }

  /**
   * The call's arguments with the text as the user changed it, as JSON; `undefined`: unchanged, or not open.
   * @throws {HumanError} when the model would not get it whole
   */
  changedArguments(approvalId: string): string | undefined {
    const plan = this.planOf(approvalId);
    const document = this.opened.get(approvalId);
    const text = document?.isClosed === false ? document.getText() : undefined;
    if (!plan || text === undefined || text === documentOf(plan)) {
      return undefined;
    }
    if (text.length > maxText) {
      throw new HumanError(
        'invalid_arguments',
        vscode.l10n.t('{0} has more than {1} characters.', vscode.l10n.t('Plan'), maxText),
      );
    }
    const { title, steps } = plan;
    return JSON.stringify({ title, steps, markdown: `As the user changed it:\n\n${text}` });
  }

  private planOf(approvalId: string): PlanView | undefined {
    return this.approvals().find(({ id }) => id === approvalId)?.plan;
  }
}

function documentOf(plan: PlanView): string {
  return `${planMarkdown(plan)}\n`;
}
