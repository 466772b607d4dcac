import * as l10n from '@vscode/l10n';
import { nameToken } from '../../base/text/nameToken.js';
import { showHidden } from '../../base/text/showHidden.js';
import type { ChosenProfile } from '../../mcp/catalog/records/toolProfiles.js';

/** The name of a chosen profile, in a row among other facts. */
export function profileText({ name, profile }: ChosenProfile): string {
  return profile
    ? l10n.t('profile {0}', nameToken(name))
    : l10n.t('missing profile: {0}', nameToken(name));
}

const maxNamed = 3;

/** As a part of a row, or a sentence of a tooltip. @param patterns at least one */
export function unknownPatternsText(patterns: readonly string[]): string {
  const named = patterns.slice(0, maxNamed).map(showHidden).join(', ');
  const more = patterns.length - maxNamed;
  return more > 0
    ? l10n.t('unmatched patterns: {0}', `${named}, ${l10n.t('{0} more', more)}`)
    : l10n.t('unmatched patterns: {0}', named);
}
