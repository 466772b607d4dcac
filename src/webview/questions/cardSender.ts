import type { HeldField } from '../../base/form/heldFields.js';
import type { JsonObject } from '../../base/json.js';
import type { MessageChannel } from '../../protocol/messages.js';
import type { CardRequests, FormAction, FormProblem } from '../../protocol/tools/questions.js';

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

/** @param run says why a request failed, and never rejects */
export function cardSender(
  send: MessageChannel<CardRequests, object>['request'],
  run: (work: () => Promise<unknown>) => Promise<unknown>,
): CardSender {
  return {
    answer: async (id, action, content) => {
      let problems: readonly FormProblem[] = [];
      await run(async () => {
        ({ problems } = await send('answerForm', { id, action, content }));
      });
      return problems;
    },
    hold: (id, fields) => send('holdForm', { id, fields }).catch(() => undefined),
    choose: async (id, choice) => void (await run(() => send('answerChoice', { id, choice }))),
  };
}
