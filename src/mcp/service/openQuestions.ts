/** Questions of servers that left the screen without an answer and wait for the user to come back to them. */
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { McpServerId } from '../../config/definition.js';
import { type Clock, systemClock } from '../../platform/clock.js';

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

interface Waiting {
  readonly question: OpenQuestion;
  settle(call: QuestionCall): void;
}

export class OpenQuestions implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  private readonly waiting = new Map</* question id */ string, Waiting>();
  private count = 0;

  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly clock: Clock = systemClock) {}

  /** Oldest first. */
  get all(): readonly OpenQuestion[] {
    return [...this.waiting.values()].map(({ question }) => question);
  }

  of(server: McpServerId): readonly OpenQuestion[] {
    return this.all.filter((question) => question.server === server);
  }

  /** Waits until the user calls for the question, its time is over, or the server withdraws it. Never rejects. */
  async wait(
    about: Omit<OpenQuestion, 'id'>,
    signal: AbortSignal,
    onOpen?: (question: OpenQuestion) => void,
  ): Promise<QuestionCall> {
    const id = String(++this.count);
    const question = { ...about, id, text: oneLine(about.text) };
    const call = await new Promise<QuestionCall>((resolve) => {
      const leave = () => settle('leave');
      const timer = this.clock.after(openQuestionLimitMs, leave);
      const settle = (call: QuestionCall) => {
        timer.dispose();
        signal.removeEventListener('abort', leave);
        this.waiting.delete(id);
        resolve(call);
      };
      if (signal.aborted || this.store.isDisposed) {
        leave();
        return;
      }
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.set(id, { question, settle });
      this.changeEmitter.fire();
      onOpen?.(question);
    });
    this.changeEmitter.fire();
    return call;
  }

  /** @returns false when the question is not open any more. */
  call(id: string, call: QuestionCall): boolean {
    const waiting = this.waiting.get(id);
    waiting?.settle(call);
    return waiting !== undefined;
  }

  dispose(): void {
    for (const { settle } of [...this.waiting.values()]) {
      settle('leave');
    }
    this.store.dispose();
  }
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > maxTextLength
    ? `${characters.slice(0, maxTextLength).join('')}…`
    : line;
}
