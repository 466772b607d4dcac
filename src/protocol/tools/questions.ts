/** What servers ask while a call waits for the answer. Every text in it is the server's claim. */
import type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  NumberField,
  TextField,
} from '../../base/form/field.js';
import type { HeldField } from '../../base/form/heldFields.js';
import type { JsonObject } from '../../base/json.js';
import type { MessageMap } from '../messages.js';

export interface OpenQuestionView {
  readonly id: string;
  readonly server: string;
  /** One line. */
  readonly text: string;
}

/** Texts of others are in `rows` alone. */
export interface ChoiceQuestionView {
  readonly id: string;
  readonly server: string;
  readonly title: string;
  readonly note?: string;
  /** `text` may have several lines. */
  readonly rows: readonly { readonly label: string; readonly text: string }[];
  /** `isConsent`: lets something happen. */
  readonly choices: readonly { readonly label: string; readonly isConsent: boolean }[];
}

type FormQuestionField = TextField | NumberField | BooleanField | ChoiceField | ChoicesField;

export interface FormQuestionView {
  readonly id: string;
  /** Name of the server, with the program for which it works, where there is one. */
  readonly server: string;
  /** May have several lines. */
  readonly message: string;
  readonly fields: readonly FormQuestionField[];
  /** What a page before this one was told. */
  readonly held?: readonly HeldField[];
}

/** `cancel`: the user gives no answer, not even that they do not want to. */
export const formActions = ['accept', 'decline', 'cancel'] as const;
export type FormAction = (typeof formActions)[number];

/** What is wrong with the value of a field, as a sentence. */
export interface FormProblem {
  readonly field: string;
  readonly text: string;
}

/** What pages show as cards. */
export interface QuestionCards {
  readonly choices: readonly ChoiceQuestionView[];
  readonly forms: readonly FormQuestionView[];
}

export interface CardRequests {
  /** `choice`: index of one of the question's. */
  answerChoice: { params: { id: string; choice: number }; result: undefined };
  /** What the user has put into a form so far. The window has it until the form is answered, and it is on no disk. */
  holdForm: { params: { id: string; fields: readonly HeldField[] }; result: undefined };
  /** Nothing goes out while anything is wrong. `content`: of what is accepted, by name of the field. */
  answerForm: {
    params: { id: string; action: FormAction; content?: JsonObject };
    result: { problems: readonly FormProblem[] };
  };
}

export interface QuestionRequests extends CardRequests {
  /** Brings an open question back, or gives it up. */
  callQuestion: { params: { id: string; call: 'show' | 'leave' }; result: undefined };
}

/** Of the page that shows cards alone. */
export interface QuestionPageRequests extends CardRequests, MessageMap {
  ready: { params: undefined; result: QuestionCards };
}

export interface QuestionPageEvents extends MessageMap {
  cards: { params: QuestionCards; result: undefined };
}
