/** Hides secrets: in text that mentions a launch, and in entries that are shown for editing. */
import { isJsonObject, type JsonObject } from '../../base/json.js';
import { toWellFormed } from '../../base/text/wellFormed.js';
import { findField, secretFieldNames } from '../schema/fields.js';
import { oauthSecretNames } from '../schema/oauthFields.js';
import { redactArg } from './secretArgs.js';
import { isSecretName, redactUrl } from './secretShapes.js';
import { redactedSentinel } from './sentinel.js';

// shorter values such as `1` or `dev` would mask half of every log line and hide nothing
const minSecretLength = 4;

/**
 * Replaces every occurrence of a secret, also URL-encoded, escaped as JSON, also within JSON, in hexadecimal digits, or in
 * Base64 as a part of anything, such as `user:secret`.
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  const spellings = secrets
    .filter((secret) => secret.length >= minSecretLength)
    .flatMap(spellingsOf);
  // longest first: a secret may contain another one
  const ordered = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  const whole = ordered.reduce(
    (masked, spelling) => masked.replaceAll(spelling, redactedSentinel),
    text,
  );
  // texts are bounded before they get here, and may have been cut in the middle of a secret
  return whole
    .split('…')
    .map((part) => ordered.reduce(maskCutSecret, part))
    .join('…');
}

// fewer letters turn up by chance, and say little
const minCutLength = 6;

/** Replaces the beginning of a secret at the end of the text. */
function maskCutSecret(text: string, spelling: string): string {
  const from = Math.max(0, text.length - spelling.length + 1);
  const head = spelling.slice(0, minCutLength);
  if (head.length < minCutLength) {
    return text;
  }
  for (let start = text.indexOf(head, from); start !== -1; start = text.indexOf(head, start + 1)) {
    if (spelling.startsWith(text.slice(start))) {
      return text.slice(0, start) + redactedSentinel;
    }
  }
  return text;
}

/** The entry as it may be shown: each secret value is the sentinel, keys and everything else stay. */
export function redactEntry(entry: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [name, redactField(name, value)]),
  );
}

function redactField(name: string, value: unknown): unknown {
  if (secretFieldNames.includes(name)) {
    return isJsonObject(value) ? mapValues(value, () => redactedSentinel) : redactedSentinel;
  }
  const field = findField(name);
  const canonical = field?.name;
  if ((canonical === 'args' || canonical === 'command') && Array.isArray(value)) {
    return redactValues(value);
  }
  if (canonical === 'url' && typeof value === 'string') {
    return redactUrl(value);
  }
  const isOwn = field !== undefined && field.role !== 'foreign';
  if (!isOwn && typeof value === 'string') {
    return isSecretName(name) ? redactedSentinel : value;
  }
  return canonical === 'oauth' || canonical === 'auth' || !isOwn ? redactDeep(value) : value;
}

function redactValues(values: readonly unknown[]): readonly unknown[] {
  return values.map((value, index) =>
    typeof value === 'string' ? redactArg(value, values[index - 1]) : value,
  );
}

function redactDeep(value: unknown): unknown {
  if (!isJsonObject(value)) {
    return value;
  }
  return mapValues(value, (item, key) =>
    typeof item === 'string' && (isSecretName(key) || oauthSecretNames.includes(key))
      ? redactedSentinel
      : redactDeep(item),
  );
}

function mapValues(
  object: JsonObject,
  change: (value: unknown, key: string) => unknown,
): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, change(value, key)]),
  );
}

function spellingsOf(secret: string): readonly string[] {
  const escaped = escapeForJson(secret);
  const wellFormed = toWellFormed(secret);
  const component = encodeURIComponent(wellFormed);
  const bytes = Buffer.from(wellFormed);
  const hex = bytes.toString('hex');
  return [
    secret,
    encodeURI(wellFormed),
    component,
    component.replace(/%../g, (code) => code.toLowerCase()),
    new URLSearchParams([['', wellFormed]]).toString().slice(1),
    asQuery(wellFormed),
    escaped,
    // what a server wrote as JSON into a text stands within the JSON of a message
    escapeForJson(escaped),
    hex,
    hex.toUpperCase(),
    ...base64Cores(bytes),
  ];
}

// fewer letters of Base64 turn up by chance
const minCoreLength = 6;

/** What is the same in Base64 wherever the bytes stand in a longer text; there are three ways to be aligned. */
function base64Cores(bytes: Buffer): readonly string[] {
  const cores = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // a letter holds six bits; one that shares its bits with other bytes differs
    const start = Math.ceil((before * 8) / 6);
    return encoded.slice(start, Math.floor(((before + bytes.length) * 8) / 6));
  });
  return cores
    .filter((core) => core.length >= minCoreLength)
    .flatMap((core) => [core, core.replaceAll('+', '-').replaceAll('/', '_')]);
}

/** As the parser of addresses leaves a value that was written into a query as it is. */
function asQuery(text: string): string {
  return new URL(`http://localhost/?${text.replaceAll('#', '%23')}`).search.slice(1);
}

function escapeForJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
