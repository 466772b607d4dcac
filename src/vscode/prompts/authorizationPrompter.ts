import { randomUUID } from 'node:crypto';
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
import { openPage } from '../openPage.js';
import type { CommandHandlers } from '../registerCommand.js';

/** Characters of what a server asks for; the editor cuts long messages off, and their links with them. */
const maxShownLength = 300;

/** @returns a link in a notification. */
type MakeLink = (text: string, command: CommandId, follow: () => void) => string;

/** Takes the user to authorization servers in the browser. No page opens without a click of the user. */
export class AuthorizationPrompter {
  /** What the links of open notifications do. */
  private readonly links = new Map</* what nobody else knows */ string, () => void>();

  get commands(): CommandHandlers {
    const follow = (argument: unknown) => this.links.get(String(argument))?.();
    return {
      [commandIds.agreeToSignIn]: follow,
      [commandIds.pasteSignInAddress]: follow,
      [commandIds.signInOnAnotherDevice]: follow,
    };
  }

  promptFor(launch: ResolvedHttpLaunch): AuthorizationPrompt {
    return new LoopbackPrompt({
      confirm: (request, signal) => this.confirmVisit(request, signal),
      openUrl: async (url) => {
        await openPage(url.href);
      },
      externalUrl: async (localUrl) =>
        (await vscode.env.asExternalUri(vscode.Uri.parse(localUrl, true))).toString(true),
      askForRedirect: (request, signal) => this.waitForReturn(request, signal),
      showCode: (code, request, signal) => this.showCode(code, request, signal),
      fixedRedirectUrl: launch.oauth?.redirectUrl,
    });
  }

  /**
   * The command *Sign In* was the user's click; what a running session asks for is not. That question goes when nobody
   * waits for its answer any more, which VS Code's own with buttons would not.
   */
  private async confirmVisit(request: AuthorizationRequest, signal: AbortSignal): Promise<boolean> {
    if (request.kind === 'sign_in') {
      return true;
    }
    const agreed = new AbortController();
    const agree = () => agreed.abort();
    const createTitle = (link: MakeLink) =>
      question(request, link(vscode.l10n.t('Sign In'), commandIds.agreeToSignIn, agree));
    await this.notify(createTitle, AbortSignal.any([signal, agreed.signal]));
    return agreed.signal.aborted;
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
    return new Promise((resolve, reject) => {
      const paste = () => {
        askForAddress(serverName, signal).then((address) => {
          if (address !== undefined) {
            resolve(address);
          }
        }, reject);
      };
      const createTitle = (link: MakeLink) => {
        const sentence = vscode.l10n.t(
          'Sign in to MCP server "{0}" in your browser. Does it end on a page that cannot be opened? {1}',
          literal(serverName),
          link(vscode.l10n.t('Paste Its Address…'), commandIds.pasteSignInAddress, paste),
        );
        const leave = () => resolve(onAnotherDevice);
        const elsewhere = vscode.l10n.t('Sign In on Another Device');
        return offersDevice
          ? `${sentence} ${link(elsewhere, commandIds.signInOnAnotherDevice, leave)}`
          : sentence;
      };
      this.notify(createTitle, signal).then(() => {
        if (!signal.aborted) {
          resolve(undefined);
        }
      }, reject);
    });
  }

  private showCode(
    { userCode, address, completeAddress }: DeviceCode,
    { serverName }: AuthorizationRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const title = vscode.l10n.t(
      'Sign in to MCP server "{0}": open {1} on any device and enter the code {2}',
      literal(serverName),
      `[${literal(address.href)}](${(completeAddress ?? address).href})`,
      literal(userCode),
    );
    return this.notify(() => title, signal);
  }

  /** In one notification with links, until the signal aborts or the user cancels. */
  private async notify(
    createTitle: (link: MakeLink) => string,
    signal: AbortSignal,
  ): Promise<void> {
    const made: string[] = [];
    const title = createTitle((text, command, follow) => {
      const key = randomUUID();
      made.push(key);
      this.links.set(key, follow);
      return `[${text}](command:${command}?${encodeURIComponent(JSON.stringify(key))})`;
    });
    const options = {
      location: vscode.ProgressLocation.Notification,
      title,
      cancellable: true,
    };
    try {
      await vscode.window.withProgress(options, async (_progress, token) => {
        const cancelled = new Promise<void>((done) => token.onCancellationRequested(() => done()));
        await Promise.race([whenAborted(signal), cancelled]);
      });
    } finally {
      for (const key of made) {
        this.links.delete(key);
      }
    }
  }
}

function question({ kind, serverName, scopes }: AuthorizationRequest, signIn: string): string {
  const name = literal(serverName);
  return kind === 'expired'
    ? vscode.l10n.t('MCP server "{0}" no longer accepts your sign-in. {1}', name, signIn)
    : vscode.l10n.t(
        'MCP server "{0}" asks for more rights: {1}. {2}',
        name,
        literal(scopes.join(' ').slice(0, maxShownLength)),
        signIn,
      );
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
