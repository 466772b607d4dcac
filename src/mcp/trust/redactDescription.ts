import type { LaunchDescription, NamedText } from '../../config/launch/launchDescription.js';
import {
  findInArgument,
  findInUrl,
  findInValue,
  replaceSecrets,
} from '../../config/secrets/findSecrets.js';
import type { FoundSecret } from '../../config/secrets/foundSecret.js';
import { isInertSecret } from '../../config/secrets/secretValues.js';
import { redactedSentinel } from '../../config/secrets/sentinel.js';

/** The description for every place but the question about consent: literal secrets are masked, commands too. */
export function redactDescription(description: LaunchDescription): LaunchDescription {
  const redacted = replaceIn(description, (text, found) =>
    text.startsWith('!') ? redactedSentinel : replaceSecrets(text, found),
  );
  return {
    ...redacted,
    reads: description.reads.map((read) =>
      read.kind === 'command' ? { ...read, name: redactedSentinel } : read,
    ),
  };
}

/**
 * The description for the question about consent: what could run, or say what runs, is shown whatever it is called.
 * Only secrets that are nothing but a row of letters, digits and a few marks are masked.
 */
export function consentDescription(description: LaunchDescription): LaunchDescription {
  return replaceIn(description, (text, found) =>
    replaceSecrets(
      text,
      found.filter(({ start, end }) => isInertSecret(text.slice(start, end))),
    ),
  );
}

type Replace = (text: string, found: readonly FoundSecret[]) => string;

function replaceIn(description: LaunchDescription, replace: Replace): LaunchDescription {
  const { argv, env, headers, settings, addresses } = description;
  const named = ({ name, text }: NamedText) => ({
    name,
    text: replace(text, findInValue(text, name)),
  });
  return {
    ...description,
    argv: argv.map((arg, index) =>
      replace(arg, findInArgument(arg, index > 1 ? argv[index - 1] : undefined)),
    ),
    env: env.map(named),
    headers: headers.map(named),
    settings: settings.map(({ name, text }) => ({
      ...named({ name: name.split('.').at(-1) ?? name, text }),
      name,
    })),
    addresses: addresses.map(({ text, ...address }) => ({
      ...address,
      text: replace(text, findInUrl(text)),
    })),
  };
}
