/** How much a model thinks before it answers. */
import * as l10n from '@vscode/l10n';
import type { ThinkingLevel } from '../pi/controls.js';

export const thinkingLevels: readonly ThinkingLevel[] = [
  'off',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
];

export function levelWord(level: ThinkingLevel): string {
  switch (level) {
    case 'off':
      return l10n.t('Off');
    case 'minimal':
      return l10n.t('Minimal');
    case 'low':
      return l10n.t('Low');
    case 'medium':
      return l10n.t('Medium');
    case 'high':
      return l10n.t('High');
    case 'xhigh':
      return l10n.t('Very High');
    case 'max':
      return l10n.t('Maximum');
  }
}

/** Such as `High`, or `Maximum → High` for a model that knows no more than that. */
export function levelText(level: ThinkingLevel, wanted: ThinkingLevel = level): string {
  return wanted === level ? levelWord(level) : `${levelWord(wanted)} → ${levelWord(level)}`;
}
