/** Questions that are answered by one of a few buttons, while a page of ours shows them as cards. */
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { McpServerId } from '../../config/definition.js';

export interface ChoiceQuestion {
  readonly id: string;
  readonly server: McpServerId;
  readonly serverName: string;
  /** Our words. */
  readonly title: string;
  /** Our words, too: what follows from an answer. Default: nothing is to be said. */
  readonly note?: string;
  /** What others say and are called, apart from our words. */
  readonly rows: readonly QuestionRow[];
  /** As buttons say it. */
  readonly choices: readonly QuestionChoice[];
}

/** Who asks, and for whom. */
export type AboutServer = Pick<ChoiceQuestion, 'server' | 'serverName' | 'rows'>;

export interface QuestionRow {
  readonly label: string;
  /** May have several lines. */
  readonly text: string;
}

interface QuestionChoice {
  readonly label: string;
  /** Lets something happen: taken by a deliberate press only. */
  readonly isConsent: boolean;
}

/** Answers with its value, or does something and leaves the question where it is. */
export type Choice<T> = QuestionChoice &
  ({ readonly value: T } | { readonly act: () => void | Promise<void> });

interface Asked {
  readonly question: ChoiceQuestion;
  readonly choose: (choice: number) => void;
}

export class ChoiceQuestions implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  private readonly closed = new AbortController();
  private readonly asked = new Map</* question id */ string, Asked>();
  private count = 0;

  readonly onDidChange = this.changeEmitter.event;

  /** Oldest first. */
  get all(): readonly ChoiceQuestion[] {
    return [...this.asked.values()].map(({ question }) => question);
  }

  /** @returns what takes the question away. */
  show(question: Omit<ChoiceQuestion, 'id'>, choose: (choice: number) => void): Disposable {
    const id = String(++this.count);
    this.asked.set(id, { question: { ...question, id }, choose });
    this.changeEmitter.fire();
    return toDisposable(() => {
      this.asked.delete(id);
      this.changeEmitter.fire();
    });
  }

  /** Shows it until the user has answered. Never rejects. @returns `undefined`: the signal aborted, or the window closed */
  async ask<T>(
    about: Omit<ChoiceQuestion, 'id' | 'choices'>,
    choices: readonly Choice<T>[],
    signal: AbortSignal,
  ): Promise<T | undefined> {
    if (signal.aborted || this.closed.signal.aborted) {
      return undefined;
    }
    const labels = choices.map(({ label, isConsent }) => ({ label, isConsent }));
    return await new Promise<T | undefined>((resolve) => {
      const settle = (value: T | undefined) => {
        signal.removeEventListener('abort', leave);
        this.closed.signal.removeEventListener('abort', leave);
        shown.dispose();
        resolve(value);
      };
      const leave = () => settle(undefined);
      const shown = this.show({ ...about, choices: labels }, (index) => {
        const choice = choices[index];
        if (choice && 'act' in choice) {
          void choice.act();
        } else {
          settle(choice?.value);
        }
      });
      signal.addEventListener('abort', leave, { once: true });
      this.closed.signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Does nothing for a question that is gone, or has no such choice. */
  choose(id: string, choice: number): void {
    const asked = this.asked.get(id);
    if (asked && choice in asked.question.choices) {
      asked.choose(choice);
    }
  }

  dispose(): void {
    this.store.dispose();
    this.closed.abort();
    this.asked.clear();
  }
}
