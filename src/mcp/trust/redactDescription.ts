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
 * Only secrets that are nothing but a row of letters, digits and a few marks are masked, and of headers and settings,
 * which are sent and run nothing, all that can be seen and reads nothing.
 */
export function consentDescription(description: LaunchDescription): LaunchDescription {
  const maskIf =
    (isMasked: (secret: string) => boolean): Replace =>
    (text, found) =>
      replaceSecrets(
        text,
        found.filter(({ start, end }) => isMasked(text.slice(start, end))),
      );
  const inert = maskIf(isInertSecret);
  const sent = maskIf((secret) => isInertSecret(secret) || isPlainText(secret));
  return replaceIn(description, inert, (text, found) =>
    (text.startsWith('!') ? inert : sent)(text, found),
  );
}

/** Nothing in it hides, and no variable. */
function isPlainText(secret: string): boolean {
  return /^[\x20-\x7e]*$/.test(secret) && !/[${]/.test(secret);
}

type Replace = (text: string, found: readonly FoundSecret[]) => string;

function replaceIn(
  description: LaunchDescription,
  replace: Replace,
  replaceSent = replace,
): LaunchDescription {
  const { argv, env, headers, settings, addresses } = description;
  const named = (replaceIt: Replace, { name, text }: NamedText) => ({
    name,
    text: replaceIt(text, findInValue(text, name)),
  });
  return {
    ...description,
    argv: argv.map((arg, index) =>
      replace(arg, findInArgument(arg, index > 1 ? argv[index - 1] : undefined)),
    ),
    env: env.map((one) => named(replace, one)),
    headers: headers.map((one) => named(replaceSent, one)),
    settings: settings.map(({ name, text }) => ({
      ...named(replaceSent, { name: name.split('.').at(-1) ?? name, text }),
      name,
    })),
    addresses: addresses.map(({ text, ...address }) => ({
      ...address,
      text: replace(text, findInUrl(text)),
    })),
  };
}
