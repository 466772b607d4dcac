import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { oneLine } from '../../base/text/plainText.js';
import { ValueEmitter } from '../../base/valueEmitter.js';
import { ToolProfiles } from '../../mcp/catalog/records/toolProfiles.js';
import type { CliSession } from '../session.js';

/**
 * The profiles of the configuration files, with the one of `--profile` chosen for this run; without it every tool is in.
 * The caller disposes it.
 * @throws {HumanError} with code `usage` when there is no such profile, `configuration` when it is not understood.
 */
export async function chosenProfiles({
  service,
  folderUri,
  flags,
}: Pick<CliSession, 'service' | 'folderUri' | 'flags'>): Promise<ToolProfiles> {
  const profiles = new ToolProfiles({
    service,
    // the editor's settings are not read here
    own: new ValueEmitter<unknown>(undefined),
    memory: { recall: () => undefined, remember: async () => undefined },
  });
  if (flags.profile === undefined) {
    return profiles;
  }
  try {
    // the user's come first, so that no folder takes the place of one of theirs
    const known = profiles.list(folderUri);
    const profile = known.find(({ name }) => name === flags.profile);
    if (!profile) {
      const names = known.map(({ name }) => oneLine(name)).join(', ');
      throw new HumanError('usage', l10n.t('There is no profile "{0}".', flags.profile), {
        remedy: names
          ? l10n.t('Known profiles: {0}.', names)
          : l10n.t('Write one under "settings.profiles" of a configuration file.'),
      });
    }
    if (profile.isBroken) {
      const message = l10n.t(
        'Profile {0} is not understood, so it leaves every tool out.',
        flags.profile,
      );
      throw new HumanError('configuration', message, {
        remedy: l10n.t('Correct it under "settings.profiles" of its configuration file.'),
      });
    }
    await profiles.choose(folderUri, profile);
    return profiles;
  } catch (error) {
    profiles.dispose();
    throw error;
  }
}
