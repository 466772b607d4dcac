/** Text of files and servers on its way to a terminal or into a report: it is read, never obeyed. */
import { largest } from '../lists.js';

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
  const longest = largest(
    (line.match(/`+/g) ?? []).map((run) => run.length),
    0,
  );
  const fence = '`'.repeat(longest + 1);
  // blanks keep a backtick at an end, or a text of blanks, apart from the fence
  return line === '' ? '' : `${fence} ${line} ${fence}`;
}

/** A document whose text stays the same for programs. @param indent 0: in one line */
export function jsonText(document: unknown, indent = 2): string {
  return JSON.stringify(document, undefined, indent).replace(unseen, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return shortEscapes[character] ?? `\\u{${code}}`;
}
