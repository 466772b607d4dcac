import * as vscode from 'vscode';
import { Limiter } from '../../base/async/sequencer.js';
import { DisposableStore } from '../../base/disposable.js';
import type { Event } from '../../base/event.js';
import type { McpServerDefinition, McpServerId } from '../../config/definition.js';
import type { LoggerProvider } from '../../config/ports.js';
import type { OpenQuestions } from '../../mcp/service/openQuestions.js';
import { showInformation } from '../notifications.js';
import type { HoldFocus } from '../webviews/pageFocus.js';
import { serverName } from '../workspace/serverName.js';
import type { ShowResult } from './questionScreen.js';

/** The pages of the agent, to whoever asks the user something on behalf of a server. */
export interface QuestionPages {
  /** The user sees a page that shows the questions of the server. */
  shows(server: McpServerId): boolean;
  readonly onDidChangeVisibility: Event<void>;
  readonly holdFocus: HoldFocus;
}

export interface Question<T> {
  readonly definition: McpServerDefinition;
  /** What the server says. */
  readonly text: string;
  /** Shows it once. */
  readonly show: (signal: AbortSignal) => Promise<ShowResult<T>>;
  /** Shows it on pages that are in sight, instead. @returns `undefined`: the signal aborted. Default: nothing can */
  readonly showOnPage?: (signal: AbortSignal) => Promise<T | undefined>;
}

/** Whoever asks: one question on the screen at a time. One that another input hides stays open, to be answered later. */
export class QuestionQueue {
  private readonly oneAtATime = new Limiter(1);

  constructor(
    private readonly parts: {
      readonly open: OpenQuestions;
      readonly logs: LoggerProvider;
      readonly pages: () => QuestionPages;
    },
  ) {}

  /** `undefined`: the user left, or never came back. */
  async put<T>(question: Question<T>, signal: AbortSignal): Promise<T | undefined> {
    const { open, logs } = this.parts;
    const { definition, text } = question;
    const about = { server: definition.id, serverName: serverName(definition), text };
    for (let round = 1; ; round++) {
      const result = await this.showOnce(question, signal);
      if (result.kind !== 'hidden') {
        return result.kind === 'answered' ? result.value : undefined;
      }
      const watch = new DisposableStore();
      const call = await open
        .wait(about, signal, ({ id }) => {
          if (round === 1) {
            const tell = () => remind(about.serverName, (answer) => open.call(id, answer));
            this.whenUnseen(definition.id, watch.add(new DisposableStore()), tell);
          }
          if (question.showOnPage) {
            this.whenSeen(definition.id, watch, () => open.call(id, 'show'));
          }
        })
        .finally(() => watch.dispose());
      if (call === 'leave') {
        logs.forServer(definition).log('info', 'A question to the user was left unanswered.');
        return undefined;
      }
    }
  }

  private async showOnce<T>(
    { definition, show, showOnPage }: Question<T>,
    signal: AbortSignal,
  ): Promise<ShowResult<T>> {
    const isOnPage = () => this.parts.pages().shows(definition.id);
    if (showOnPage && isOnPage()) {
      return await this.showWhile(isOnPage, showOnPage, signal);
    }
    return await this.oneAtATime.run(async () => {
      const goBack = this.parts.pages().holdFocus();
      const shown = await show(signal);
      if (shown.kind !== 'hidden') {
        await goBack();
      }
      return shown;
    }, signal);
  }

  /** A page does not stand in the way of other questions. */
  private async showWhile<T>(
    isOnPage: () => boolean,
    showOnPage: NonNullable<Question<T>['showOnPage']>,
    signal: AbortSignal,
  ): Promise<ShowResult<T>> {
    const gone = new AbortController();
    const watch = this.parts.pages().onDidChangeVisibility(() => isOnPage() || gone.abort());
    try {
      const value = await showOnPage(AbortSignal.any([signal, gone.signal]));
      return value === undefined
        ? { kind: signal.aborted ? 'left' : 'hidden' }
        : { kind: 'answered', value };
    } finally {
      watch.dispose();
    }
  }

  /** Calls now, or when a page that shows the questions of the server comes in sight. */
  private whenSeen(server: McpServerId, watch: DisposableStore, call: () => void): void {
    const pages = this.parts.pages();
    const look = () => pages.shows(server) && call();
    watch.add(pages.onDidChangeVisibility(look));
    look();
  }

  /** Calls once: now, or when no page in sight shows the questions of the server any more. */
  private whenUnseen(server: McpServerId, watch: DisposableStore, tell: () => void): void {
    const pages = this.parts.pages();
    const look = () => {
      if (!watch.isDisposed && !pages.shows(server)) {
        watch.dispose();
        tell();
      }
    };
    watch.add(pages.onDidChangeVisibility(look));
    look();
  }
}

function remind(name: string, call: (call: 'show' | 'leave') => boolean): void {
  const answer = vscode.l10n.t('Answer');
  const leave = vscode.l10n.t('Do Not Answer');
  const message = vscode.l10n.t('MCP server "{0}" still waits for your answer.', name);
  void showInformation(message, answer, leave).then((choice) => {
    if (choice !== undefined && !call(choice === answer ? 'show' : 'leave')) {
      void showInformation(
        vscode.l10n.t('The question of MCP server "{0}" is not open any more.', name),
      );
    }
  });
}
