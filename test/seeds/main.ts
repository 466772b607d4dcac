/**
 * Each break is made in a copy of the sources, and the tests that its rows cite are run until one is red. What is found is
 * kept in `test-results/seed-breaks.jsonl`, so that a run goes on where the last one stopped. `npm run test:seeds -- forge`
 * takes the rows whose ids begin so.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { breaks } from '../fixtures/seeds/breaks/breaks.js';
import { seeds } from '../fixtures/seeds/seeds.js';
import type { BrokenCopy } from '../helpers/breaks/brokenCopy.js';
import { judgeAll } from '../helpers/breaks/judgeAll.js';
import { type CitedTest, citedTests, pathOf, type SeedBreak } from '../helpers/seeds/seedBreaks.js';

interface Finding {
  readonly key: string;
  readonly rows: readonly string[];
  readonly file: string;
  readonly outcome: 'caught' | 'survived' | 'not green before';
}

const rows = new Map(seeds.flatMap((seed) => seed.rows.map((row) => [row.id, row] as const)));

const [, , ...wanted] = process.argv;
const chosen = breaks.filter(
  (one) => wanted.length === 0 || one.rows.some((id) => wanted.some((lead) => id.startsWith(lead))),
);
const keys = new Map(chosen.map((one) => [one, keyOf(one)]));
const findings = await judgeAll({
  items: keys,
  results: 'test-results/seed-breaks.jsonl',
  what: 'breaks',
  // a busy machine may be all that was wrong
  isFinal: ({ outcome }) => outcome !== 'not green before',
  judge: async (copy: BrokenCopy, one: SeedBreak, key: string): Promise<Finding> => ({
    key,
    rows: one.rows,
    file: one.file,
    outcome: await judge(copy, one),
  }),
  onFound: ({ outcome, rows: ids }) => console.log(`${outcome}: ${ids.join(', ')}`),
});
report();

async function judge(copy: BrokenCopy, one: SeedBreak): Promise<Finding['outcome']> {
  const path = pathOf(one.file);
  const broken = copy.read(path).replace(one.find, () => one.replace);
  for (const [file, tests] of testsOf(one)) {
    const [{ ring = '' } = {}] = tests;
    const pattern = tests.map((test) => `(?:${test.pattern})`).join('|');
    const run = () => copy.run({ ring, files: [file], pattern });
    if ((await copy.withText(path, broken, run)) !== 'green') {
      return (await run()) === 'green' ? 'caught' : 'not green before';
    }
  }
  return 'survived';
}

function testsOf({ rows: ids }: SeedBreak): ReadonlyMap<string, readonly CitedTest[]> {
  const byFile = new Map<string, CitedTest[]>();
  for (const test of ids.flatMap((id) => citedTests(rows.get(id) ?? { id, behaviour: '' }))) {
    byFile.set(test.file, [...(byFile.get(test.file) ?? []), test]);
  }
  return byFile;
}

/** Of the break, of the code and of the tests that its rows cite. */
function keyOf(one: SeedBreak): string {
  const parts = [one.file, one.find, one.replace, readFileSync(pathOf(one.file), 'utf8')];
  const tests = [...testsOf(one)].map(([file, cited]) => [readFileSync(file, 'utf8'), cited]);
  return createHash('sha256')
    .update(JSON.stringify([parts, tests]))
    .digest('hex')
    .slice(0, 16);
}

function report(): void {
  const found = chosen.flatMap((one) => findings.get(keys.get(one) ?? '') ?? []);
  const caught = found.filter(({ outcome }) => outcome === 'caught');
  const ids = new Set(chosen.flatMap((one) => one.rows));
  for (const { outcome, rows: ids, file } of found.filter((one) => one.outcome !== 'caught')) {
    console.log(`${outcome}: ${ids.join(', ')} (${file})`);
  }
  console.log(`${ids.size} rows, ${chosen.length} breaks, ${caught.length} caught`);
  process.exitCode = caught.length === chosen.length ? 0 : 1;
}
