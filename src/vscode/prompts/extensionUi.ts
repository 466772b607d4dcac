import * as vscode from 'vscode';
import type { ExtensionUi } from '../../agent/pi/extensionUi.js';
import { whenAborted } from '../../base/async/cancellation.js';
import { showText } from '../../base/text/showText.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import { showError, showInformation, showWarning } from '../notifications.js';
import { withToken } from '../workspace/cancelling.js';

/** What Pi extensions of the user ask and say, as questions and messages of the editor. */
export const extensionUi: ExtensionUi = {
  select: async (title, choices, signal) =>
    (await invite(title, signal)) &&
    (await withToken(signal, (token) =>
      vscode.window.showQuickPick([...choices], { title: titleOf(title) }, token),
    )),
  confirm: async (title, message, signal) => {
    const yes = vscode.l10n.t('Yes');
    const text = [titleOf(title), message].filter((part) => part !== '').join(' ');
    return (await notice(text, signal, yes, vscode.l10n.t('No'))) === yes;
  },
  input: async (title, placeHolder, signal) =>
    (await invite(title, signal)) &&
    (await withToken(signal, (token) =>
      vscode.window.showInputBox({ title: titleOf(title), placeHolder }, token),
    )),
  notify: (message, kind) => {
    const show = { info: showInformation, warning: showWarning, error: showError }[kind];
    void show(titleOf(message));
  },
};

/** A list or a box takes the keyboard, so that it comes when the user calls for it. `undefined`: they do not. */
async function invite(title: string, signal: AbortSignal): Promise<true | undefined> {
  const answer = vscode.l10n.t('Answer');
  return (await notice(titleOf(title), signal, answer)) === answer || undefined;
}

/** `undefined`: closed, or nobody waits any more. */
async function notice(
  text: string,
  signal: AbortSignal,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const choice = await Promise.race([
    showInformation(text, ...buttons),
    whenAborted(signal).then(() => undefined),
  ]);
  return signal.aborted ? undefined : choice;
}

function titleOf(text: string): string {
  return vscode.l10n.t('Pi extension: {0}', text);
}

/**
 * Shows Pi extensions of a folder, whole, and asks whether they may run. Enter and Escape grant nothing.
 * @returns false when the user does not agree
 */
export async function reviewExtensions(
  documents: TextDocuments,
  files: readonly { readonly path: string; readonly text: string }[],
): Promise<boolean> {
  const run = vscode.l10n.t('Run These Files');
  const read = vscode.l10n.t('Read Them First');
  const names = files.map(({ path }) => showText(path)).join('\n');
  const choice = await showWarning(
    vscode.l10n.t(
      'Do you want {0} files of this folder to run inside of the editor?',
      files.length,
    ),
    {
      modal: true,
      detail: [
        names,
        vscode.l10n.t(
          'They are Pi extensions. They run with your rights, see every conversation of this folder, and can do what you can. When one of them changes, you are asked again.',
        ),
      ].join('\n\n'),
    },
    { title: read },
    { title: run },
    { title: vscode.l10n.t('Not Now'), isCloseAffordance: true },
  );
  if (choice?.title === read) {
    const all = files.map(({ path, text }) => `// ${showText(path)}\n\n${text}`).join('\n\n');
    await documents.show(vscode.l10n.t('Pi Extensions to Review'), all, 'ts');
  }
  return choice?.title === run;
}
