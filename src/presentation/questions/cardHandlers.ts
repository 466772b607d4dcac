import type { ChoiceQuestions } from '../../mcp/service/questions/choiceQuestions.js';
import type { FormQuestions } from '../../mcp/service/questions/formQuestions.js';
import type { MessageHandlers } from '../../protocol/messages.js';
import {
  type CardRequests,
  type FormProblem,
  formActions,
} from '../../protocol/tools/questions.js';
import {
  heldFieldsParam,
  objectParam,
  oneOfParam,
  optionalIndexParam,
  stringParam,
} from '../params.js';

export interface CardAnswers {
  readonly choices: Pick<ChoiceQuestions, 'choose'>;
  readonly forms: Pick<FormQuestions, 'accept' | 'refuse' | 'keep'>;
}

/** What a page does with the cards that it shows. */
export function cardHandlers({ choices, forms }: CardAnswers): MessageHandlers<CardRequests> {
  return {
    answerChoice: (params) => {
      const choice = optionalIndexParam(params, 'choice');
      if (choice !== undefined) {
        choices.choose(stringParam(params, 'id'), choice);
      }
    },
    answerForm: (params) => answerForm(forms, params),
    holdForm: (params) => forms.keep(stringParam(params, 'id'), heldFieldsParam(params, 'fields')),
  };
}

function answerForm(
  forms: CardAnswers['forms'],
  params: unknown,
): { readonly problems: readonly FormProblem[] } {
  const id = stringParam(params, 'id');
  const action = oneOfParam(params, 'action', formActions);
  if (action === 'accept') {
    return { problems: forms.accept(id, objectParam(objectParam(params).content ?? {})) };
  }
  forms.refuse(id, action);
  return { problems: [] };
}
