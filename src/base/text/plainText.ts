/** Text of files and servers on its way to a terminal or into a report: it is read, never obeyed. */
import { largest } from '../lists.js';
import { escapeUnits } from './showHidden.js';

/** Control characters but for line ends and tabs, and what changes the direction of reading or shows nothing. */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Of many lines; a terminal does nothing but show it. */
export function terminalText(text: string): string {
  return text.replace(unseen, escapeCharacter);
}

/** As {@link terminalText}, in one line: whoever wrote it cannot add one of ours. */
export function oneLine(text: string): string {
  return terminalText(text).replace(/[\n\t]/g, escapeCharacter);
}

/** Markdown that shows the text in one line, whatever marks, links or mentions it holds. */
export function markdownText(text: string): string {
  const line = oneLine(text);
  if (/^[\p{L}\p{N}](?:[\p{L}\p{N} ,;()'"/=+.-]|:(?!\/\/))*$/u.test(line)) {
    return line;
  }
  const ticks = ticksBeyond(line, 1);
  // blanks keep a backtick at an end, or a text of blanks, apart from the fence
  return line === '' ? '' : `${ticks} ${line} ${ticks}`;
}

/** A Markdown code block that the text cannot end. @param language Default: none. */
export function fence(text: string, language = ''): string {
  const ticks = ticksBeyond(text, 3);
  return `${ticks}${language}\n${text}\n${ticks}`;
}

/** More backticks than the text has in a row. */
function ticksBeyond(text: string, least: number): string {
  const runs = Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length);
  return '`'.repeat(Math.max(least, largest(runs) + 1));
}

/** A document whose text stays the same for programs. @param indent 0: in one line */
export function jsonText(document: unknown, indent = 2): string {
  return JSON.stringify(document, undefined, indent).replace(unseen, escapeUnits);
}

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** As JavaScript writes one in a string. */
export function escapeCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return shortEscapes[character] ?? `\\u{${code}}`;
}
