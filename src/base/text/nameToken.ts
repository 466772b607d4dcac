import { quoteText } from './showText.js';

/** Characters; more than any name that is meant to be read. */
const maxLength = 80;
/** Sentences stand around names in quotation marks of every language; an apostrophe ends none. */
const quotes = /[\p{Pi}\p{Pf}\u201e\u201f\u2033\u2036\u275d\u275e\u301d-\u301f\uff02]/gu;
const apostrophes = /[\u2018\u2019]/;

/**
 * What others call themselves, where it stands in words of ours: shortened, in one line, with escapes for what hides or
 * turns text and for every quotation mark, so that it neither ends our sentence nor goes on with it.
 */
export function nameToken(name: string): string {
  const characters = [...name];
  const isLong = characters.length > maxLength;
  const short = isLong ? `${characters.slice(0, maxLength - 1).join('')}…` : name;
  return quoteText(short)
    .slice(1, -1)
    .replace(quotes, (mark) =>
      apostrophes.test(mark) ? mark : `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`,
    );
}
