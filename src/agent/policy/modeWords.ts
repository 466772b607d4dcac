/** What the modes are called, and what each does, for pages and for VS Code's own lists. */
import * as l10n from '@vscode/l10n';
import { type AgentMode, agentModes, type ModeView } from '../../protocol/tools/modes.js';

/** All that there are, for a page. */
export function modeViews(): readonly ModeView[] {
  return agentModes.map((mode) => ({
    mode,
    name: modeName(mode),
    text: modeText(mode),
    icon: modeIcon(mode),
  }));
}

export function modeName(mode: AgentMode): string {
  switch (mode) {
    case 'ask':
      return l10n.t('Ask');
    case 'acceptEdits':
      return l10n.t('Accept Edits');
    case 'plan':
      return l10n.t('Plan');
    case 'runFreely':
      return l10n.t('Run Freely');
  }
}

export function modeText(mode: AgentMode): string {
  switch (mode) {
    case 'ask':
      return l10n.t('Reads this folder. Asks before it edits, runs commands or calls tools.');
    case 'acceptEdits':
      return l10n.t('Edits files of this folder without asking. Asks before the rest.');
    case 'plan':
      return l10n.t('Only reads, and shows you a plan that you start.');
    case 'runFreely':
      return l10n.t('Runs commands and tools without asking. What is hard to undo asks still.');
  }
}

function modeIcon(mode: AgentMode): string {
  switch (mode) {
    case 'ask':
      return 'shield';
    case 'acceptEdits':
      return 'edit';
    case 'plan':
      return 'checklist';
    case 'runFreely':
      return 'warning';
  }
}
