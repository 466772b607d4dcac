import { isJsonObject } from '../../base/json.js';
import type { McpHttpLaunch, McpServerLaunch, McpStdioLaunch } from '../../config/definition.js';
import { addressReach } from '../../config/launch/addressReach.js';
import type {
  LaunchDescription,
  LaunchFacts,
  NamedText,
} from '../../config/launch/launchDescription.js';
import { addressesOf } from '../../config/launch/launchTraits.js';
import { traitsWithWords } from '../../config/launch/plainLaunch.js';
import { variablesOf } from '../../config/launch/variables.js';

/** What a description needs to know beside the entry. */
export interface LaunchSurroundings {
  /** One of the user's own servers has the same name. */
  readonly isGlobalName: boolean;
  /** What was found on this machine. Default: nobody has looked. */
  readonly facts?: LaunchFacts | undefined;
}

/** The one description of a launch: what is consented to, shown and executed. Pure; looks nothing up. */
export function describeLaunch(
  launch: McpServerLaunch,
  { isGlobalName, facts }: LaunchSurroundings,
): LaunchDescription {
  const own = launch.kind === 'stdio' ? describeProcess(launch, facts) : describeRemote(launch);
  return {
    ...own,
    reads: variablesOf(launch).map(({ kind, name, field }) => ({ kind, name, field })),
    traits: traitsWithWords(launch, isGlobalName),
  };
}

type OwnPart = Omit<LaunchDescription, 'reads' | 'traits'>;

function describeProcess(launch: McpStdioLaunch, facts: LaunchFacts | undefined): OwnPart {
  return {
    kind: 'stdio',
    argv: [launch.command, ...launch.args],
    executable: facts?.executable,
    package: facts?.package,
    cwd: {
      written: launch.cwd,
      found: facts?.cwd,
      isOutsideFolder: facts !== undefined && !facts.cwd.isInFolder,
    },
    envFile:
      launch.envFile === undefined ? undefined : { written: launch.envFile, ...facts?.envFile },
    inheritEnv: launch.inheritEnv,
    env: namedTexts(launch.env),
    headers: [],
    settings: settingsOf({ protocolVersion: launch.protocolVersion }),
    addresses: [],
  };
}

function describeRemote(launch: McpHttpLaunch): OwnPart {
  const { oauth, transport, auth, bearerToken, bearerTokenEnv, protocolVersion } = launch;
  return {
    kind: 'http',
    argv: [],
    inheritEnv: false,
    env: [],
    headers: namedTexts(launch.headers),
    settings: settingsOf({
      transport: transport === 'auto' ? undefined : transport,
      protocolVersion,
      auth,
      bearerToken,
      bearerTokenEnv,
      ignoreCertificateErrors: launch.ignoreCertificateErrors || undefined,
      oauth: withoutAddresses(oauth),
    }),
    addresses: addressesOf(launch).map(({ field, text }) => ({
      field,
      text,
      reach: addressReach(text),
    })),
  };
}

function namedTexts(values: Readonly<Record<string, string>>): readonly NamedText[] {
  return Object.entries(values).map(([name, text]) => ({ name, text }));
}

/** Addresses are described on their own. */
function withoutAddresses(oauth: McpHttpLaunch['oauth']): unknown {
  if (!oauth) {
    return undefined;
  }
  const addresses = new Set(addressesOf({ oauth }).map(({ field }) => field));
  const without = (lead: string, values: object) =>
    Object.fromEntries(Object.entries(values).filter(([key]) => !addresses.has(`${lead}.${key}`)));
  const { identityProvider } = oauth;
  return {
    ...without('oauth', oauth),
    identityProvider: identityProvider && without('oauth.identityProvider', identityProvider),
  };
}

/** Every value that is set, with the path of its field as name. */
function settingsOf(values: Readonly<Record<string, unknown>>, lead = ''): readonly NamedText[] {
  return Object.entries(values).flatMap(([key, value]): readonly NamedText[] => {
    if (value === undefined) {
      return [];
    }
    const name = `${lead}${key}`;
    return isJsonObject(value)
      ? settingsOf(value, `${name}.`)
      : [{ name, text: typeof value === 'string' ? value : JSON.stringify(value) }];
  });
}
