/** Commands about what servers ask of the user. */
import * as vscode from 'vscode';
import { CancellationError } from '../../base/async/cancellation.js';
import { HumanError } from '../../base/errors.js';
import { commandIds } from '../../contributions.js';
import type { McpService } from '../../mcp/mcpApi.js';
import type { OpenQuestion, OpenQuestions } from '../../mcp/service/openQuestions.js';
import { serverOf } from '../../presentation/tree/targets.js';
import type { CommandHandlers } from '../registerCommand.js';

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

/** Asks only when there is a choice. @throws {HumanError} without questions; a cancellation when the user leaves. */
async function pickQuestion(questions: readonly OpenQuestion[]): Promise<OpenQuestion> {
  const [only] = questions;
  if (!only) {
    throw new HumanError('no_question', vscode.l10n.t('No MCP server waits for an answer.'));
  }
  if (questions.length === 1) {
    return only;
  }
  const items = questions.map((question) => ({
    label: question.serverName,
    description: question.text,
    question,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Answer Which Question?'),
  });
  if (!picked) {
    throw new CancellationError();
  }
  return picked.question;
}
