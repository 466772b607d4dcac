/** What `npm test` says of the seconds of its files. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { costTable, describeDearest, readCosts, takeCostsOption } from '../costs.mjs';
import { kindOfProcess } from '../helpers/starts.js';

const cost = (file: string, seconds: number, starts: Readonly<Record<string, number>> = {}) => ({
  ring: 'e2e',
  file,
  tests: 2,
  seconds,
  processor: seconds / 2,
  starts,
});

it.each([
  [['unit'], ['unit'], undefined],
  [['--costs'], [], 'test-results/costs.md'],
  [['unit', '--costs=after.md', 'signIn'], ['unit', 'signIn'], 'after.md'],
  [['--costsly'], ['--costsly'], undefined],
])('takes the option out of %j', (given, words, path) => {
  expect(takeCostsOption(given)).toEqual({ words, path });
});

it('reads what the files left, and adds up what ran twice', () => {
  const dir = mkdtempSync(join(tmpdir(), 'pi-mcp-costs-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const line = (file: string, wallMs: number, starts: object) =>
    `${JSON.stringify({ file, wallMs, cpuMs: wallMs / 2, starts })}\n`;
  writeFileSync(join(dir, '1.jsonl'), line('/w/a', 1500, { Pi: 1 }) + line('/w/b', 500, {}));
  writeFileSync(join(dir, '2.jsonl'), line('/w/a', 2500, { Pi: 1, core: 3 }));
  const result = (name: string, count: number) => ({
    name,
    status: 'passed',
    assertionResults: Array.from({ length: count }, () => ({ fullName: '', status: 'passed' })),
  });
  const report = { testResults: [result('/w/a', 3), result('/w/b', 1)] };
  expect(readCosts('e2e', dir, report, (path) => path.slice(3))).toEqual([
    { ring: 'e2e', file: 'a', tests: 3, seconds: 4, processor: 2, starts: { Pi: 2, core: 3 } },
    { ring: 'e2e', file: 'b', tests: 1, seconds: 0.5, processor: 0.25, starts: {} },
  ]);
});

it('names the ten dearest, and says nothing where nothing ran', () => {
  const costs = Array.from({ length: 12 }, (_, index) => cost(`f${index}`, index));
  const lines = describeDearest(costs);
  expect(lines).toHaveLength(11);
  expect(lines[1]).toBe('     11.0     5.5  f11');
  expect(lines.at(-1)).toContain('f2');
  expect(describeDearest([])).toEqual([]);
});

it('writes the rings and the dearest files of all, the others in one row', () => {
  const costs = [
    ...Array.from({ length: 60 }, (_, index) => cost(`f${index}`, 1)),
    cost('dear', 60, { 'VS Code': 1, processes: 4 }),
    cost('poor', 0.25),
    { ...cost('other', 2), ring: 'unit' },
  ];
  const lines = costTable(costs).split('\n');
  const rows = lines.filter((line) => /^\| (?!-|file|ring|f\d)/.test(line));
  expect(rows).toEqual([
    '| e2e | 62 | 124 | 120.3 | 60.1 | 1 |  |  |  | 4 |',
    '| unit | 1 | 2 | 2.0 | 1.0 |  |  |  |  |  |',
    '| all | 63 | 126 | 122.3 | 61.1 | 1 |  |  |  | 4 |',
    '| dear | 2 | 60.0 | 30.0 | 1 |  |  |  | 4 |',
    '| other | 2 | 2.0 | 1.0 |  |  |  |  |  |',
    '| 3 others | 6 | 2.3 | 1.1 |  |  |  |  |  |',
  ]);
  expect(lines.length).toBeLessThan(150);
});

it.each([
  ['/w/chrome-linux/headless_shell', ['--headless'], 'Chromium'],
  [
    '/w/node',
    ['/w/.workbench/node_modules/code-server/out/node/entry.js', '--port', '0'],
    'VS Code',
  ],
  ['/w/node', ['/w/test/fixtures/servers/tasks.mjs'], 'processes'],
])('takes %s %j for one of %s', (file, args, kind) => {
  expect(kindOfProcess(file, args)).toBe(kind);
});
