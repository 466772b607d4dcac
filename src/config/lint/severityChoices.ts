import { readEntries } from '../../base/json.js';
import type { ConfigProblemSeverity } from '../definition.js';

/** A user's choice for one rule; `off` silences it. */
type SeverityChoice = ConfigProblemSeverity | 'off';

export const severityChoices = ['off', 'hint', 'info', 'warning', 'error'] as const;

/** By rule code. */
export type SeverityChoices = Readonly<Record<string, SeverityChoice>>;

/** Rules about what other programs make of the file: a project may decide which of these matter to it. */
const projectRules: ReadonlySet<string> = new Set([
  'claude-code-name',
  'claude-code-needs-type',
  'claude-code-shape',
  'strict-json',
  'vscode-ignores-field',
  'vscode-no-variables',
]);

/** Reads the setting; what is not a known choice counts as not set. */
export function toSeverityChoices(value: unknown): SeverityChoices {
  return readEntries(value, (wanted) => severityChoices.find((known) => known === wanted));
}

/** What settings files of the workspace make of a choice: a repository must not hide what warns of it. */
function withProjectChoice(
  rule: string,
  choice: SeverityChoice,
  project: SeverityChoices,
): SeverityChoice {
  const wanted = Object.hasOwn(project, rule) ? project[rule] : undefined;
  if (wanted === undefined) {
    return choice;
  }
  const isRaised = severityChoices.indexOf(wanted) > severityChoices.indexOf(choice);
  return isRaised || projectRules.has(rule) ? wanted : choice;
}

/** Settings of the workspace may hide it as well as those of the user. */
export function isProjectRule(rule: string): boolean {
  return projectRules.has(rule);
}

type WrittenChoices = Readonly<Record<string, unknown>>;

/** Rules that a setting as it is written hides, in its order. */
export function hiddenRules(written: WrittenChoices): readonly string[] {
  return Object.keys(written).filter((rule) => written[rule] === 'off');
}

export function hideRule(written: WrittenChoices, rule: string): WrittenChoices {
  return { ...written, [rule]: 'off' satisfies SeverityChoice };
}

/** `undefined` when nothing is left to write. */
export function showRules(
  written: WrittenChoices,
  rules: readonly string[],
): WrittenChoices | undefined {
  const left = Object.entries(written).filter(
    ([rule, choice]) => choice !== 'off' || !rules.includes(rule),
  );
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

/**
 * Applies severities by rule code; rules that are not named keep theirs. Errors cannot be silenced.
 * @param project from settings that a repository can bring along.
 */
export function withSeverities<T extends { code: string; severity: ConfigProblemSeverity }>(
  problems: readonly T[],
  user: SeverityChoices,
  project: SeverityChoices = {},
): readonly T[] {
  return problems.flatMap((problem) => {
    if (problem.severity === 'error') {
      return [problem];
    }
    const own = Object.hasOwn(user, problem.code) ? user[problem.code] : undefined;
    const choice = withProjectChoice(problem.code, own ?? problem.severity, project);
    return choice === 'off' ? [] : [{ ...problem, severity: choice }];
  });
}
