/** Questions that are answered by one of a few buttons, while a page of ours shows them as cards. */
import type { McpServerId } from '../../../config/definition.js';
import { WaitingQuestions } from './waitingQuestions.js';

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
  readonly choices: readonly Choice<unknown>[];
}

/** Who asks, and for whom. */
export type AboutServer = Pick<ChoiceQuestion, 'server' | 'serverName' | 'rows'>;

export interface QuestionRow {
  readonly label: string;
  /** May have several lines. */
  readonly text: string;
}

/** Answers with its value, or does something and leaves the question where it is. */
export type Choice<T> = {
  /** As its button says it. */
  readonly label: string;
  /** Lets something happen: taken by a deliberate press only. */
  readonly isConsent: boolean;
} & ({ readonly value: T } | { readonly act: () => void | Promise<void> });

export class ChoiceQuestions extends WaitingQuestions<ChoiceQuestion, { readonly value: unknown }> {
  /** Shows it until the user has answered. Never rejects. @returns `undefined`: the signal aborted, or the window closed */
  async ask<T>(
    about: Omit<ChoiceQuestion, 'id' | 'choices'>,
    choices: readonly Choice<T>[],
    signal: AbortSignal,
  ): Promise<T | undefined> {
    const answer = await this.wait({ ...about, choices, id: this.nextId() }, signal);
    return answer?.value as T | undefined;
  }

  /** Does nothing for a question that is gone, or has no such choice. */
  choose(id: string, index: number): void {
    const choice = this.find(id)?.choices[index];
    if (choice && 'act' in choice) {
      void choice.act();
    } else if (choice) {
      this.settle(id, choice);
    }
  }
}
