/** The log of calls as a file for other programs. */
import { jsonText } from '../../base/text/plainText.js';
import type { CallRecord } from './callRecord.js';

const columns = [
  'time',
  'by',
  'name',
  'folder',
  'server',
  'tool',
  'arguments',
  'outcome',
  'ms',
  'size',
  'approval',
  'rule',
  'trace',
] as const satisfies readonly (keyof CallRecord)[];

export function callsAsJsonLines(calls: readonly CallRecord[]): string {
  return calls.map((call) => `${jsonText(call, 0)}\n`).join('');
}

/** As in RFC 4180, with the line ends of JSON lines. No cell is a formula to a spreadsheet. */
export function callsAsCsv(calls: readonly CallRecord[]): string {
  const rows = calls.map((call) => columns.map((column) => cell(call[column])));
  return [columns, ...rows].map((row) => `${row.join(',')}\n`).join('');
}

function cell(value: CallRecord[keyof CallRecord]): string {
  if (typeof value === 'number') {
    return String(value);
  }
  const text = typeof value === 'object' ? JSON.stringify(value) : (value ?? '');
  return `"${inert(text).replaceAll('"', '""')}"`;
}

/** A text that a spreadsheet would calculate, also behind blanks and in wide letters, has an apostrophe in front. */
function inert(text: string): string {
  return /^[\s\p{C}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text;
}
