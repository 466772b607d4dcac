/** Questions that wait for the user: each ends once, with an answer or without. */
import { DisposableOwner } from '../../../base/disposable.js';
import { Emitter } from '../../../base/event.js';

interface Waiting<Q, A> {
  readonly question: Q;
  readonly end: (answer: A | undefined) => void;
}

export abstract class WaitingQuestions<
  Q extends { readonly id: string },
  A,
> extends DisposableOwner {
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  private readonly waiting = new Map</* question id */ string, Waiting<Q, A>>();
  private count = 0;

  readonly onDidChange = this.changeEmitter.event;

  /** Oldest first. */
  get all(): readonly Q[] {
    return [...this.waiting.values()].map(({ question }) => question);
  }

  override dispose(): void {
    super.dispose();
    for (const id of [...this.waiting.keys()]) {
      this.settle(id, undefined);
    }
  }

  protected nextId(): string {
    return String(++this.count);
  }

  protected find(id: string): Q | undefined {
    return this.waiting.get(id)?.question;
  }

  /** Shows it until it is settled. Never rejects. @returns `undefined`: the signal aborted, or the window closed */
  protected async wait(question: Q, signal: AbortSignal): Promise<A | undefined> {
    if (signal.aborted || this.store.isDisposed) {
      return undefined;
    }
    const { id } = question;
    const leave = () => this.settle(id, undefined);
    const answer = new Promise<A | undefined>((end) => this.waiting.set(id, { question, end }));
    signal.addEventListener('abort', leave, { once: true });
    this.changeEmitter.fire();
    try {
      return await answer;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** @returns false when the question does not wait any more */
  protected settle(id: string, answer: A | undefined): boolean {
    const waiting = this.waiting.get(id);
    if (waiting) {
      this.waiting.delete(id);
      waiting.end(answer);
      this.changeEmitter.fire();
    }
    return waiting !== undefined;
  }
}
