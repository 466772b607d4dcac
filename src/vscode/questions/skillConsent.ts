import * as vscode from 'vscode';
import type { McpServerDefinition } from '../../config/definition.js';
import type { SkillReview } from '../../mcp/server/loadSkill.js';
import type { AboutServer, ChoiceQuestions } from '../../mcp/service/questions/choiceQuestions.js';
import { skillCard } from '../../presentation/questions/skillCard.js';
import type { QuestionQueue } from './questionQueue.js';

export interface SkillConsentParts {
  readonly queue: QuestionQueue;
  readonly choices: ChoiceQuestions;
  readonly aboutServer: (definition: McpServerDefinition) => AboutServer;
}

/** Shows all of a skill. @returns whether it may be used */
export async function askAboutSkill(
  { queue, choices, aboutServer }: SkillConsentParts,
  review: SkillReview,
  signal: AbortSignal,
): Promise<boolean> {
  const { definition } = review;
  const about = aboutServer(definition);
  const card = skillCard(review);
  const show = (shown: AbortSignal) =>
    choices.ask<boolean>(
      { ...about, ...card, rows: [...about.rows, ...card.rows] },
      [
        { label: vscode.l10n.t('Use This Skill'), isConsent: true, value: true },
        { label: vscode.l10n.t('Decline'), isConsent: false, value: false },
      ],
      shown,
    );
  return (await queue.put({ definition, text: card.title, show }, signal)) === true;
}
