import * as vscode from 'vscode';
import type { ResolvedHttpLaunch } from '../../mcp/mcpTypes.js';
import type {
  AuthorizationPrompt,
  AuthorizationRequest,
} from '../../mcp/oauth/authorizationPrompt.js';
import { LoopbackPrompt } from '../../mcp/oauth/loopbackPrompt.js';
import { openPage } from '../openPage.js';
import { whenAborted } from '../workspace/abortOnCancel.js';

/** Takes the user to authorization servers in the browser. No page opens without a click of the user. */
export function createAuthorizationPrompt(launch: ResolvedHttpLaunch): AuthorizationPrompt {
  return new LoopbackPrompt({
    confirm: confirmVisit,
    openUrl: async (url) => {
      await openPage(url.href);
    },
    externalUrl: async (localUrl) =>
      (await vscode.env.asExternalUri(vscode.Uri.parse(localUrl, true))).toString(true),
    askForRedirect: waitForReturn,
    fixedRedirectUrl: launch.oauth?.redirectUrl,
  });
}

/** The command *Sign In* was the user's click; what a running session asks for is not. */
async function confirmVisit(request: AuthorizationRequest): Promise<boolean> {
  if (request.kind === 'sign_in') {
    return true;
  }
  const { serverName } = request;
  const scopes = request.scopes.join(' ');
  const signIn = vscode.l10n.t('Sign In');
  const message =
    request.kind === 'expired'
      ? vscode.l10n.t('MCP server "{0}" no longer accepts your sign-in.', serverName)
      : vscode.l10n.t('MCP server "{0}" asks for more rights: {1}', serverName, scopes);
  const choice = await vscode.window.showWarningMessage(message, signIn);
  return choice === signIn;
}

/**
 * Shows that the browser is awaited. The user may paste the address of a page that could not be opened, which is how
 * a browser on another machine returns.
 * @returns `undefined` when the user gave up.
 */
function waitForReturn(
  { serverName }: AuthorizationRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    void vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Sign in to MCP server "{0}" in your browser', serverName),
        cancellable: true,
      },
      async (_progress, token) => {
        token.onCancellationRequested(() => resolve(undefined));
        const answered = askForAddress(serverName, signal).then((address) => {
          if (address !== undefined) {
            resolve(address);
          }
        }, reject);
        const cancelled = new Promise<void>((done) => token.onCancellationRequested(() => done()));
        await Promise.race([
          whenAborted(signal),
          cancelled,
          answered.then(() => whenAborted(signal)),
        ]);
      },
    );
  });
}

/** `undefined` when the user pastes nothing. */
async function askForAddress(serverName: string, signal: AbortSignal): Promise<string | undefined> {
  const paste = vscode.l10n.t('Paste Address…');
  const choice = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'If the browser cannot open the page that it is sent to after you signed in to "{0}", paste the address of that page here.',
      serverName,
    ),
    paste,
  );
  if (choice !== paste || signal.aborted) {
    return undefined;
  }
  const cancellation = new vscode.CancellationTokenSource();
  signal.addEventListener('abort', () => cancellation.cancel(), { once: true });
  try {
    return await vscode.window.showInputBox(
      {
        title: vscode.l10n.t('Sign In to MCP Server "{0}"', serverName),
        prompt: vscode.l10n.t('Address of the page that the browser could not open'),
        ignoreFocusOut: true,
        validateInput: (text) =>
          URL.canParse(text.trim()) ? undefined : vscode.l10n.t('Paste the whole address.'),
      },
      cancellation.token,
    );
  } finally {
    cancellation.dispose();
  }
}
