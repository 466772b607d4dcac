import { consentTraits } from './consentTraits.js';
import { missingTargets, otherCode, rootFolders, unpinnedPackages } from './launchTargets.js';
import type { LintFinding, LintSubject, LintSurroundings } from './lintTypes.js';
import { literalSecrets } from './literalSecrets.js';
import { portability } from './portability.js';
import { profiles } from './settings/profiles.js';
import { variables } from './variables.js';

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
    ...otherCode(subject),
    ...variables(subject, surroundings),
    ...(await missingTargets(subject, surroundings)),
    ...(await rootFolders(subject, surroundings)),
    ...portability(subject, surroundings),
    ...consentTraits(subject),
    ...profiles(subject, surroundings),
  ];
  return findings.sort((a, b) => (a.range?.start ?? 0) - (b.range?.start ?? 0));
}

/** What is wrong with a file of another program whose servers are used here: it is for that program to advise on. */
export async function lintImported(
  subject: LintSubject,
  surroundings: Pick<LintSurroundings, 'isIgnoredByGit'>,
): Promise<readonly LintFinding[]> {
  return subject.file.hasSyntaxError ? [] : literalSecrets(subject, surroundings);
}
