import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { whenAborted } from '../../base/async/cancellation.js';
import { nameToken } from '../../base/text/nameToken.js';
import type { McpServerId, ResolvedHttpLaunch } from '../../config/definition.js';
import { type CommandId, commandIds } from '../../contributions.js';
import type {
  AuthorizationPrompt,
  AuthorizationRequest,
  DeviceCode,
} from '../../mcp/oauth/authorizationPrompt.js';
import { LoopbackPrompt, onAnotherDevice } from '../../mcp/oauth/loopbackPrompt.js';
import type { Choice, ChoiceQuestions } from '../../mcp/service/questions/choiceQuestions.js';
import { literal } from '../../presentation/literal.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { openPage } from '../openPage.js';
import type { QuestionPages } from '../questions/questionQueue.js';
import { withToken } from '../workspace/cancelling.js';

/** Characters of what a server asks for; the editor cuts long messages off, and their links with them. */
const maxShownLength = 300;

interface Asked extends AuthorizationRequest {
  readonly server: McpServerId;
}

/** How a question is written where it is shown. */
interface Writing {
  /** What a server or the user named something. */
  readonly name: (text: string) => string;
  /** What the user may do. */
  readonly link: (text: string, command: CommandId, follow: () => void) => string;
  readonly page: (address: URL, shown: string) => string;
}

/** @returns the whole text. */
type Write = (writing: Writing) => string;

export interface AuthorizationPrompterParts {
  /** Where pages of the agent show questions. */
  readonly questions: ChoiceQuestions;
  readonly pages: () => Pick<QuestionPages, 'shows' | 'onDidChangeVisibility'>;
}

/** Takes the user to authorization servers in the browser. No page opens without a click of the user. */
export class AuthorizationPrompter {
  /** What the links of open notifications do. */
  private readonly links = new Map</* what nobody else knows */ string, () => void>();

  constructor(private readonly parts: AuthorizationPrompterParts) {}

  get commands(): CommandHandlers {
    const follow = (argument: unknown) => this.links.get(String(argument))?.();
    return {
      [commandIds.agreeToSignIn]: follow,
      [commandIds.pasteSignInAddress]: follow,
      [commandIds.signInOnAnotherDevice]: follow,
    };
  }

  promptFor(launch: ResolvedHttpLaunch, server: McpServerId): AuthorizationPrompt {
    return new LoopbackPrompt({
      confirm: (request, signal) => this.confirmVisit({ ...request, server }, signal),
      openUrl: async (url) => {
        await openPage(url.href);
      },
      externalUrl: async (localUrl) =>
        (await vscode.env.asExternalUri(vscode.Uri.parse(localUrl, true))).toString(true),
      askForRedirect: (request, signal) => this.waitForReturn({ ...request, server }, signal),
      showCode: (code, request, signal) => this.showCode(code, { ...request, server }, signal),
      fixedRedirectUrl: launch.oauth?.redirectUrl,
    });
  }

  /**
   * The command *Sign In* was the user's click; what a running session asks for is not. That question goes when nobody
   * waits for its answer any more, which VS Code's own with buttons would not.
   */
  private async confirmVisit(request: Asked, signal: AbortSignal): Promise<boolean> {
    if (request.kind === 'sign_in') {
      return true;
    }
    const agreed = new AbortController();
    const agree = () => agreed.abort();
    const write = (writing: Writing) => question(request, writing, agree);
    await this.ask(request, write, AbortSignal.any([signal, agreed.signal]));
    return agreed.signal.aborted;
  }

  /**
   * Shows that the browser is awaited. The user may paste the address of a page that could not be opened, which is how
   * a browser on another machine returns, or go on there.
   * @returns `undefined` when the user gave up.
   */
  private waitForReturn(
    request: Asked,
    signal: AbortSignal,
  ): Promise<string | typeof onAnotherDevice | undefined> {
    const { serverName, offersDevice } = request;
    return new Promise((resolve, reject) => {
      const paste = () => {
        askForAddress(serverName, signal).then((address) => {
          if (address !== undefined) {
            resolve(address);
          }
        }, reject);
      };
      const write = ({ name, link }: Writing) => {
        const sentence = vscode.l10n.t(
          'Sign in to an MCP server in your browser. Does it end on a page that cannot be opened? {0} The server: {1}',
          link(vscode.l10n.t('Paste Its Address…'), commandIds.pasteSignInAddress, paste),
          name(serverName),
        );
        const leave = () => resolve(onAnotherDevice);
        const elsewhere = vscode.l10n.t('Sign In on Another Device');
        return offersDevice
          ? `${sentence} ${link(elsewhere, commandIds.signInOnAnotherDevice, leave)}`
          : sentence;
      };
      this.ask(request, write, signal).then(() => {
        if (!signal.aborted) {
          resolve(undefined);
        }
      }, reject);
    });
  }

