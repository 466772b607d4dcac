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
  const words: Readonly<Record<ThinkingLevel, string>> = {
    off: l10n.t('Off'),
    minimal: l10n.t('Minimal'),
    low: l10n.t('Low'),
    medium: l10n.t('Medium'),
    high: l10n.t('High'),
    xhigh: l10n.t('Very High'),
    max: l10n.t('Maximum'),
  };
  return words[level];
}

/** Such as `High`, or `Maximum → High` for a model that knows no more than that. */
export function levelText(level: ThinkingLevel, wanted: ThinkingLevel = level): string {
  return wanted === level ? levelWord(level) : `${levelWord(wanted)} → ${levelWord(level)}`;
}
