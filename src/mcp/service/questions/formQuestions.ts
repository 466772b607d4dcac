/** Forms of servers that pages of ours show while a call waits for the answer. */
import type { HeldField } from '../../../base/form/heldFields.js';
import type { JsonObject } from '../../../base/json.js';
import type { McpServerId } from '../../../config/definition.js';
import {
  type AnswerProblem,
  checkElicitation,
  type ElicitationField,
} from '../../connection/reading/elicitationForm.js';
import type { ElicitationAnswer } from '../../connection/session/clientFeatures.js';
import { WaitingQuestions } from './waitingQuestions.js';

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

/** Forms out of sight whose entries are there when they come back. */
const maxHeld = 20;

export class FormQuestions extends WaitingQuestions<FormQuestion, ElicitationAnswer> {
  /** What was put into forms that nobody has answered, on a page or elsewhere. */
  private readonly held = new Map</* question id */ string, readonly HeldField[]>();

  create(about: Omit<FormQuestion, 'id'>): FormQuestion {
    return { ...about, id: this.nextId() };
  }

  /** Shows it until the user has answered. Never rejects. @returns `undefined`: the signal aborted, or the window closed */
  async ask(question: FormQuestion, signal: AbortSignal): Promise<ElicitationAnswer | undefined> {
    const { id } = question;
    const waiting = this.wait(question, signal);
    if (this.find(id)) {
      this.hold(id, this.heldOf(id));
    }
    const answer = await waiting;
    if (answer) {
      this.held.delete(id);
    }
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
    const question = this.find(id);
    if (!question) {
      return [];
    }
    const { content: answers, problems } = checkElicitation(question.fields, content);
    if (problems.length === 0) {
      this.settle(id, { action: 'accept', content: answers });
    }
    return problems;
  }

  /** Does nothing for a question that is gone. */
  refuse(id: string, action: 'decline' | 'cancel'): void {
    this.settle(id, { action });
  }

  override dispose(): void {
    super.dispose();
    this.held.clear();
  }

  /** Nobody says when a form that is out of sight has ended: those that were put away longest ago are forgotten. */
  private hold(id: string, fields: readonly HeldField[]): void {
    this.held.delete(id);
    this.held.set(id, fields);
    const away = [...this.held.keys()].filter((one) => !this.find(one));
    for (const one of away.slice(0, Math.max(0, away.length - maxHeld))) {
      this.held.delete(one);
    }
  }
}
