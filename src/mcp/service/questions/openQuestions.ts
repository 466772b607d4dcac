/** Questions of servers that left the screen without an answer and wait for the user to come back to them. */
import type { McpServerId } from '../../../config/definition.js';
import { type Clock, systemClock } from '../../../platform/clock.js';
import { WaitingQuestions } from './waitingQuestions.js';

export interface OpenQuestion {
  readonly id: string;
  readonly server: McpServerId;
  readonly serverName: string;
  /** One line; the server's claim. */
  readonly text: string;
}

/** `show`: the user wants to see it again. `leave`: the user or the time limit ended it. */
export type QuestionCall = 'show' | 'leave';

/** Milliseconds that a question waits; the server is then told that nobody answered. */
export const openQuestionLimitMs = 10 * 60_000;
const maxTextLength = 200;

export class OpenQuestions extends WaitingQuestions<OpenQuestion, QuestionCall> {
  constructor(private readonly clock: Clock = systemClock) {
    super();
  }

  of(server: McpServerId): readonly OpenQuestion[] {
    return this.all.filter((question) => question.server === server);
  }

  /** Waits until the user calls for the question, its time is over, or the server withdraws it. Never rejects. */
  async ask(
    about: Omit<OpenQuestion, 'id'>,
    signal: AbortSignal,
    onOpen?: (question: OpenQuestion) => void,
  ): Promise<QuestionCall> {
    const question = { ...about, id: this.nextId(), text: oneLine(about.text) };
    const timer = this.clock.after(openQuestionLimitMs, () => this.call(question.id, 'leave'));
    const waiting = this.wait(question, signal);
    if (this.find(question.id)) {
      onOpen?.(question);
    }
    const call = await waiting;
    timer.dispose();
    return call ?? 'leave';
  }

  /** @returns false when the question is not open any more. */
  call(id: string, call: QuestionCall): boolean {
    return this.settle(id, call);
  }
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > maxTextLength
    ? `${characters.slice(0, maxTextLength).join('')}…`
    : line;
}
