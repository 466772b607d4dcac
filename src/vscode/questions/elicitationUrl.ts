import * as vscode from 'vscode';
import type { ElicitationAnswer } from '../../mcp/connection/session/clientFeatures.js';
import type { AboutServer, ChoiceQuestions } from '../../mcp/service/questions/choiceQuestions.js';
import { openPage } from '../openPage.js';

export interface AskedPage {
  readonly title: string;
  readonly url: string;
  /** Of who asks. Default: they say nothing. */
  readonly message?: string;
}

/** Names the host and shows the whole address before anything opens. */
export async function askToOpen(
  choices: ChoiceQuestions,
  about: AboutServer,
  { title, message, url }: AskedPage,
  signal: AbortSignal,
): Promise<ElicitationAnswer | undefined> {
  const { host } = new URL(url);
  const isWanted = await choices.ask<boolean>(
    {
      ...about,
      title,
      note: vscode.l10n.t('Nothing opens before you choose it.'),
      rows: [
        ...about.rows,
        { label: vscode.l10n.t('Host'), text: host },
        { label: vscode.l10n.t('Address'), text: url },
        ...(message === undefined ? [] : [{ label: vscode.l10n.t('Message'), text: message }]),
      ],
    },
    [
      { label: vscode.l10n.t('Open Page'), isConsent: true, value: true },
      { label: vscode.l10n.t('Decline'), isConsent: false, value: false },
      {
        label: vscode.l10n.t('Copy'),
        isConsent: false,
        act: async () => {
          await vscode.env.clipboard.writeText(url);
        },
      },
    ],
    signal,
  );
  if (isWanted === undefined) {
    return undefined;
  }
  return { action: !isWanted ? 'decline' : (await openPage(url)) ? 'accept' : 'cancel' };
}
