import type { LaunchDescription, NamedText } from '../../config/launch/launchDescription.js';
import { redactArgs } from '../../config/secrets/secretArgs.js';
import {
  holdsToken,
  isLiteral,
  isSecretName,
  redactUrl,
} from '../../config/secrets/secretShapes.js';
import { redactedSentinel } from '../../config/secrets/sentinel.js';

/** The description for every place but the question about consent: literal secrets are masked. */
export function redactDescription(description: LaunchDescription): LaunchDescription {
  const [command, ...args] = description.argv;
  return {
    ...description,
    argv: command === undefined ? [] : [command, ...redactArgs(args)],
    // they are secrets whatever they are called
    env: description.env.map((item) => redact(item, true)),
    headers: description.headers.map((item) => redact(item, true)),
    settings: description.settings.map((item) => redact(item, isSecretSetting(item.name))),
    addresses: description.addresses.map((item) => ({ ...item, text: redactUrl(item.text) })),
    reads: description.reads.map((read) =>
      read.kind === 'command' ? { ...read, name: redactedSentinel } : read,
    ),
  };
}

function isSecretSetting(name: string): boolean {
  const key = name.split('.').at(-1) ?? name;
  return key !== 'bearerTokenEnv' && (isSecretName(key) || key === 'assertion');
}

function redact({ name, text }: NamedText, isSecret: boolean): NamedText {
  const isCommand = text.startsWith('!');
  const hides = isCommand || holdsToken(text) || (isSecret && isLiteral(text));
  const [shown = text] = hides ? [redactedSentinel] : redactArgs([redactUrl(text)]);
  return { name, text: shown };
}
