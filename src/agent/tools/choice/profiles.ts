/** Named profiles of a conversation: those to choose from, and what would make its tools one. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../../base/errors.js';
import { nameToken } from '../../../base/text/nameToken.js';
import { showHidden } from '../../../base/text/showHidden.js';
import { maxPatterns, type ToolProfile } from '../../../config/toolProfiles.js';
import {
  type NamedProfileView,
  namedProfile,
  type ToolChoiceView,
  type ToolGroupView,
} from '../../../protocol/tools/toolChoice.js';
import { builtInServer } from './toolChoice.js';

/** The chosen one too where it is not there any more. */
export function namedProfiles(
  chosen: string,
  profiles: readonly ToolProfile[],
): readonly NamedProfileView[] {
  const views = profiles.map(({ source, name, isBroken }) => ({
    id: `${source}:${name}`,
    label: showHidden(name),
    title: isBroken
      ? l10n.t('Invalid profile: no tools')
      : source === 'user'
        ? l10n.t('User')
        : l10n.t('Folder'),
  }));
  const named = namedProfile(chosen);
  const isMissing = named && !views.some(({ id }) => id === chosen);
  return isMissing
    ? [
        ...views,
        {
          id: chosen,
          label: nameToken(named.name),
          title: l10n.t('Invalid profile: no tools'),
        },
      ]
    : views;
}

/** What leaves in exactly the tools of servers that are on. @throws {HumanError} for more than a profile can hold */
export function profilePatterns({ groups }: ToolChoiceView): readonly string[] {
  const servers = groups.filter(({ server }) => server !== builtInServer);
  const patterns = servers.flatMap(patternsOfGroup);
  if (patterns.length > maxPatterns) {
    throw new HumanError(
      'too_many_patterns',
      l10n.t('A profile cannot hold more than {0} patterns.', maxPatterns),
      { remedy: l10n.t('Switch whole servers, or write patterns with * in the settings.') },
    );
  }
  return patterns.length > 0 ? patterns : ['!*'];
}

/** The shorter way to say it. */
function patternsOfGroup({ server, tools, takesNew }: ToolGroupView): readonly string[] {
  const free = tools.filter(({ locked }) => locked === undefined);
  const on = free.filter(({ isOn }) => isOn);
  const off = free.filter(({ isOn }) => !isOn);
  const named = on.map(({ name }) => `${server}/${name}`);
  const isOpen = takesNew && (off.length < on.length || off.length === 0);
  return isOpen ? [server, ...off.map(({ name }) => `!${server}/${name}`)] : named;
}
