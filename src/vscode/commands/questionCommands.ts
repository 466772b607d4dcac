/** Commands about what servers ask of the user. */
import * as vscode from 'vscode';
import { labelText } from '../../base/text/labelText.js';
import { commandIds } from '../../contributions.js';
import type { McpService } from '../../mcp/mcpApi.js';
import type { OpenQuestion, OpenQuestions } from '../../mcp/service/questions/openQuestions.js';
import { serverOf } from '../../presentation/tree/targets.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { pickOne } from '../prompts/picks/picks.js';

export function questionCommands(service: McpService, questions: OpenQuestions): CommandHandlers {
  return {
    [commandIds.answerQuestion]: async (argument) => {
      const server = serverOf(service, argument);
      const [oldest] = server ? questions.of(server.id) : [];
      const { id } = oldest ?? (await pickQuestion(questions.all));
      questions.call(id, 'show');
    },
  };
}

/** Asks only when there is a choice. */
function pickQuestion(questions: readonly OpenQuestion[]): Promise<OpenQuestion> {
  const items = questions.map((question) => ({
    label: labelText(question.serverName),
    description: labelText(question.text),
    value: question,
  }));
  return pickOne<OpenQuestion>(items, {
    title: vscode.l10n.t('Answer'),
    takesOnly: true,
  });
}
