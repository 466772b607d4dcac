/**
 * Each break is made in a copy of the sources, and the tests that its rows cite are run until one is red. What is found is
 * kept in `test-results/seed-breaks.jsonl`, so that a run goes on where the last one stopped. `npm run test:seeds -- forge`
 * takes the rows whose ids begin so.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { breaks } from '../fixtures/seeds/breaks/breaks.js';
import { seeds } from '../fixtures/seeds/seeds.js';
import { type CitedTest, citedTests, pathOf, type SeedBreak } from '../helpers/seeds/seedBreaks.js';

interface Finding {
  readonly key: string;
  readonly rows: readonly string[];
  readonly file: string;
  readonly outcome: 'caught' | 'survived' | 'not green before';
}

const parallel = 2;
const left = ['node_modules', '.workbench', '.git', 'dist', 'test-results'];
const results = 'test-results/seed-breaks.jsonl';
const rows = new Map(seeds.flatMap((seed) => seed.rows.map((row) => [row.id, row] as const)));

const [, , ...wanted] = process.argv;
const known = existsSync(results)
  ? readFileSync(results, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Finding)
      // a busy machine may be all that was wrong
      .filter(({ outcome }) => outcome !== 'not green before')
  : [];
mkdirSync('test-results', { recursive: true });
const chosen = breaks.filter(
  (one) => wanted.length === 0 || one.rows.some((id) => wanted.some((lead) => id.startsWith(lead))),
);
const findings = new Map(known.map((finding) => [finding.key, finding]));
// of what is copied below: files may change while it runs
const keys = new Map(chosen.map((one) => [one, keyOf(one)]));
const waiting = chosen.filter((one) => !findings.has(keys.get(one) ?? ''));
console.log(`${chosen.length} breaks, ${chosen.length - waiting.length} known`);
await Promise.all(Array.from({ length: parallel }, work));
report();

async function work(): Promise<void> {
  const copy = copySources();
  try {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      const finding: Finding = {
        key: keys.get(one) ?? '',
        rows: one.rows,
        file: one.file,
        outcome: await judge(copy, one),
      };
      findings.set(finding.key, finding);
      appendFileSync(results, `${JSON.stringify(finding)}\n`);
      console.log(`${finding.outcome}: ${one.rows.join(', ')}`);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function copySources(): string {
  const copy = mkdtempSync(join(tmpdir(), 'pi-mcp-breaks-'));
  cpSync('.', copy, {
    recursive: true,
    filter: (path) => !left.includes(path.split(/[\\/]/)[0] ?? ''),
  });
  for (const name of ['node_modules', '.workbench', 'dist'].filter((one) => existsSync(one))) {
    symlinkSync(join(process.cwd(), name), join(copy, name));
  }
  return copy;
}

async function judge(copy: string, one: SeedBreak): Promise<Finding['outcome']> {
  const path = join(copy, pathOf(one.file));
  const text = readFileSync(path, 'utf8');
  const byFile = testsOf(one);
  for (const [file, tests] of byFile) {
    writeFileSync(
      path,
      text.replace(one.find, () => one.replace),
    );
    const broken = await isGreen(copy, file, tests);
    writeFileSync(path, text);
    if (!broken) {
      return (await isGreen(copy, file, tests)) ? 'caught' : 'not green before';
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

async function isGreen(copy: string, file: string, tests: readonly CitedTest[]): Promise<boolean> {
  const [{ ring = '' } = {}] = tests;
  const vitest = join(copy, 'node_modules/vitest/vitest.mjs');
  const pattern = tests.map((test) => `(?:${test.pattern})`).join('|');
  const child = spawn(
    process.execPath,
    [
      vitest,
      'run',
      '--config',
      'test/vitest.config.mts',
      '--project',
      ring,
      file,
      '-t',
      pattern,
      '--bail',
      '1',
    ],
    { cwd: copy, stdio: 'ignore' },
  );
  const [status] = await once(child, 'close');
  return status === 0;
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
