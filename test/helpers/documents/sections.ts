/** Parts of documents that are written from tables of the product, between `<!-- NAME -->` and `<!-- end of NAME -->`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';

/** The part has to be there as it is made; `UPDATE_GOLDEN=1` writes it. */
export function expectSection(document: string, name: string, body: string): void {
  const text = readFileSync(document, 'utf8');
  const { before, after } = sectionOf(text, name);
  const expected = `${before}\n${body.trim()}\n\n${after}`;
  if (process.env.UPDATE_GOLDEN === '1') {
    writeFileSync(document, expected);
  }
  expect(readFileSync(document, 'utf8')).toBe(expected);
}

/** What stands between the markers. @throws when one is missing */
export function readSection(document: string, name: string): string {
  return sectionOf(readFileSync(document, 'utf8'), name).body;
}

function sectionOf(text: string, name: string) {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) {
    throw new Error(`The document has no ${start.trim()}`);
  }
  const begin = from + start.length;
  return { before: text.slice(0, begin), body: text.slice(begin, to), after: text.slice(to) };
}

/** @param rows of cells in which `|` is escaped */
export function markdownTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return [heads, heads.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

export function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
