/** What sign-ins that nobody began by hand ask of the user, while a page of ours shows it. */
import { type Disposable, toDisposable } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { McpServerId } from '../../config/definition.js';

export interface SignInQuestion {
  readonly id: string;
  readonly server: McpServerId;
  readonly serverName: string;
  /** One sentence; names and scopes in it are the server's. */
  readonly text: string;
  /** What the user may do, as buttons say it; the first one is the best. */
  readonly choices: readonly string[];
}

interface Asked {
  readonly question: SignInQuestion;
  readonly choose: (choice: number) => void;
}

export class SignInQuestions implements Disposable {
  private readonly changeEmitter = new Emitter<void>();
  private readonly asked = new Map</* question id */ string, Asked>();
  private count = 0;

  readonly onDidChange = this.changeEmitter.event;

  /** Oldest first. */
  get all(): readonly SignInQuestion[] {
    return [...this.asked.values()].map(({ question }) => question);
  }

  /** @returns what takes the question away. */
  show(question: Omit<SignInQuestion, 'id'>, choose: (choice: number) => void): Disposable {
    const id = String(++this.count);
    this.asked.set(id, { question: { ...question, id }, choose });
    this.changeEmitter.fire();
    return toDisposable(() => {
      this.asked.delete(id);
      this.changeEmitter.fire();
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
    this.asked.clear();
    this.changeEmitter.dispose();
  }
}
