/** The causes of `docs/troubleshooting.md`: code and sentence come from the product, the fix is written there. */
import { coreErrors, editorErrors, problemCodes } from '../../../src/base/errorCodes.js';
import { escapeCell, markdownTable, readSection } from './sections.js';

const page = 'docs/troubleshooting.md';

/** Part of the page → what fails. */
const parts = new Map<string, Readonly<Record<string, string>>>([
  ['causes everywhere', coreErrors],
  ['causes in VS Code', editorErrors],
  ['problems of files', problemCodes],
]);
export const causeParts = [...parts.keys()];

/** The part as it has to be, with the fixes that stand in it. */
export function causesTable(part: string): string {
  const fixes = readFixes(part);
  const rows = Object.entries(parts.get(part) ?? {}).map(([code, text]) => [
    `\`${code}\``,
    escapeCell(text),
    fixes.get(code) ?? '',
  ]);
  return markdownTable(['code', 'what it says', 'what to do'], rows);
}

/** Code → what to do. */
export function readFixes(part: string): ReadonlyMap<string, string> {
  const rows = readSection(page, part).matchAll(/^\| `([\w-]+)` \|.* \| (.*?) \|$/gm);
  return new Map([...rows].map(([, code = '', fix = '']) => [code, fix] as const));
}
