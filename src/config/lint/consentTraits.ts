import * as l10n from '@vscode/l10n';
import { quotedName } from '../../base/text/nameToken.js';
import { traitsOf } from '../launch/launchTraits.js';
import { traitText } from '../launch/launchTraitText.js';
import { findingAt } from './finding.js';
import type { LintFinding, LintSubject } from './lintTypes.js';

/** Remote entries that everybody with the repository is asked about, for a reason that most entries can do without. */
export function consentTraits(subject: LintSubject): readonly LintFinding[] {
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
