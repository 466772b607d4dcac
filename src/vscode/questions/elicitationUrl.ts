import * as vscode from 'vscode';
import { labelText } from '../../base/text/labelText.js';
import type {
  ElicitationAnswer,
  ElicitationRequest,
} from '../../mcp/connection/session/clientFeatures.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import { openPage } from '../openPage.js';
import type { Choice, QuestionScreen, ShowResult } from './questionScreen.js';

type UrlRequest = Extract<ElicitationRequest, { readonly kind: 'url' }>;
type Step = 'open' | 'decline' | 'copy' | 'whole';

/** Names the host and shows the whole address before anything opens. */
export async function askToOpen(
  serverName: string,
  { message, url }: UrlRequest,
  { documents, screen }: { readonly documents: TextDocuments; readonly screen: QuestionScreen },
  signal: AbortSignal,
): Promise<ShowResult<ElicitationAnswer>> {
  const { host } = new URL(url);
  const title = vscode.l10n.t('MCP server "{0}" asks you to open a page of {1}', serverName, host);
  const choices = urlChoices(host, message, url);
  for (;;) {
    const options = {
      title,
      placeholder: vscode.l10n.t('Nothing opens before you choose it.'),
      // an Enter that was meant for something else must not open anything
      isActive: (index: number) => choices[index]?.value === 'whole',
    };
    const shown = await screen.choose(choices, options, signal);
    if (shown.kind !== 'answered') {
      return shown;
    }
    switch (shown.value) {
      case 'open':
        return { kind: 'answered', value: { action: (await openPage(url)) ? 'accept' : 'cancel' } };
      case 'decline':
        return { kind: 'answered', value: { action: 'decline' } };
      case 'copy':
        await vscode.env.clipboard.writeText(url);
        break;
      case 'whole':
        await documents.show(title, `${message}\n\n${url}`);
        break;
    }
  }
}

function urlChoices(host: string, message: string, url: string): readonly Choice<Step>[] {
  return [
    {
      label: `$(link-external) ${vscode.l10n.t('Open {0}', host)}`,
      detail: url,
      value: 'open',
    },
    { label: `$(circle-slash) ${vscode.l10n.t('Decline')}`, value: 'decline' },
    { label: `$(copy) ${vscode.l10n.t('Copy Address')}`, value: 'copy' },
    { label: `$(file) ${vscode.l10n.t('Show the Whole Request')}`, value: 'whole' },
    { label: vscode.l10n.t('Message'), kind: vscode.QuickPickItemKind.Separator },
    { label: `$(comment) ${labelText(message)}` },
  ];
}
