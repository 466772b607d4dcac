/** `profile list` and `profile use`: what VS Code does with *Select Profile…*, for the command line. */
import { defaultToolPolicy } from '../../agent/policy/toolPolicy.js';
import { nameToken, quotedName } from '../../base/text/nameToken.js';
import { type ProfileChoice, profileChoices } from '../../presentation/switching/profileChoices.js';
import { type CliResult, resultOf } from '../cliTypes.js';
import { connectAll, exitStatus, tellMissing } from '../connect.js';
import type { CliSession } from '../session.js';
import { openProfiles, profileNamed } from './profile.js';

/** Connects nothing, unless tools and tokens are asked for. */
export async function runProfileList(session: CliSession): Promise<CliResult> {
  const { service, folderUri, flags, directTools } = session;
  const servers = flags.tokens ? service.serversFor(folderUri) : [];
  await connectAll(session, servers);
  tellMissing(session, servers);
  const profiles = await openProfiles(session);
  try {
    const choices = await profileChoices(folderUri, {
      service,
      profiles,
      switches: { isOn: () => true },
      budget: defaultToolPolicy.budget,
      directTools,
    });
    const active = profiles.active(folderUri);
    const isMissing = active !== undefined && !active.profile;
    const document = {
      profiles: choices.map((choice) => documentOf(choice, flags.tokens)),
      ...(isMissing && { missing: { name: active.name, source: active.source } }),
    };
    const lines = choices.map((choice) => lineOf(choice, flags.tokens));
    const missing = isMissing
      ? [`The profile ${quotedName(active.name)}, which was chosen here, is missing.`]
      : [];
    return resultOf(document, [...lines, ...missing], exitStatus(session, servers));
  } finally {
    profiles.dispose();
  }
}

/** @param name `undefined`: none, so that every tool is in */
export async function runProfileUse(
  session: CliSession,
  name: string | undefined,
): Promise<CliResult> {
  const { folderUri } = session;
  const profiles = await openProfiles(session);
  try {
    const profile = name === undefined ? undefined : profileNamed(profiles, folderUri, name);
    await profiles.choose(folderUri, profile);
    const said = profile
      ? `The command line uses this profile in this folder: ${nameToken(profile.name)}`
      : 'The command line uses every tool in this folder.';
    const chosen = profile ? { name: profile.name, source: profile.source } : null;
    return resultOf({ profile: chosen }, [said]);
  } finally {
    profiles.dispose();
  }
}

function documentOf({ ref, isChosen, isFlawed, cost }: ProfileChoice, hasTokens: boolean) {
  return {
    name: ref?.name ?? null,
    source: ref?.source ?? null,
    isChosen,
    isFlawed,
    ...(hasTokens && cost),
  };
}

function lineOf(choice: ProfileChoice, hasTokens: boolean): string {
  const { label, description, detail, isChosen, isFlawed } = choice;
  const rest = hasTokens || isFlawed ? `: ${detail}` : '';
  return `${isChosen ? '*' : ' '} ${label} (${description})${rest}`;
}
