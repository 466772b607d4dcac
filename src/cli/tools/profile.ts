import { HumanError } from '../../base/errors.js';
import { nameToken, quotedName } from '../../base/text/nameToken.js';
import { oneLine } from '../../base/text/plainText.js';
import { ValueEmitter } from '../../base/valueEmitter.js';
import type { ToolProfile } from '../../config/toolProfiles.js';
import { ToolProfiles } from '../../mcp/catalog/records/toolProfiles.js';
import type { CliSession } from '../session.js';
import { ProfileStore } from './profileStore.js';

type ProfileSession = Pick<CliSession, 'service' | 'folderUri' | 'flags' | 'accountsDir'>;

/** The profiles of the configuration files, and which one the user chose for the folder. The caller disposes it. */
export async function openProfiles({
  service,
  accountsDir,
}: Pick<ProfileSession, 'service' | 'accountsDir'>): Promise<ToolProfiles> {
  return new ToolProfiles({
    service,
    // the editor's settings are not read here
    own: new ValueEmitter<unknown>(undefined),
    memory: await ProfileStore.open(accountsDir),
  });
}

/**
 * With the profile of `--profile` for this run, else with what `profile use` chose; without either every tool is in.
 * The caller disposes it.
 * @throws {HumanError} with code `usage` when there is no such profile, `configuration` when it is not understood.
 */
export async function chosenProfiles(session: ProfileSession): Promise<ToolProfiles> {
  const { service, folderUri, flags } = session;
  if (flags.profile === undefined) {
    const profiles = await openProfiles(session);
    const active = profiles.active(folderUri);
    try {
      return active ? checked(profiles, active.name, active.profile) : profiles;
    } catch (error) {
      profiles.dispose();
      throw error;
    }
  }
  const profiles = new ToolProfiles({
    service,
    own: new ValueEmitter<unknown>(undefined),
    memory: { recall: () => undefined, remember: async () => undefined },
  });
  try {
    await profiles.choose(folderUri, profileNamed(profiles, folderUri, flags.profile));
    return profiles;
  } catch (error) {
    profiles.dispose();
    throw error;
  }
}

/** The user's come first, so that no folder takes the place of one of theirs. @throws {HumanError} as {@link chosenProfiles} */
export function profileNamed(profiles: ToolProfiles, folderUri: string, name: string): ToolProfile {
  const found = profiles.list(folderUri).find((one) => one.name === name);
  if (!found) {
    const names = profiles.list(folderUri).map((one) => oneLine(one.name));
    throw new HumanError('usage', `There is no profile "${nameToken(name)}".`, {
      remedy:
        names.length > 0
          ? `Known profiles: ${names.join(', ')}.`
          : 'Write one under "settings.profiles" of a configuration file.',
    });
  }
  assertUnderstood(found);
  return found;
}

/** @param profile `undefined`: it was chosen, and is gone */
function checked(
  profiles: ToolProfiles,
  name: string,
  profile: ToolProfile | undefined,
): ToolProfiles {
  if (!profile) {
    const message = `The profile ${quotedName(name)}, which was chosen here, is missing.`;
    throw new HumanError('configuration', message, {
      remedy: 'Choose another one with "profile use", or none with "profile use --none".',
    });
  }
  assertUnderstood(profile);
  return profiles;
}

function assertUnderstood({ name, isBroken }: ToolProfile): void {
  if (isBroken) {
    const message = `Profile ${quotedName(name)} is invalid: no tools.`;
    throw new HumanError('configuration', message, {
      remedy: 'Correct "settings.profiles".',
    });
  }
}
