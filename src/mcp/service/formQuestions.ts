/** Forms of servers that pages of ours show while a call waits for the answer. */
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { JsonObject } from '../../base/json.js';
import type { McpServerId } from '../../config/definition.js';
import {
  checkElicitationValue,
  type ElicitationContent,
  type ElicitationField,
  type ElicitationValue,
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

/** What is wrong with the value of a field, as a sentence. */
interface FieldProblem {
  readonly field: string;
  readonly text: string;
}

interface Asked {
  readonly question: FormQuestion;
  settle(answer: ElicitationAnswer | undefined): void;
}

export class FormQuestions implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  private readonly asked = new Map</* question id */ string, Asked>();
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
        resolve(given);
      };
      if (signal.aborted || this.store.isDisposed) {
        resolve(undefined);
        return;
      }
      signal.addEventListener('abort', leave, { once: true });
      this.asked.set(question.id, { question, settle });
      this.changeEmitter.fire();
    });
    this.changeEmitter.fire();
    return answer;
  }

  /** Does nothing for a question that is gone. @returns what is wrong: nothing goes out then */
  accept(id: string, content: JsonObject): readonly FieldProblem[] {
    const asked = this.asked.get(id);
    if (!asked) {
      return [];
    }
    const { fields } = asked.question;
    const given = ({ name }: ElicitationField) =>
      Object.hasOwn(content, name) ? content[name] : undefined;
    const problems = fields.flatMap((field) => {
      const text = checkElicitationValue(field, given(field));
      return text === undefined ? [] : [{ field: field.name, text }];
    });
    if (problems.length === 0) {
      const filled = fields.filter((field) => given(field) !== undefined);
      const answers: ElicitationContent = Object.fromEntries(
        filled.map((field) => [field.name, given(field) as ElicitationValue]),
      );
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
    this.store.dispose();
  }
}
