import * as vscode from 'vscode';
import { DisposableStore, toDisposable } from '../../base/disposable.js';
import type { Event } from '../../base/event.js';
import type { McpServerDefinition, McpServerId } from '../../config/definition.js';
import type { LoggerProvider } from '../../config/ports.js';
import type { OpenQuestions } from '../../mcp/service/questions/openQuestions.js';
import { showInformation } from '../notifications.js';
import { serverName } from '../workspace/serverName.js';

/** Pages on which the user sees what a server asks. */
export interface QuestionPages {
  shows(server: McpServerId): boolean;
  readonly onDidChangeVisibility: Event<void>;
}

/** The page that shows every question, once the user comes to it. */
export interface QuestionCardPage extends QuestionPages {
  open(): void;
}

export interface About {
  readonly definition: McpServerDefinition;
  /** What the server says. */
  readonly text: string;
}

export interface Question<T> extends About {
  /** Shows its card. @returns `undefined`: the signal aborted, or the window closed */
  readonly show: (signal: AbortSignal) => Promise<T | undefined>;
}

/**
 * Whoever asks: the card is shown where the user looks already. Else the question waits, and a notification says so;
 * nothing takes the keyboard, and nothing comes up unless the user calls for it.
 */
export class QuestionQueue {
  constructor(
    private readonly parts: {
      readonly open: OpenQuestions;
      readonly logs: LoggerProvider;
      readonly pages: () => QuestionPages;
      readonly cardPage: QuestionCardPage;
    },
  ) {}

  /** `undefined`: the user left, or never came back. */
  async put<T>(question: Question<T>, signal: AbortSignal): Promise<T | undefined> {
    const { definition, show } = question;
    let isTold = false;
    while (!signal.aborted) {
      if (this.isSeen(definition.id)) {
        const left = new AbortController();
        const watch = this.watch(() => this.isSeen(definition.id) || left.abort());
        const either = AbortSignal.any([signal, left.signal]);
        const answer = await show(either).finally(() => watch.dispose());
        if (answer !== undefined || !left.signal.aborted) {
          return answer;
        }
      } else if (await this.wait(question, signal, { isTold, untilSeen: true })) {
        isTold = true;
        if (!this.isSeen(definition.id)) {
          this.parts.cardPage.open();
        }
      } else {
        return undefined;
      }
    }
    return undefined;
  }

  /** Resolves when the user comes to what has no card. False: they leave it. */
  invite(about: About, signal: AbortSignal): Promise<boolean> {
    return this.wait(about, signal, { isTold: false, untilSeen: false });
  }

  private isSeen(server: McpServerId): boolean {
    return this.parts.pages().shows(server) || this.parts.cardPage.shows(server);
  }

  private watch(look: () => void): DisposableStore {
    const store = new DisposableStore();
    store.add(this.parts.pages().onDidChangeVisibility(look));
    store.add(this.parts.cardPage.onDidChangeVisibility(look));
    return store;
  }

  private async wait(
    { definition, text }: About,
    signal: AbortSignal,
    { isTold, untilSeen }: { readonly isTold: boolean; readonly untilSeen: boolean },
  ): Promise<boolean> {
    const { open, logs } = this.parts;
    const name = serverName(definition);
    const watches = new DisposableStore();
    const call = await open
      .ask({ server: definition.id, serverName: name, text }, signal, ({ id }) => {
        let isDue = !isTold;
        const look = () => {
          const isSeen = this.isSeen(definition.id);
          if (isDue && !isSeen) {
            isDue = false;
            remind(name, (answer) => open.call(id, answer));
          } else if (untilSeen && isSeen) {
            open.call(id, 'show');
          }
        };
        const watch = this.watch(look);
        watches.add(toDisposable(() => watch.dispose()));
        look();
      })
      .finally(() => watches.dispose());
    if (call === 'leave') {
      logs.forServer(definition).log('info', 'A question to the user was left unanswered.');
    }
    return call === 'show';
  }
}

function remind(name: string, call: (call: 'show' | 'leave') => boolean): void {
  const answer = vscode.l10n.t('Answer');
  const leave = vscode.l10n.t('Do Not Answer');
  const message = vscode.l10n.t('An MCP server waits for your answer: {0}', name);
  void showInformation(message, answer, leave).then((choice) => {
    if (choice !== undefined && !call(choice === answer ? 'show' : 'leave')) {
      void showInformation(
        vscode.l10n.t('The question of this MCP server is not open any more: {0}', name),
      );
    }
  });
}
