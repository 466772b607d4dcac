import * as vscode from 'vscode';
import { whenAborted } from '../../base/async/cancellation.js';
import type { ResolvedHttpLaunch } from '../../config/definition.js';
import { type CommandId, commandIds } from '../../contributions.js';
import type {
  AuthorizationPrompt,
  AuthorizationRequest,
  DeviceCode,
} from '../../mcp/oauth/authorizationPrompt.js';
import { LoopbackPrompt, onAnotherDevice } from '../../mcp/oauth/loopbackPrompt.js';
import { literal } from '../../presentation/literal.js';
import { showWarning } from '../notifications.js';
import { openPage } from '../openPage.js';
import type { CommandHandlers } from '../registerCommand.js';

/** Takes the user to authorization servers in the browser. No page opens without a click of the user. */
export class AuthorizationPrompter {
  private readonly pasting = new Map</* number of the visit */ string, () => void>();
  private readonly leaving = new Map</* number of the visit */ string, () => void>();
  private visits = 0;

  get commands(): CommandHandlers {
    return {
      [commandIds.pasteSignInAddress]: (argument) => this.pasting.get(String(argument))?.(),
      [commandIds.signInOnAnotherDevice]: (argument) => this.leaving.get(String(argument))?.(),
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
      showCode,
      fixedRedirectUrl: launch.oauth?.redirectUrl,
    });
  }

  /**
   * Shows that the browser is awaited. The user may paste the address of a page that could not be opened, which is how
   * a browser on another machine returns, or go on there.
   * @returns `undefined` when the user gave up.
   */
  private waitForReturn(
    { serverName, offersDevice }: AuthorizationRequest,
    signal: AbortSignal,
  ): Promise<string | typeof onAnotherDevice | undefined> {
    const visit = String(++this.visits);
    const title = waitingTitle(serverName, visit, offersDevice);
    return new Promise((resolve, reject) => {
      const paste = () => {
        askForAddress(serverName, signal).then((address) => {
          if (address !== undefined) {
            resolve(address);
          }
        }, reject);
      };
      this.pasting.set(visit, paste);
      this.leaving.set(visit, () => resolve(onAnotherDevice));
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
        this.leaving.delete(visit);
      });
    });
  }
}

/** The other ways are links in the one notification, which goes when the visit is over. */
function waitingTitle(serverName: string, visit: string, offersDevice: boolean): string {
  const name = literal(serverName);
  const link = (text: string, command: CommandId) =>
    `[${text}](command:${command}?${encodeURIComponent(JSON.stringify(visit))})`;
  const sentence = vscode.l10n.t(
    'Sign in to MCP server "{0}" in your browser. Does it end on a page that cannot be opened? {1}',
    name,
    link(vscode.l10n.t('Paste Its Address…'), commandIds.pasteSignInAddress),
  );
  return offersDevice
    ? `${sentence} ${link(vscode.l10n.t('Sign In on Another Device'), commandIds.signInOnAnotherDevice)}`
    : sentence;
}

/** In one notification, until the signal aborts or the user cancels. */
async function showCode(
  { userCode, address, completeAddress }: DeviceCode,
  { serverName }: AuthorizationRequest,
  signal: AbortSignal,
): Promise<void> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t(
      'Sign in to MCP server "{0}": open {1} on any device and enter the code {2}',
      literal(serverName),
      `[${literal(address.href)}](${(completeAddress ?? address).href})`,
      literal(userCode),
    ),
    cancellable: true,
  };
  await vscode.window.withProgress(options, async (_progress, token) => {
    const cancelled = new Promise<void>((done) => token.onCancellationRequested(() => done()));
    await Promise.race([whenAborted(signal), cancelled]);
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
