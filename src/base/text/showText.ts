/**
 * Text from outside as it is shown to somebody who decides by it: what cannot be seen, looks like a blank or changes
 * the direction of reading is written as an escape, so that two texts that look alike are alike.
 */

/** Letters that show nothing, beside those that Unicode lists as ignorable. */
const blankLetters = String.raw`\u2800\u{13441}\u{13442}`;
const hidden = String.raw`[\p{Default_Ignorable_Code_Point}${blankLetters}]`;
/** A few marks may stand on a letter; marks on nothing, or in heaps, hide what is under them. */
const letter = String.raw`(?!${hidden})[\p{L}\p{N}](?:(?!${hidden})[\p{Mn}\p{Mc}]){0,3}`;
const visible = new RegExp(String.raw`${letter}|[ -~]|(?!${hidden})\p{P}`, 'gu');

/** The text as it is if that can be read without doubt, else in double quotes with escapes. */
export function showText(text: string): string {
  const isPlain = !/^[ "]| $| {2}/.test(text) && text !== '' && hiddenParts(text).length === 0;
  return isPlain ? text : quoteText(text);
}

/** Always in double quotes; `\` and `"` are escaped as well. */
export function quoteText(text: string): string {
  let result = '';
  let at = 0;
  for (const { start, end } of hiddenParts(text)) {
    result += escapeQuotes(text.slice(at, start)) + escapeAll(text.slice(start, end));
    at = end;
  }
  return `"${result}${escapeQuotes(text.slice(at))}"`;
}

interface Part {
  readonly start: number;
  readonly end: number;
}

/** What lies between the visible characters. */
function hiddenParts(text: string): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const match of text.matchAll(visible)) {
    if (match.index > at) {
      parts.push({ start: at, end: match.index });
    }
    at = match.index + match[0].length;
  }
  return at < text.length ? [...parts, { start: at, end: text.length }] : parts;
}

function escapeQuotes(text: string): string {
  return text.replace(/["\\]/g, '\\$&');
}

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeAll(text: string): string {
  return [...text]
    .map(
      (character) =>
        shortEscapes[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
    )
    .join('');
}
