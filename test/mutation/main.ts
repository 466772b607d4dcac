/**
 * Mutants of the rooms, each made in a copy of the sources, where the tests of the fast rings that run its function are run
 * until one is red. `npm run mutate -- mcp/trust --sample=40 --rings=unit` takes one room, fewer mutants and the unit tests
 * alone. The same seed takes the same mutants of the same sources. What is found is kept in `test-results/mutation`.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { BrokenCopy } from '../helpers/breaks/brokenCopy.js';
import { judgeAll } from '../helpers/breaks/judgeAll.js';
import { SeededRandom } from '../helpers/seededRandom.js';
import { applyMutant, findFunctions, findMutants, type Mutant } from './mutants.js';
import { type FastRing, findSeen, type Seen, siteOf } from './seenFunctions.js';

const rooms = [
  'mcp/trust',
  'config/launch',
  'config/edit',
  'agent/policy',
  'agent/changes',
  'mcp/server',
  'platform/stores',
  'gateway/http',
  'base/form',
];
const fastRings: readonly FastRing[] = ['unit', 'attacks', 'faults', 'integration'];

interface PlacedMutant extends Mutant {
  readonly room: string;
  readonly file: string;
  readonly line: number;
}

interface Finding {
  readonly key: string;
  readonly outcome: 'killed' | 'survived' | 'late' | 'not run';
  /** Which test file noticed. */
  readonly by?: string;
}

/** Of a test file: this, and so many times what it takes. */
const limit = { ms: 30_000, times: 5 };

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    rings: { type: 'string', default: fastRings.join(',') },
  },
});
const chosenRooms = positionals.length > 0 ? positionals : rooms;
const chosenRings = fastRings.filter((ring) => values.rings.split(',').includes(ring));
const filesOf = (room: string) => globSync(`src/${room}/**/*.ts`).toSorted();
const texts = new Map(rooms.flatMap(filesOf).map((file) => [file, readFileSync(file, 'utf8')]));
const seen = await findSeen(chosenRings, [...texts.keys()]);
const mutants = chosenRooms.flatMap(sampleOf);
const keys = new Map(mutants.map((mutant) => [mutant, keyOf(mutant)]));
const findings = await judgeAll({
  items: keys,
  results: 'test-results/mutation/findings.jsonl',
  what: 'mutants',
  judge,
});
report();

function sampleOf(room: string): readonly PlacedMutant[] {
  const all = filesOf(room).flatMap((file) => {
    const code = texts.get(file) ?? '';
    return findMutants(code).map((mutant) => ({
      ...mutant,
      room,
      file,
      line: code.slice(0, mutant.start).split('\n').length,
    }));
  });
  const random = new SeededRandom(Number(values.seed) * 7919);
  const taken: PlacedMutant[] = [];
  while (taken.length < Number(values.sample) && all.length > 0) {
    taken.push(...all.splice(random.below(all.length), 1));
  }
  return taken;
}

/** Those that run the function of the mutant; of what no function holds, those that run any of its file. */
function testsOf({ file, start, end }: PlacedMutant): readonly Seen[] {
  const around = findFunctions(texts.get(file) ?? '').filter(
    (one) => one.start < start && end < one.end,
  );
  const inner = around.toSorted((one, other) => other.start - one.start)[0];
  const isRun = (site: string) =>
    inner ? site === siteOf(file, inner.start) : site.startsWith(`${file}:`);
  return seen
    .filter(({ isGreen, sites }) => isGreen && sites.some(isRun))
    .toSorted(
      (one, other) =>
        chosenRings.indexOf(one.ring as FastRing) - chosenRings.indexOf(other.ring as FastRing) ||
        one.seconds - other.seconds,
    );
}

async function judge(copy: BrokenCopy, mutant: PlacedMutant, key: string): Promise<Finding> {
  const tests = testsOf(mutant);
  const broken = applyMutant(texts.get(mutant.file) ?? '', mutant);
  return copy.withText(mutant.file, broken, async () => {
    for (const { ring, file, seconds } of tests) {
      const verdict = await copy.run({ ring, file }, limit.ms + limit.times * seconds * 1000);
      if (verdict !== 'green') {
        return { key, outcome: verdict === 'red' ? 'killed' : 'late', by: file };
      }
    }
    return { key, outcome: tests.length > 0 ? 'survived' : 'not run' };
  });
}

/** Of the mutant, its source and the tests that could notice. */
function keyOf(mutant: PlacedMutant): string {
  const tests = testsOf(mutant).map(({ key }) => key);
  return createHash('sha256')
    .update(JSON.stringify([mutant, tests]))
    .digest('hex')
    .slice(0, 16);
}

function report(): void {
  const survivors: string[] = [];
  const lines = chosenRooms.map((room) => {
    const own = mutants.filter((mutant) => mutant.room === room);
    const count = (outcome: Finding['outcome']) =>
      own.filter((one) => outcomeOf(one) === outcome).length;
    const [killed, late, survived, notRun] = [
      count('killed'),
      count('late'),
      count('survived'),
      count('not run'),
    ];
    survivors.push(
      ...own.filter((one) => ['survived', 'not run'].includes(outcomeOf(one) ?? '')).map(lineOf),
    );
    const score = own.length > 0 ? Math.round((1000 * (killed + late)) / own.length) / 10 : 100;
    return `| ${room} | ${own.length} | ${killed} | ${survived} | ${notRun} | ${late} | ${score} % |`;
  });
  const table = [
    '| room | mutants | killed | survived | not run | timeouts | score |',
    '| --- | --: | --: | --: | --: | --: | --: |',
    ...lines,
  ];
  writeFileSync('test-results/mutation/table.md', `${table.join('\n')}\n`);
  writeFileSync('test-results/mutation/survivors.txt', `${survivors.toSorted().join('\n')}\n`);
  console.log(table.join('\n'));
}

function outcomeOf(mutant: PlacedMutant): Finding['outcome'] | undefined {
  return findings.get(keys.get(mutant) ?? '')?.outcome;
}

function lineOf(mutant: PlacedMutant): string {
  const { file, line, kind, start, end } = mutant;
  const was = (texts.get(file) ?? '').slice(start, end).replace(/\s+/g, ' ').slice(0, 80);
  return `${file}:${line} ${kind}: ${was} (${outcomeOf(mutant)})`;
}
