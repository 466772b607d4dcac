/** Forms of servers that pages of ours show while a call waits for the answer. */
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { HeldField } from '../../base/form/heldFields.js';
import type { JsonObject } from '../../base/json.js';
import type { McpServerId } from '../../config/definition.js';
import {
  type AnswerProblem,
  checkElicitation,
  type ElicitationField,
} from '../connection/reading/elicitationForm.js';
import type { ElicitationAnswer } from '../connection/session/clientFeatures.js';

export interface FormQuestion {
  /** Stays while the question is shown again. */
  readonly id: string;
  readonly server: McpServerId;
  /** With the program for which it works, where there is one. */
  readonly serverName: string;
  /** The server's claim, as everything in the fields. */
  readonly message: string;
  readonly fields: readonly ElicitationField[];
}

interface Asked {
  readonly question: FormQuestion;
  settle(answer: ElicitationAnswer | undefined): void;
}

/** Forms out of sight whose entries are there when they come back. */
const maxHeld = 20;

export class FormQuestions implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  private readonly asked = new Map</* question id */ string, Asked>();
  /** What was put into forms that nobody has answered, on a page or elsewhere. */
  private readonly held = new Map</* question id */ string, readonly HeldField[]>();
  private count = 0;

  readonly onDidChange = this.changeEmitter.event;

  /** Oldest first. */
  get all(): readonly FormQuestion[] {
    return [...this.asked.values()].map(({ question }) => question);
  }

  create(about: Omit<FormQuestion, 'id'>): FormQuestion {
    return { ...about, id: String(++this.count) };
  }

  /** Shows it until the user has answered. Never rejects. @returns `undefined`: the signal aborted */
  async ask(question: FormQuestion, signal: AbortSignal): Promise<ElicitationAnswer | undefined> {
    const answer = await new Promise<ElicitationAnswer | undefined>((resolve) => {
      const leave = () => settle(undefined);
      const settle = (given: ElicitationAnswer | undefined) => {
        signal.removeEventListener('abort', leave);
        this.asked.delete(question.id);
        if (given) {
          this.held.delete(question.id);
        }
        resolve(given);
      };
      if (signal.aborted || this.store.isDisposed) {
        resolve(undefined);
        return;
      }
      signal.addEventListener('abort', leave, { once: true });
      this.asked.set(question.id, { question, settle });
      this.hold(question.id, this.held.get(question.id) ?? []);
      this.changeEmitter.fire();
    });
    this.changeEmitter.fire();
    return answer;
  }

  /** The last word of a page may come after the form has left it. Does nothing for a question that was answered. */
  keep(id: string, fields: readonly HeldField[]): void {
    if (this.held.has(id)) {
      this.hold(id, fields);
    }
  }

  /** What was put into it so far; empty: nothing. */
  heldOf(id: string): readonly HeldField[] {
    return this.held.get(id) ?? [];
  }

  /** Does nothing for a question that is gone. @returns what is wrong: nothing goes out then */
  accept(id: string, content: JsonObject): readonly AnswerProblem[] {
    const asked = this.asked.get(id);
    if (!asked) {
      return [];
    }
    const { content: answers, problems } = checkElicitation(asked.question.fields, content);
    if (problems.length === 0) {
      asked.settle({ action: 'accept', content: answers });
    }
    return problems;
  }

  /** Does nothing for a question that is gone. */
  refuse(id: string, action: 'decline' | 'cancel'): void {
    this.asked.get(id)?.settle({ action });
  }

  dispose(): void {
    for (const { settle } of [...this.asked.values()]) {
      settle(undefined);
    }
    this.held.clear();
    this.store.dispose();
  }

  /** Nobody says when a form that is out of sight has ended: those that were put away longest ago are forgotten. */
  private hold(id: string, fields: readonly HeldField[]): void {
    this.held.delete(id);
    this.held.set(id, fields);
    const away = [...this.held.keys()].filter((one) => !this.asked.has(one));
    for (const one of away.slice(0, Math.max(0, away.length - maxHeld))) {
      this.held.delete(one);
    }
  }
}
