import type { HeldField } from '../../base/form/heldFields.js';
import type { JsonObject } from '../../base/json.js';
import type { FormAction, FormProblem } from '../../protocol/tools/questions.js';

/** Tells the extension what the user does with a card. Never rejects: the page says what goes wrong. */
export interface CardSender {
  /** @returns what is wrong with it: nothing went out then */
  answer(
    id: string,
    action: FormAction,
    content: JsonObject | undefined,
  ): Promise<readonly FormProblem[]>;
  hold(id: string, fields: readonly HeldField[]): Promise<void>;
  choose(id: string, choice: number): Promise<void>;
}
