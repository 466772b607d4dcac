/** Secrets of addresses, wherever they stand in a text. */
import type { FoundSecret, Origin, TextPart } from './foundSecret.js';
import { isIdentifierName, isSecretParameter } from './secretNames.js';
import {
  isLiteral,
  isPlaceholder,
  isSwitch,
  looksLikeCredential,
  looksRandom,
} from './secretValues.js';

const authority = /[^/?#\s"'<>`\\]*/y;
const restOfAddress = /[^\s"'<>`\\]*/y;
/** Lead, name and value of a parameter, each as written. */
export const urlParameter = /([?&;#])([^?=&#;]{1,100})=([^&#;]*)/g;

/**
 * Passwords and tokens of addresses; of a configuration also long random parts of their paths and queries.
 * @returns where the addresses stand, in order.
 */
export function findInAddresses(
  text: string,
  origin: Origin,
  found: FoundSecret[],
): readonly TextPart[] {
  const addresses: TextPart[] = [];
  for (let at = text.indexOf('://'); at !== -1; ) {
    const start = at + 3;
    authority.lastIndex = start;
    const [host = ''] = authority.exec(text) ?? [];
    findUser(host, start, found);
    const behind = start + host.length;
    restOfAddress.lastIndex = behind;
    const [rest = ''] = restOfAddress.exec(text) ?? [];
    findParameters(rest, behind, origin, found);
    if (origin === 'configuration') {
      findSegments(rest, behind, found);
    }
    addresses.push({ start: at, end: behind + rest.length });
    at = text.indexOf('://', behind + rest.length);
  }
  return addresses;
}

/** A name is no secret, unless it looks like a token that stands for both. */
function findUser(host: string, start: number, found: FoundSecret[]): void {
  const end = host.lastIndexOf('@');
  const user = host.slice(0, Math.max(0, end)).split(':', 1)[0] ?? '';
  const password = host.slice(user.length + 1, Math.max(0, end));
  if (isLiteral(user) && looksLikeCredential(decode(user))) {
    found.push({ start, end: start + user.length, reason: 'password' });
  }
  if (isLiteral(password) && !isPlaceholder(password)) {
    found.push({ start: start + user.length + 1, end: start + end, reason: 'password' });
  }
}

// what stands alone in an address is no word of a text
const minPartLength = 16;

function findParameters(rest: string, start: number, origin: Origin, found: FoundSecret[]): void {
  for (const { 0: whole, 2: name = '', 3: value = '', index } of rest.matchAll(urlParameter)) {
    const key = decode(name);
    const isNamed = isSecretParameter(key) && isLiteral(value) && !isPlaceholder(value);
    const isRandom =
      origin === 'configuration' &&
      !isIdentifierName(key) &&
      looksRandom(decode(value), minPartLength);
    if ((isNamed && !isSwitch(value)) || isRandom) {
      const end = start + index + whole.length;
      found.push({ start: end - value.length, end, reason: isNamed ? 'name' : 'random' });
    }
  }
}

function findSegments(rest: string, start: number, found: FoundSecret[]): void {
  const [path = ''] = /^[^?#]*/.exec(rest) ?? [];
  for (const { 0: segment, index } of path.matchAll(/[^/]+/g)) {
    const [word = segment] = /^[^@:;,]*/.exec(segment) ?? [];
    if (looksRandom(word, minPartLength)) {
      found.push({ start: start + index, end: start + index + word.length, reason: 'random' });
    }
  }
}

function decode(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text;
  } catch {
    // a stray percent sign: the text is literal
    return text;
  }
}
