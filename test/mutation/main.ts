/**
 * Mutants of the rooms, all in one text of each source, in a copy: each test of the rings that meets one is run with it
 * until one fails. `npm run mutate -- mcp/trust --sample=40 --rings=unit` takes one room, fewer mutants and the unit tests
 * alone. The same seed takes the same mutants of the same sources. What is found is written to
 * `test-results/mutation`.
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { targetsOf } from '../helpers/house.js';
import { rings } from '../ringTable.mjs';
import { equivalents } from './equivalent.js';
import { MutantHunt, type Outcome } from './hunt.js';
import { findPlaced, type PlacedMutant, rooms, takeSample } from './sample.js';

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    rings: { type: 'string', default: 'unit,attacks,faults,integration' },
    // imports from a test to a source; what is farther away meets much and proves little of it
    steps: { type: 'string', default: '2' },
  },
});
const imports = new Map<string, readonly string[]>();
const results = 'test-results/mutation';
const chosenRooms = positionals.length > 0 ? positionals : rooms;
const all = chosenRooms.flatMap(findPlaced);
const mutants = new Map(
  chosenRooms
    .flatMap((room) =>
      takeSample(
        all.filter((one) => one.room === room),
        Number(values.sample),
        values.seed,
      ),
    )
    // 0 is none
    .map((mutant, index) => [index + 1, mutant] as const),
);
const startedAt = performance.now();
const hunt = new MutantHunt(mutants, (testFile, source) => stepsTo(testFile, new Set([source])));
try {
  const wanted = new Set([...mutants.values()].map(({ file }) => file));
  for (const ring of values.rings.split(',') as (keyof typeof rings)[]) {
    await hunt.run(ring, findTests(globSync(rings[ring].files), wanted));
  }
} finally {
  hunt.dispose();
}
const outcomes = hunt.outcomes();
process.exitCode = report() ? 0 : 1;

/** Those whose imports lead to these, the nearest first. What measures time, or is random, says nothing of a mutant. */
function findTests(tests: readonly string[], wanted: ReadonlySet<string>): readonly string[] {
  const found = tests
    .filter((file) => !/\/unit\/(growth|fuzz)\//.test(file))
    .map((file) => ({ file, steps: stepsTo(file, wanted) }))
    .filter(({ steps }) => steps <= Number(values.steps));
  return found
    .toSorted((one, other) => one.steps - other.steps || (one.file < other.file ? -1 : 1))
    .map(({ file }) => file);
}

function stepsTo(file: string, wanted: ReadonlySet<string>): number {
  const known = new Set([file]);
  let layer = [file];
  for (let steps = 0; layer.length > 0; steps += 1) {
    if (layer.some((one) => wanted.has(one))) {
      return steps;
    }
    layer = layer.flatMap(importsOf).filter((one) => !known.has(one) && known.add(one));
  }
  return Number.POSITIVE_INFINITY;
}

function importsOf(file: string): readonly string[] {
  const before = imports.get(file);
  const found = before ?? (existsSync(file) ? targetsOf(file, read(file)) : []);
  imports.set(file, found);
  return found;
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}

/** @returns whether what is listed as equivalent is so */
function report(): boolean {
  const listed = (mutant: PlacedMutant) =>
    equivalents.find(
      (one) =>
        one.file === mutant.file &&
        one.line === mutant.lineText &&
        one.kind === mutant.kind &&
        (one.was === undefined || one.was === mutant.was),
    );
  const rows = chosenRooms.map((room) => {
    const own = [...mutants].filter(([, one]) => one.room === room);
    const count = (outcome: Outcome['kind']) =>
      own.filter(([number]) => outcomes.get(number)?.kind === outcome).length;
    const [killed, late] = [count('killed'), count('late')];
    const same = own.filter(([number, one]) => isLeft(number) && listed(one)).length;
    const judged = own.length - same;
    const score = Math.round((1000 * (killed + late)) / Math.max(1, judged)) / 10;
    const cells = [own.length, killed, late, count('survived'), count('not met'), same];
    return `| ${room} | ${cells.join(' | ')} | ${score} % |`;
  });
  const table = [
    '| room | mutants | killed | timed out | survived | not met | of these equivalent | score |',
    '| --- | --: | --: | --: | --: | --: | --: | --: |',
    ...rows,
  ].join('\n');
  const survivors = [...mutants]
    .filter(([number, one]) => isLeft(number) && !listed(one))
    .map(([number, { file, line, kind, was, lineText }]) => {
      const outcome = outcomes.get(number)?.kind;
      return `${file}:${line} ${kind}: ${was.slice(0, 100)} (${outcome})\n    ${lineText}`;
    });
  mkdirSync(results, { recursive: true });
  writeFileSync(`${results}/table.md`, `${table}\n`);
  writeFileSync(`${results}/survivors.txt`, `${survivors.toSorted().join('\n')}\n`);
  writeFileSync(`${results}/killers.txt`, hunt.killers());
  console.log(survivors.toSorted().join('\n'));
  console.log(table);
  console.log(`${Math.round((performance.now() - startedAt) / 1000)} s`);
  const wrong = [
    ...equivalents
      .filter(({ file }) => chosenRooms.some((room) => file.startsWith(`src/${room}/`)))
      .filter((one) => !all.some((mutant) => listed(mutant) === one))
      .map(
        ({ file, line, kind }) => `listed as equivalent, no longer there: ${file} ${kind}: ${line}`,
      ),
    ...[...mutants]
      .filter(([number, one]) => !isLeft(number) && listed(one))
      .map(([, { file, line, kind }]) => `listed as equivalent, noticed: ${file}:${line} ${kind}`),
  ];
  console.log(wrong.join('\n'));
  return wrong.length === 0;
}

function isLeft(number: number): boolean {
  return ['survived', 'not met'].includes(outcomes.get(number)?.kind ?? '');
}
