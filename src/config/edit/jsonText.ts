/** The layout of JSON text with comments: line ends, indentation, and what stands between values. */
import { isJsonObject } from '../../base/json.js';

interface TextStyle {
  readonly eol: string;
  /** One step of indentation. */
  readonly unit: string;
}

export function styleOf(text: string): TextStyle {
  return {
    eol: /\r\n|\n/.exec(text)?.[0] ?? '\n',
    unit: /^([ \t]+)"/m.exec(text)?.[1] ?? '  ',
  };
}

export function isMultiline(text: string): boolean {
  return text.trim() === '' || text.trim().includes('\n');
}

/** @param indent of the line on which the value begins. */
export function stringify(
  value: unknown,
  style: TextStyle,
  indent: string,
  isLong: boolean,
): string {
  const isShort = !isLong || (Array.isArray(value) && isShortArray(value));
  if (isShort) {
    // a line break outside of a string is layout, inside of one it is escaped
    return JSON.stringify(value, undefined, 1)
      .replace(/\n\s*/g, ' ')
      .replace(/^\[ /, '[')
      .replace(/ \]$/, ']');
  }
  if (isJsonObject(value)) {
    return stringifyObject(value, style, indent);
  }
  return JSON.stringify(value, undefined, style.unit).replaceAll('\n', style.eol + indent);
}

function stringifyObject(
  value: Readonly<Record<string, unknown>>,
  style: TextStyle,
  indent: string,
): string {
  const inner = indent + style.unit;
  const lines = Object.entries(value).map(
    ([name, item]) => `${inner}${JSON.stringify(name)}: ${stringify(item, style, inner, true)}`,
  );
  return lines.length === 0
    ? '{}'
    : `{${style.eol}${lines.join(`,${style.eol}`)}${style.eol}${indent}}`;
}

function isShortArray(items: readonly unknown[]): boolean {
  return (
    items.every((item) => typeof item !== 'object' || item === null) &&
    JSON.stringify(items).length <= 80
  );
}

/** Offset of the comma that follows, comments and white space aside. */
export function commaAfter(text: string, from: number): number | undefined {
  const at = skipTrivia(text, from);
  return text[at] === ',' ? at : undefined;
}

/** Behind white space and comments. */
function skipTrivia(text: string, from: number): number {
  const trivia = /(?:\s+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
  trivia.lastIndex = from;
  return from + (trivia.exec(text)?.[0].length ?? 0);
}

/** The end of the line, in front of its line break, when only blanks and comments are left on it. */
export function endOfLine(text: string, from: number): number | undefined {
  const end = skipBlanksAndComments(text, from);
  return /^(?:\r?\n|$)/.test(text.slice(end, end + 2)) ? end : undefined;
}

/** Whether the rest of the line begins with the bracket that closes the object or array, comments aside. */
export function isClosedOnLine(text: string, from: number): boolean {
  return ['}', ']'].includes(text[skipBlanksAndComments(text, from)] ?? '');
}

function skipBlanksAndComments(text: string, from: number): number {
  const rest = /[ \t]*(?:\/\*[^\r\n]*?\*\/[ \t]*)*(?:\/\/[^\r\n]*)?/y;
  rest.lastIndex = from;
  return from + (rest.exec(text)?.[0].length ?? 0);
}

/** Behind the blanks at `from`, on the same line. */
export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') {
    at++;
  }
  return at;
}

/** In front of the blanks that end at `to`, on the same line. */
export function skipBlanksBack(text: string, to: number): number {
  let at = to;
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) {
    at--;
  }
  return at;
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Behind the line break of the line, or the end of the text. */
export function nextLine(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  return newline === -1 ? text.length : newline + 1;
}

export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

export function isFirstOnLine(text: string, offset: number): boolean {
  return text[skipBlanksBack(text, offset) - 1] === '\n';
}

export function isBlank(text: string, start: number, end: number): boolean {
  return text.slice(start, end).trim() === '';
}

export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What several of them remove goes once. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let edited = '';
  let done = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    edited += text.slice(done, edit.start) + edit.text;
    done = Math.max(done, edit.end);
  }
  return edited + text.slice(done);
}
