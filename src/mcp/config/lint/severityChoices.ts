import { isJsonObject } from '../../../base/json.js';
import type { SeverityChoice } from './lintConfig.js';

export const severityChoices = ['off', 'info', 'warning', 'error'] as const;

/** Reads the setting; what is not a known choice counts as not set. */
export function toSeverityChoices(value: unknown): Readonly<Record<string, SeverityChoice>> {
  if (!isJsonObject(value)) {
    return {};
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([rule, wanted]) => {
      const choice = severityChoices.find((known) => known === wanted);
      return choice ? [[rule, choice] as const] : [];
    }),
  );
}
