/** What a configuration holds, as it may be shown; and the secrets in it, to be masked wherever they turn up. */
import {
  asString,
  isJsonObject,
  type JsonObject,
  mapTexts,
  mapValues,
  parseJson,
} from '../../base/json.js';
import { findField, secretFieldNames } from '../schema/fields.js';
import { oauthSecretNames } from '../schema/oauthFields.js';
import {
  findInArgument,
  findInUrl,
  findInValue,
  isRealSecret,
  replaceSecrets,
} from './findSecrets.js';
import type { FoundSecret, TextPart } from './foundSecret.js';
import { isSecretName } from './secretNames.js';
import { redactedSentinel } from './sentinel.js';

function redact(text: string, found: readonly TextPart[]): string {
  return replaceSecrets(text, found);
}

/** Arguments with their secrets hidden. */
export function redactArgs(args: readonly string[]): readonly string[] {
  return args.map((arg, index) => redactArg(arg, args[index - 1]));
}

/** @param previous the argument before, which may be the flag that says what this one is. */
export function redactArg(arg: string, previous: unknown): string {
  return redact(arg, findInArgument(arg, previous));
}

/** The address with passwords and tokens hidden; variables stay as written. */
export function redactUrl(url: string): string {
  return redact(url, findInUrl(url));
}

/** The value of a variable, header or field of this name. */
export function redactValue(value: string, name: string): string {
  return redact(value, findInValue(value, name));
}

export function secretsInArgs(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, index) => secretsIn(arg, findInArgument(arg, args[index - 1])));
}

export function secretsInUrl(url: string): readonly string[] {
  return secretsIn(url, findInUrl(url));
}

export function secretsInValue(value: string, name: string): readonly string[] {
  return secretsIn(value, findInValue(value, name));
}

/** As written, and as whoever reads an address or a form will understand it. */
function secretsIn(text: string, found: readonly FoundSecret[]): readonly string[] {
  return found
    .map(({ start, end }) => text.slice(start, end))
    .filter(isRealSecret)
    .flatMap((secret) => [...new Set([secret, ...readings(secret)])]);
}

function readings(secret: string): readonly string[] {
  return [
    ...(/[%+]/.test(secret) ? [new URLSearchParams(`=${secret}`).get('') ?? secret] : []),
    // as it stands between the quotes of JSON, unless it is no more than a stray backslash
    ...(secret.includes('\\') ? [asString(parseJson(`"${secret}"`)) ?? secret] : []),
  ];
}

/** What stands before the only secret of an argument, at whose end it is: a flag, a name, a scheme. Else empty. */
export function secretLead(arg: string, previous: unknown): string {
  const [first, ...others] = findInArgument(arg, previous);
  return first && others.length === 0 && first.end === arg.length ? arg.slice(0, first.start) : '';
}

/** The entry as it may be shown: each secret value is the sentinel, keys and everything else stay. */
export function redactEntry(entry: JsonObject): JsonObject {
  return mapValues(entry, (value, name) => redactField(name, value));
}

function redactField(name: string, value: unknown): unknown {
  if (secretFieldNames.includes(name)) {
    return isJsonObject(value) ? mapValues(value, redactItem) : redactedSentinel;
  }
  const field = findField(name);
  const canonical = field?.name;
  if ((canonical === 'args' || canonical === 'command') && Array.isArray(value)) {
    return redactItems(value);
  }
  if (canonical === 'url' && typeof value === 'string') {
    return redactUrl(value);
  }
  if (canonical === 'toolOverrides' && isJsonObject(value)) {
    return mapValues(value, (one) => (isJsonObject(one) ? redactOverride(one) : one));
  }
  const isOwn = field !== undefined && field.role !== 'foreign';
  if (!isOwn) {
    return redactDeep(value, name);
  }
  return canonical === 'oauth' || canonical === 'auth' ? redactDeep(value) : value;
}

/** What an entry says of a tool, with the fixed arguments hidden that hold a secret. */
export function redactOverride(override: JsonObject): JsonObject {
  const { arguments: fixed } = override;
  return isJsonObject(fixed)
    ? {
        ...override,
        arguments: mapValues(fixed, (item, name) =>
          holdsSecret(item, name) ? redactedSentinel : item,
        ),
      }
    : override;
}

/** @param name of the argument, or of the property in it */
export function holdsSecret(value: unknown, name: string): boolean {
  if (typeof value === 'string') {
    return redactItem(value, name) === redactedSentinel;
  }
  return Array.isArray(value)
    ? value.some((item) => holdsSecret(item, name))
    : isJsonObject(value) && Object.entries(value).some(([key, item]) => holdsSecret(item, key));
}

/** Whole or not at all, so that a form can keep what it does not show. */
function redactItem(value: unknown, name: string): unknown {
  const isOpen =
    typeof value !== 'string' || (!value.startsWith('!') && redactValue(value, name) === value);
  return isOpen ? value : redactedSentinel;
}

function redactItems(values: readonly unknown[]): readonly unknown[] {
  return values.map((value, index) =>
    typeof value === 'string' ? redactArg(value, values[index - 1]) : value,
  );
}

/** @param name of the member, or of the list, that holds it */
function redactDeep(value: unknown, name = ''): unknown {
  const isSecret = (key: string) => isSecretName(key) || oauthSecretNames.includes(key);
  return mapTexts(value, (text, key) => (isSecret(key) ? redactedSentinel : text), name);
}
