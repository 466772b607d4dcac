import { escapeUnits, showHiddenInLine } from './showHidden.js';

/** Characters; more than any name that is meant to be read. */
const maxLength = 80;
/** Sentences stand around names in double quotation marks, of every language; an apostrophe ends none. */
const quotes =
  /(?![\u2018\u2019])["\p{Pi}\p{Pf}\u201e\u201f\u2033\u2036\u275d\u275e\u301d-\u301f\uff02]/gu;
/** One word that ends no sentence. */
const plainWord = /^\/?[\p{L}\p{N}_](?:[\p{L}\p{N}_@./:-]*[\p{L}\p{N}_])?$/u;

/**
 * What others call themselves, where it stands in words of ours: shortened, in one line, with escapes for what hides or
 * turns text and for every quotation mark, so that it neither ends our sentence nor goes on with it. It stands at the end
 * of the sentence, after a colon or a question mark. Twice is as once.
 */
export function nameToken(name: string): string {
  const characters = [...name.replace(/\s+/g, ' ')];
  const isLong = characters.length > maxLength;
  const short = isLong ? [...characters.slice(0, maxLength - 1), '…'] : characters;
  return showHiddenInLine(short.join('')).replace(quotes, escapeUnits);
}

/** As {@link nameToken}, where more follows in the sentence: in quotation marks, unless it is one plain word. */
export function quotedName(name: string): string {
  const token = nameToken(name);
  return plainWord.test(token) ? token : `“${token}”`;
}
