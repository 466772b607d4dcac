import * as vscode from 'vscode';
import type { PiLoginInteraction } from '../../agent/pi/piModule.js';
import { CancellationError } from '../../base/async/cancellation.js';
import { openPage } from '../openPage.js';
import { cancelOnAbort } from '../workspace/cancelling.js';

type LoginPrompt = Parameters<PiLoginInteraction['prompt']>[0];
type LoginEvent = Parameters<PiLoginInteraction['notify']>[0];

export interface LoginInteractionOptions {
  readonly title: string;
  readonly signal: AbortSignal;
  readonly report: (message: string) => void;
}

/** The questions of a login as VS Code's own inputs, and its pages in the browser. */
export function createLoginInteraction(options: LoginInteractionOptions): PiLoginInteraction {
  return {
    signal: options.signal,
    prompt: (prompt) => ask(prompt, options),
    notify: (event) => void tell(event, options),
  };
}

/** @throws {CancellationError} when the user leaves. */
async function ask(prompt: LoginPrompt, options: LoginInteractionOptions): Promise<string> {
  const { token, dispose } = cancelOnAbort(options.signal, prompt.signal);
  try {
    const answer =
      prompt.type === 'select'
        ? await pickOne(prompt, options.title, token)
        : await vscode.window.showInputBox(
            {
              title: options.title,
              prompt: prompt.message,
              ignoreFocusOut: true,
              password: prompt.type === 'secret',
              placeHolder: prompt.placeholder,
            },
            token,
          );
    const text = answer?.trim();
    if (text === undefined || (text === '' && !mayBeBlank(prompt))) {
      throw new CancellationError();
    }
    return text;
  } finally {
    dispose();
  }
}

/** Only the words of the question say so, such as *GitHub Enterprise URL/domain (blank for github.com)*. */
function mayBeBlank({ type, message }: LoginPrompt): boolean {
  return type === 'text' && /\bblank\b/i.test(message);
}

async function pickOne(
  { message, options }: Extract<LoginPrompt, { type: 'select' }>,
  title: string,
  token: vscode.CancellationToken,
): Promise<string | undefined> {
  const items = options.map(({ id, label, description }) => ({
    label,
    description,
    id,
  }));
  const picked = await vscode.window.showQuickPick(
    items,
    { title, placeHolder: message, ignoreFocusOut: true },
    token,
  );
  return picked?.id;
}

async function tell(event: LoginEvent, { report }: LoginInteractionOptions): Promise<void> {
  switch (event.type) {
    case 'progress':
    case 'info':
      report(event.message);
      return;
    case 'auth_url':
      report(event.instructions ?? vscode.l10n.t('Log in in your browser.'));
      await openWebPage(event.url);
      return;
    case 'device_code':
      report(vscode.l10n.t('Enter the code {0} in your browser.', event.userCode));
      await vscode.env.clipboard.writeText(event.userCode);
      await openWebPage(event.verificationUri);
  }
}

/** Logins happen on the web or on a page of this machine. */
async function openWebPage(url: string): Promise<void> {
  const { protocol } = new URL(url);
  if (protocol === 'https:' || protocol === 'http:') {
    await openPage(url);
  }
}
