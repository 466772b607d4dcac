import * as vscode from 'vscode';
import type { ExtensionUi } from '../../agent/pi/extensionUi.js';
import { showError, showInformation, showWarning } from '../notifications.js';

/** What Pi extensions of the user ask and say, as questions and messages of the editor. */
export const extensionUi: ExtensionUi = {
  select: (title, choices, signal) =>
    withToken(signal, (token) =>
      vscode.window.showQuickPick([...choices], { title: titleOf(title) }, token),
    ),
  confirm: async (title, message, signal) => {
    const yes = vscode.l10n.t('Yes');
    const items = [yes, vscode.l10n.t('No')];
    const options = { title: titleOf(title), placeHolder: message };
    const picked = await withToken(signal, (token) =>
      vscode.window.showQuickPick(items, options, token),
    );
    return picked === yes;
  },
  input: (title, placeHolder, signal) =>
    withToken(signal, (token) =>
      vscode.window.showInputBox({ title: titleOf(title), placeHolder }, token),
    ),
  notify: (message, kind) => {
    const show = { info: showInformation, warning: showWarning, error: showError }[kind];
    void show(titleOf(message));
  },
};

function titleOf(text: string): string {
  return vscode.l10n.t('Pi extension: {0}', text);
}

async function withToken<T>(
  signal: AbortSignal,
  work: (token: vscode.CancellationToken) => Thenable<T>,
): Promise<T> {
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await work(source.token);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}