  private showCode(
    { userCode, address, completeAddress }: DeviceCode,
    request: Asked,
    signal: AbortSignal,
  ): Promise<void> {
    const write = ({ name, page }: Writing) =>
      vscode.l10n.t(
        'Sign in to an MCP server: open {0} on any device and enter the code {1}. The server: {2}',
        page(completeAddress ?? address, address.href),
        name(userCode),
        name(request.serverName),
      );
    return this.ask(request, write, signal);
  }

  /**
   * Until the signal aborts or the user cancels. What a conversation in sight waits for is asked there, everything else
   * in a notification, which would lie over the input.
   */
  private async ask(request: Asked, write: Write, signal: AbortSignal): Promise<void> {
    const pages = this.parts.pages();
    const isSeen = () => request.kind !== 'sign_in' && pages.shows(request.server);
    for (let isAsked = false; !isAsked; ) {
      const isOnPage = isSeen();
      const moved = new AbortController();
      const following = pages.onDidChangeVisibility(() => isSeen() !== isOnPage && moved.abort());
      const shown = AbortSignal.any([signal, moved.signal]);
      try {
        await (isOnPage ? this.askOnPage(request, write, shown) : this.notify(write, shown));
      } finally {
        following.dispose();
      }
      isAsked = signal.aborted || !moved.signal.aborted;
    }
  }

  private async askOnPage(request: Asked, write: Write, signal: AbortSignal): Promise<void> {
    const choices: Choice<void>[] = [];
    const text = write({
      name: nameToken,
      link: (label, _command, act) => {
        choices.push({ label, isConsent: true, act });
        return '';
      },
      page: (address, shown) => {
        const act = () => void openPage(address.href);
        choices.push({ label: vscode.l10n.t('Open Page'), isConsent: true, act });
        return shown;
      },
    });
    choices.push({ label: vscode.l10n.t('Cancel'), isConsent: false, value: undefined });
    const { server, serverName } = request;
    const about = { server, serverName, title: text.trim(), rows: [] };
    await this.parts.questions.ask(about, choices, signal);
  }

  /** In one notification with links, until the signal aborts or the user cancels. */
  private async notify(write: Write, signal: AbortSignal): Promise<void> {
    const made: string[] = [];
    const title = write({
      name: (text) => literal(nameToken(text)),
      link: (text, command, follow) => {
        const key = randomUUID();
        made.push(key);
        this.links.set(key, follow);
        return `[${text}](command:${command}?${encodeURIComponent(JSON.stringify(key))})`;
      },
      page: (address, shown) => `[${literal(shown)}](${address.href})`,
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

function question(
  { kind, serverName, scopes }: Asked,
  { name, link }: Writing,
  agree: () => void,
): string {
  const signIn = link(vscode.l10n.t('Sign In'), commandIds.agreeToSignIn, agree);
  return kind === 'expired'
    ? vscode.l10n.t(
        'An MCP server no longer accepts your sign-in. {0} The server: {1}',
        signIn,
        name(serverName),
      )
    : vscode.l10n.t(
        'An MCP server asks for more rights: “{0}”. {1} The server: {2}',
        name(scopes.join(' ').slice(0, maxShownLength)),
        signIn,
        name(serverName),
      );
}

/** `undefined` when the user pastes nothing. */
function askForAddress(serverName: string, signal: AbortSignal): Promise<string | undefined> {
  const prompt = vscode.l10n.t('Address of the page that the browser could not open');
  const options = {
    title: vscode.l10n.t('{0}: {1}', vscode.l10n.t('Sign In'), nameToken(serverName)),
    prompt,
    ignoreFocusOut: true,
    validateInput: (text: string) => (URL.canParse(text.trim()) ? undefined : prompt),
  };
  return withToken(signal, (token) => vscode.window.showInputBox(options, token));
}
