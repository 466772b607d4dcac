import type { ConfigProblemSeverity } from '../../mcpTypes.js';
import { missingTargets, unpinnedPackages } from './launchTargets.js';
import type { LintFinding, LintSubject, LintSurroundings } from './lintTypes.js';
import { literalSecrets } from './literalSecrets.js';
import { portability } from './portability.js';
import { unsetVariables } from './unsetVariables.js';

/** Runs every rule. A file with a syntax error has no findings: the error is all that matters. */
export async function lintConfig(
  subject: LintSubject,
  surroundings: LintSurroundings,
): Promise<readonly LintFinding[]> {
  if (subject.file.hasSyntaxError) {
    return [];
  }
  const findings = [
    ...(await literalSecrets(subject, surroundings)),
    ...unpinnedPackages(subject),
    ...unsetVariables(subject, surroundings),
    ...(await missingTargets(subject, surroundings)),
    ...portability(subject),
  ];
  return findings.sort((a, b) => (a.range?.start ?? 0) - (b.range?.start ?? 0));
}

/** A user's choice for one rule; `off` silences it. */
export type SeverityChoice = ConfigProblemSeverity | 'off';

/** Applies the user's severities by rule code; rules that are not named keep theirs. Errors cannot be silenced. */
export function withSeverities<T extends { code: string; severity: ConfigProblemSeverity }>(
  problems: readonly T[],
  choices: Readonly<Record<string, SeverityChoice>>,
): readonly T[] {
  return problems.flatMap((problem) => {
    const choice = Object.hasOwn(choices, problem.code) ? choices[problem.code] : undefined;
    if (!choice || problem.severity === 'error') {
      return [problem];
    }
    return choice === 'off' ? [] : [{ ...problem, severity: choice }];
  });
}
