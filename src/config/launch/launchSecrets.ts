/** The secrets of a launch, to be masked wherever they turn up. */
import type { McpServerLaunch } from '../definition.js';
import { findInArgument, findInUrl, findInValue, isRealSecret } from '../secrets/findSecrets.js';
import type { FoundSecret } from '../secrets/foundSecret.js';
import { secretsInArgs, secretsInUrl, secretsInValue } from '../secrets/redact.js';
import { looksLikeCredential } from '../secrets/secretValues.js';
import { parseTemplate, type TemplatePart, templateFields } from './variables.js';

/** Where a text stands: `field` as {@link templateFields} names it. */
export interface LaunchFieldPlace {
  readonly field: string;
  /** The argument before. */
  readonly previous?: string | undefined;
}

/** What of the value of a field is secret, variables resolved. */
export function secretsInField(
  value: string,
  { field, previous }: LaunchFieldPlace,
): readonly string[] {
  if (isList(field)) {
    const all = secretsInArgs([previous ?? '', value]);
    return all.slice(secretsInArgs([previous ?? '']).length);
  }
  if (isAddress(field)) {
    return secretsInUrl(value);
  }
  return [...secretsInValue(value, nameOf(field)), ...basicCredentials(value)];
}

/**
 * Whether the value of a variable is one, by its own name, its look, or the place in the text that it is written into.
 * @param index of the variable among `parts`.
 */
export function isSecretVariable(
  value: string,
  parts: readonly TemplatePart[],
  index: number,
  place: LaunchFieldPlace,
): boolean {
  const part = parts[index];
  if (part?.kind !== 'variable' || !isRealSecret(value)) {
    return false;
  }
  const texts = (standIn: string) =>
    parts.map((other, at) => (at === index ? standIn : other.kind === 'text' ? other.text : ''));
  const start = texts('').slice(0, index).join('').length;
  const isSecretAs = (standIn: string) =>
    findInField(texts(standIn).join(''), place).some(
      (found) => found.start <= start && start < found.end,
    );
  return (
    findInValue(value, part.variable.name).length > 0 ||
    isSecretAs(anyWord) ||
    (looksLikeCredential(value) && isSecretAs(anyCredential))
  );
}

// the value itself may hold characters that end an address or a word; these do not, and are too short for their look
const anyWord = 'opensesame';
const anyCredential = 'x7Kq9Zt4Wm2p';

/**
 * Every secret that the entry itself holds, and the values of the variables that it reads for one.
 * @param readVariable of the environment.
 */
export function secretsOfLaunch(
  launch: McpServerLaunch,
  readVariable: (name: string) => string | undefined,
): readonly string[] {
  let previous: string | undefined;
  return templateFields(launch).flatMap(({ field, value }) => {
    const place: LaunchFieldPlace = { field, previous: isList(field) ? previous : undefined };
    previous = value;
    const parts = parseTemplate(value);
    const read = parts.flatMap((part, index) => {
      const isVariable = part.kind === 'variable' && part.variable.kind === 'env';
      const text = isVariable ? readVariable(part.variable.name) : undefined;
      return text !== undefined && isSecretVariable(text, parts, index, place) ? [text] : [];
    });
    return [...secretsInField(value, place), ...read];
  });
}

/** The secrets of one field of a launch, as written. */
export function findInField(
  text: string,
  { field, previous }: LaunchFieldPlace,
): readonly FoundSecret[] {
  if (isList(field)) {
    return findInArgument(text, previous);
  }
  return isAddress(field) ? findInUrl(text) : findInValue(text, nameOf(field));
}

function isList(field: string): boolean {
  return field.startsWith('args[') || field === 'command';
}

function isAddress(field: string): boolean {
  return field === 'url';
}

/** `env.TOKEN` → `TOKEN`; those of an OAuth client have a path. */
function nameOf(field: string): string {
  const at = field.startsWith('oauth') ? field.lastIndexOf('.') : field.indexOf('.');
  return field.slice(at + 1);
}

/** What `Basic …` says once it is read: the user with the password, and the password. */
export function basicCredentials(text: string): readonly string[] {
  const [, encoded] = /^Basic\s+([A-Za-z0-9+/_-]+=*)$/i.exec(text) ?? [];
  if (encoded === undefined) {
    return [];
  }
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 0 ? [decoded] : [decoded, decoded.slice(colon + 1)];
}
