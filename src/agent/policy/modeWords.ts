/** What the modes are called, and what each does, for pages and for VS Code's own lists. */
import * as l10n from '@vscode/l10n';
import { type AgentMode, agentModes, type ModeView } from '../../protocol/tools/modes.js';

/** All that there are, for a page. */
export function modeViews(): readonly ModeView[] {
  return agentModes.map((mode) => ({ mode, ...wordsOfMode(mode) }));
}

export function wordsOfMode(mode: AgentMode): Omit<ModeView, 'mode'> {
  switch (mode) {
    case 'ask':
      return {
        name: l10n.t('Ask'),
        text: l10n.t('Reads this folder. Asks before it edits, runs commands or calls tools.'),
        icon: 'shield',
      };
    case 'acceptEdits':
      return {
        name: l10n.t('Accept Edits'),
        text: l10n.t('Edits files of this folder without asking. Asks before the rest.'),
        icon: 'edit',
      };
    case 'plan':
      return {
        name: l10n.t('Plan'),
        text: l10n.t('Only reads, and shows you a plan that you start.'),
        icon: 'checklist',
      };
    case 'runFreely':
      return {
        name: l10n.t('Run Freely'),
        text: l10n.t('Runs commands and tools without asking. What is hard to undo asks still.'),
        icon: 'warning',
      };
  }
}
