/** Hides known secrets, and what looks like one, in everything that anybody reads. */
import { findInText, replaceSecrets } from './findSecrets.js';
import { type TextPart, withoutOverlaps } from './foundSecret.js';
import { PhraseFinder } from './phraseFinder.js';
import { spellingsOf } from './spellings.js';

// shorter values such as `1` or `dev` would mask half of every log line and hide nothing
const minSecretLength = 4;
// shorter ones are parts of words
const minLooseLength = 8;
// fewer letters turn up by chance, and say little
const minCutLength = 6;
// in characters; what is longer is found part by part
const maxPhraseLength = 4096;

export type MaskText = (text: string) => string;

/**
 * Masks every occurrence of the secrets, also URL-encoded, escaped as JSON, also within JSON, in hexadecimal digits, or
 * in Base64 as a part of anything, such as `user:secret`; and what has the shape of a token or stands behind the name of
 * a secret. Made once for many texts; one pass over each.
 */
export function createMask(secrets: readonly string[]): MaskText {
  const known = secrets.filter(({ length }) => length >= minSecretLength);
  if (known.length === 0) {
    return maskText;
  }
  const finder = new PhraseFinder(phrasesOf(known));
  const words = new Set(known.filter(({ length }) => length < minLooseLength));
  return (text) => {
    const found = finder
      .find(text, '…', minCutLength)
      .filter((part) => !isInsideWord(text, part, words));
    return maskText(replaceSecrets(text, withoutOverlaps(found)));
  };
}

/** {@link createMask} without known secrets. */
export function maskText(text: string): string {
  return replaceSecrets(text, findInText(text));
}

/** As {@link createMask}, for secrets that come and go. */
export function createChangingMask(secrets: () => readonly string[]): MaskText {
  let known: readonly string[] = [];
  let mask: MaskText = maskText;
  return (text) => {
    const now = secrets();
    if (now.length !== known.length || now.some((secret, index) => secret !== known[index])) {
      known = now;
      mask = createMask(now);
    }
    return mask(text);
  };
}

/** A document with every text in it masked. */
export function maskDocument(value: unknown, mask: MaskText): unknown {
  const text = JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'string' ? mask(item) : item,
  );
  return text === undefined ? undefined : JSON.parse(text);
}

function phrasesOf(secrets: readonly string[]): ReadonlySet<string> {
  return new Set(secrets.flatMap(spellingsOf).flatMap((spelling) => cutIntoPhrases(spelling)));
}

function cutIntoPhrases(spelling: string): readonly string[] {
  const phrases: string[] = [];
  for (let at = 0; at < spelling.length; at += maxPhraseLength) {
    phrases.push(spelling.slice(at, at + maxPhraseLength));
  }
  return phrases.filter(({ length }) => length >= minSecretLength);
}

function isInsideWord(text: string, { start, end }: TextPart, words: ReadonlySet<string>): boolean {
  return (
    words.has(text.slice(start, end)) &&
    (/\w/.test(text.charAt(start - 1)) || /\w/.test(text.charAt(end)))
  );
}
