/** What the list of approval rules says of each. Runs in plain Node, hence `@vscode/l10n`; both readers share one bundle. */
import * as l10n from '@vscode/l10n';
import type { ListedRule } from '../../agent/policy/listRules.js';
import { showHidden } from '../../base/text/showHidden.js';
import { formatAge } from './formatAge.js';

/** What it lets run, in one line. */
export function ruleLabel({ subject }: ListedRule): string {
  switch (subject.kind) {
    case 'tool':
      return showHidden(`${subject.server}/${subject.tool}`);
    case 'builtIn':
      return subject.tool;
    case 'command':
      return showHidden([...subject.words, ...(subject.isPrefix ? ['*'] : [])].join(' '));
    case 'call':
      return showHidden(`${subject.tool} ${subject.text}`);
  }
}

/** @param folderName of a folder, by its URI */
export function rulePlace(
  { place }: Pick<ListedRule, 'place'>,
  folderName: (uri: string) => string,
): string {
  switch (place.kind) {
    case 'everywhere':
      return l10n.t('in every folder');
    case 'folder':
      return l10n.t('in {0}', folderName(place.uri));
    case 'conversation':
      return place.title === undefined
        ? l10n.t('in a conversation that has no title yet')
        : l10n.t('in the conversation “{0}”', place.title);
  }
}

/** Since when it holds, and when it let a call run last. @param now milliseconds since the epoch */
export function ruleAge(
  { since, usedAt }: Pick<ListedRule, 'since' | 'usedAt'>,
  now: number,
  language: string,
): string {
  const ageOf = (at: string | undefined) => {
    const age = now - Date.parse(at ?? '');
    return Number.isFinite(age) ? formatAge(age, language) : undefined;
  };
  const allowed = ageOf(since);
  const used = ageOf(usedAt);
  return [
    ...(allowed === undefined ? [] : [l10n.t('Allowed {0}', allowed)]),
    used === undefined ? l10n.t('not used yet') : l10n.t('last used {0}', used),
  ].join(' · ');
}
