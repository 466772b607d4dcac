/** Hides secrets: in text that mentions a launch, and in entries that are shown for editing. */
import { isJsonObject, type JsonObject } from '../../base/json.js';
import { redactedSentinel } from '../mcpApi.js';
import { findField, secretFieldNames } from './fields.js';

// shorter values such as `1` or `dev` would mask half of every log line and hide nothing
const minSecretLength = 4;

/** Replaces every occurrence of a secret, also URL-encoded or escaped as JSON. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  const spellings = secrets
    .filter((secret) => secret.length >= minSecretLength)
    .flatMap(spellingsOf);
  // longest first: a secret may contain another one
  const ordered = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  return ordered.reduce((masked, spelling) => masked.replaceAll(spelling, redactedSentinel), text);
}

/** The entry as it may be shown: each secret value is the sentinel, keys and everything else stay. */
export function redactEntry(entry: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [name, redactField(name, value)]),
  );
}

/** Arguments with the values of token-like flags and well-known token shapes hidden. */
export function redactArgs(args: readonly string[]): readonly string[] {
  return args.map((arg, index) => redactArg(arg, args[index - 1]));
}

/** The address with user information and token-like query values hidden; variables stay as written. */
export function redactUrl(url: string): string {
  return url
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i, `$1${redactedSentinel}@`)
    .replace(/([?&])([^=&#]+)=([^&#]*)/g, (whole, lead: string, key: string, value: string) =>
      isSecretName(key) && isLiteral(value) ? `${lead}${key}=${redactedSentinel}` : whole,
    );
}

export function secretsInArgs(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, index) => {
    if (redactArg(arg, args[index - 1]) === arg) {
      return [];
    }
    return [arg.startsWith('-') ? arg.slice(arg.indexOf('=') + 1) : arg];
  });
}

export function secretsInUrl(url: string): readonly string[] {
  if (!URL.canParse(url)) {
    return [];
  }
  const { username, password, searchParams } = new URL(url);
  const query = [...searchParams].filter(([key]) => isSecretName(key)).map(([, value]) => value);
  return [username, password, ...query].filter((secret) => secret !== '').map(decode);
}

function redactField(name: string, value: unknown): unknown {
  if (secretFieldNames.includes(name)) {
    return isJsonObject(value) ? mapValues(value, () => redactedSentinel) : redactedSentinel;
  }
  const canonical = findField(name)?.name;
  if ((canonical === 'args' || canonical === 'command') && Array.isArray(value)) {
    return redactValues(value);
  }
  if (canonical === 'url' && typeof value === 'string') {
    return redactUrl(value);
  }
  return canonical === 'oauth' ? redactDeep(value) : value;
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
    typeof item === 'string' && (isSecretName(key) || key === 'assertion')
      ? redactedSentinel
      : redactDeep(item),
  );
}

function redactArg(arg: string, previous: unknown): string {
  const flag = /^(--?[\w.-]+)=(.*)$/s.exec(arg);
  if (flag?.[1] && isSecretName(flag[1]) && isLiteral(flag[2] ?? '')) {
    return `${flag[1]}=${redactedSentinel}`;
  }
  const isValueOfSecretFlag =
    typeof previous === 'string' && /^--?[\w.-]+$/.test(previous) && isSecretName(previous);
  if (isValueOfSecretFlag && isLiteral(arg) && !arg.startsWith('-')) {
    return redactedSentinel;
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(arg)) {
    return redactUrl(arg);
  }
  return arg.replace(tokenShape, redactedSentinel);
}

/** A reference such as `${TOKEN}` gives nothing away. */
export function isLiteral(value: string): boolean {
  return value !== '' && !/^(\$\{[^}]*\}|\$env:\w+|\{env:[^}]*\})$/.test(value);
}

const secretWords =
  /(^|[-_.])(token|secret|password|passwd|pwd|api-?_?key|apikey|access-?_?key|auth|authorization|bearer|credentials?|private-?_?key|signature|sig|pat)$/i;

/** The name of a variable, header, flag or query parameter says that its value is a credential. */
export function isSecretName(name: string): boolean {
  // camelCase counts as separate words: `accessToken`
  return secretWords.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2'));
}

// prefixes that their issuers reserve for tokens
const tokenShape =
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{16,}|xox[abprs]-[\w-]{10,}|AKIA[A-Z0-9]{16}|npm_[A-Za-z0-9]{30,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*)/g;

/** The text holds something in the shape of a well-known kind of token. */
export function holdsToken(text: string): boolean {
  return text.replace(tokenShape, '') !== text;
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
  return [
    secret,
    encodeURI(toWellFormed(secret)),
    encodeURIComponent(toWellFormed(secret)),
    JSON.stringify(secret).slice(1, -1),
  ];
}

// encodeURIComponent throws on half a surrogate pair
function toWellFormed(text: string): string {
  return text.replace(/[\uD800-\uDFFF]/gu, '\uFFFD');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // a stray percent sign: the text is literal
    return text;
  }
}
