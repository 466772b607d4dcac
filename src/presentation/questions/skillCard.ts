/** What a person reads of a skill before it is used: all of it. */
import * as l10n from '@vscode/l10n';
import type { McpSkillFile } from '../../mcp/mcpTypes.js';
import type { SkillReview } from '../../mcp/server/loadSkill.js';
import type { ChoiceQuestion } from '../../mcp/service/questions/choiceQuestions.js';

export function skillCard({
  skill,
  text,
}: SkillReview): Pick<ChoiceQuestion, 'title' | 'note' | 'rows'> {
  return {
    title: l10n.t('Use this skill of an MCP server?'),
    note: l10n.t(
      'The model reads it when it or you ask for it, as long as no file changes. Loading it runs nothing.',
    ),
    rows: [
      { label: l10n.t('Skill'), text: skill.name },
      { label: l10n.t('Files'), text: skill.files.map(skillFileText).join('\n') },
      { label: l10n.t('Text'), text },
    ],
  };
}

export function skillFileText({ path, size, sha256 }: McpSkillFile): string {
  return l10n.t('{0}: {1} bytes, SHA-256 {2}', JSON.stringify(path), size, sha256);
}
