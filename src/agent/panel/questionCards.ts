import { showHidden } from '../../base/text/showHidden.js';
import type {
  ChoiceQuestion,
  ChoiceQuestions,
} from '../../mcp/service/questions/choiceQuestions.js';
import type { FormQuestion, FormQuestions } from '../../mcp/service/questions/formQuestions.js';
import type { OpenQuestions } from '../../mcp/service/questions/openQuestions.js';
import type { ChoiceQuestionView, FormQuestionView } from '../../protocol/tools/questions.js';

/** What of servers waits for the user. */
export interface UserQuestions {
  /** Out of sight until the user comes back to them. */
  readonly questions: OpenQuestions;
  readonly choices: ChoiceQuestions;
  readonly forms: FormQuestions;
}

export function choiceQuestionView(question: ChoiceQuestion): ChoiceQuestionView {
  const { id, serverName, title, note, rows, choices } = question;
  const buttons = choices.map(({ label, isConsent }) => ({ label, isConsent }));
  return { id, server: serverName, title, note, rows, choices: buttons };
}

/** What only the extension can judge, such as patterns, stays here. */
export function formQuestionView(
  { id, serverName, message, fields }: FormQuestion,
  forms: Pick<FormQuestions, 'heldOf'>,
): FormQuestionView {
  const held = forms.heldOf(id);
  return {
    held: held.length > 0 ? held : undefined,
    id,
    server: showHidden(serverName),
    message,
    fields: fields.map((field) => {
      if (field.kind !== 'text') {
        return field;
      }
      const { pattern, ...others } = field;
      return pattern ? { ...others, pattern: pattern.source } : others;
    }),
  };
}
