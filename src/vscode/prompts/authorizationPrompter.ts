import * as vscode from 'vscode';
import { commandIds } from '../../contributions.js';
import type { ResolvedHttpLaunch } from '../../mcp/mcpTypes.js';
import type {
  AuthorizationPrompt,
  AuthorizationRequest,
} from '../../mcp/oauth/authorizationPrompt.js';
import { LoopbackPrompt } from '../../mcp/oauth/loopbackPrompt.js';
import type { CommandHandlers } from '../commands/registerCommand.js';
import { literal } from '../literal.js';
import { showWarning } from '../notifications.js';
import { openPage } from '../openPage.js';
import { whenAborted } from '../workspace/abortOnCancel.js';

/** Takes the user to authorization servers in the browser. No page opens without a click of the user. */
export class AuthorizationPrompter {
  private readonly pasting = new Map</* number of the visit */ string, () => void>();
  private visits = 0;

  get commands(): CommandHandlers {
    return {
      [commandIds.pasteSignInAddress]: (argument) => this.pasting.get(String(argument))?.(),
    };
  }

  promptFor(launch: ResolvedHttpLaunch): AuthorizationPrompt {
    return new LoopbackPrompt({
      confirm: confirmVisit,
      openUrl: async (url) => {
        await openPage(url.href);
      },
      externalUrl: async (localUrl) =>
        (await vscode.env.asExternalUri(vscode.Uri.parse(localUrl, true))).toString(true),
      askForRedirect: (request, signal) => this.waitForReturn(request, signal),
      fixedRedirectUrl: launch.oauth?.redirectUrl,
    });
  }

  /**
   * Shows that the browser is awaited. The user may paste the address of a page that could not be opened, which is how
   * a browser on another machine returns.
   * @returns `undefined` when the user gave up.
   */
  private waitForReturn(
    { serverName }: AuthorizationRequest,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const visit = String(++this.visits);
    const title = waitingTitle(serverName, visit);
    return new Promise((resolve, reject) => {
      const paste = () => {
        askForAddress(serverName, signal).then((address) => {
          if (address !== undefined) {
            resolve(address);
          }
        }, reject);
      };
      this.pasting.set(visit, paste);
      const options = {
        location: vscode.ProgressLocation.Notification,
        title,
        cancellable: true,
      };
      void vscode.window.withProgress(options, async (_progress, token) => {
        const cancelled = new Promise<void>((done) => token.onCancellationRequested(() => done()));
        token.onCancellationRequested(() => resolve(undefined));
        await Promise.race([whenAborted(signal), cancelled]);
        this.pasting.delete(visit);
      });
    });
  }
}

/** The way to paste is a link in the one notification, which goes when the visit is over. */
function waitingTitle(serverName: string, visit: string): string {
  const name = literal(serverName);
  const paste = vscode.l10n.t('Paste Its Address…');
  const link = `[${paste}](command:${commandIds.pasteSignInAddress}?${encodeURIComponent(JSON.stringify(visit))})`;
  return vscode.l10n.t(
    'Sign in to MCP server "{0}" in your browser. Does it end on a page that cannot be opened? {1}',
    name,
    link,
  );
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
  const choice = await showWarning(message, signIn);
  return choice === signIn;
}

/** `undefined` when the user pastes nothing. */
async function askForAddress(serverName: string, signal: AbortSignal): Promise<string | undefined> {
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
