/** Documents stay as short as somebody reads them. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const kilobyte = 1024;

/** Document → lines and bytes. */
const limits: readonly (readonly [string, number, number])[] = [
  ['README.md', 200, 14 * kilobyte],
  ['CONTRIBUTING.md', 120, 8 * kilobyte],
  ['CHANGELOG.md', 90, 8 * kilobyte],
  ['SECURITY.md', 150, 26 * kilobyte],
  ['test/bench/RESULTS.md', 150, 14 * kilobyte],
  ...globSync('docs/*.md').map((page) => [page, 320, 32 * kilobyte] as const),
];

it.each(limits)('%s has at most %i lines and %i bytes', (document, lines, bytes) => {
  const text = readFileSync(document, 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(lines);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
});

it('has a page for each subject', () => {
  const subjects =
    'accounts agent changes-and-undo command-line comparison development editing-mcp-json extension-api gateway ' +
    'getting-started inspector-and-runner registry servers settings tools-and-exposure troubleshooting trust upgrade';
  expect(globSync('docs/*').sort()).toEqual(subjects.split(' ').map((name) => `docs/${name}.md`));
});
