import * as l10n from '@vscode/l10n';
import { quotedName } from '../../base/text/nameToken.js';
import { traitsOf, traitText } from '../launch/launchTraits.js';
import { findingAt } from './finding.js';
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

/** Remote entries that everybody with the repository is asked about, for a reason that most entries can do without. */
function consentTraits(subject: LintSubject): readonly LintFinding[] {
  return subject.file.entries.flatMap((entry) => {
    const { launch, name } = entry;
    if (!subject.isCommitted || launch?.kind !== 'http') {
      return [];
    }
    // to read a token from the environment is as it should be
    const traits = traitsOf(launch, false).filter((trait) => trait !== 'reads_environment');
    const text = {
      message: l10n.t(
        'Everyone who opens this folder must trust {0}: {1}.',
        quotedName(name),
        traits.map((trait) => traitText(trait)).join(', '),
      ),
      remedy: l10n.t('Leave it out where the server works without.'),
    };
    return traits.length > 0 ? [findingAt(subject, entry, 'asks-for-consent', ['url'], text)] : [];
  });
}
