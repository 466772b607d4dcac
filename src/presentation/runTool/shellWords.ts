/** Texts as one word of a shell. A copied line may be pasted into any shell of the system. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { showText } from '../../base/text/showText.js';

/** `windows`: PowerShell reads it as it is meant, and in cmd nothing in it is more than text. */
export type ShellKind = 'posix' | 'windows';

/** Every one of them ends a quoted text of PowerShell, and stands for itself when it is there twice. */
const powerShellQuotes = /['\u2018-\u201b]/g;
/** What cmd reads in any quotes, and what ends its line. */
const notForCmd = /["%!^&|<>\p{Cc}\p{Zl}\p{Zp}]/u;

/** @throws {HumanError} for what no line of the system can hold */
export function shellWord(text: string, kind: ShellKind): string {
  if (/^[\w./-]+$/.test(text) && !text.startsWith('-')) {
    return text;
  }
  return quoteWord(text, kind);
}

/** A program and its arguments. PowerShell only prints a text in quotes that it is not told to call. @throws as {@link shellWord} */
export function shellLine(words: readonly string[], kind: ShellKind): string {
  const line = words.map((word) => shellWord(word, kind)).join(' ');
  return kind === 'windows' && line.startsWith("'") ? `& ${line}` : line;
}

/** As {@link shellWord}, always in quotes. */
export function quoteWord(text: string, kind: ShellKind): string {
  if (kind === 'posix') {
    return `'${text.replaceAll("'", "'\\''")}'`;
  }
  if (notForCmd.test(text)) {
    throw new HumanError(
      'not_for_shell',
      l10n.t('A command line of Windows cannot hold this safely: {0}', showText(text)),
      { remedy: l10n.t('Copy the call as JSON instead.') },
    );
  }
  return `'${text.replace(powerShellQuotes, '$&$&')}'`;
}

/** A part of JSON text that begins and ends outside of its escapes, in quotes. */
export function quoteJsonPart(json: string, kind: ShellKind): string {
  return kind === 'posix' ? quoteWord(json, kind) : `'${plainJson(json)}'`;
}

/** The same JSON in which strings are written with letters, digits and what no shell reads; all else as escapes. */
function plainJson(json: string): string {
  return json.replace(/\\(["\\])|[^\w .,:;/@=+*?#~{}[\]"\\-]/g, (found, escaped?: string) =>
    [...Array((escaped ?? found).length).keys()]
      .map((at) => (escaped ?? found).charCodeAt(at).toString(16).padStart(4, '0'))
      .map((unit) => `\\u${unit}`)
      .join(''),
  );
}
