// @ts-check
/** `npm run bench:results`: writes test/bench/RESULTS.md from what benchmarks left in test-results/. */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repository } from '../workbench/paths.mjs';
import { isMissed } from './table.mjs';

/**
 * @typedef {import('./table.mjs').BenchRow} BenchRow
 * @typedef {ReturnType<typeof import('./table.mjs').thisMachine>} Machine
 * @typedef {{ readonly name: string, readonly machine: Machine, readonly rows: readonly BenchRow[] }} Kept
 */

const results = join(repository, 'test-results');
const head = readFileSync(join(import.meta.dirname, 'resultsHead.md'), 'utf8').trim();
const bench = readKept('bench');
const host = readKept('host');
if (bench.length + host.length === 0) {
  throw new Error('Nothing was measured: run the benchmarks first');
}
const all = [...bench, ...host];

writeFileSync(
  join(import.meta.dirname, 'RESULTS.md'),
  [
    head,
    describeMachines(),
    '## Where we lose',
    losses(),
    '## Missed targets',
    missed(),
    '## In a real VS Code',
    host.map(section).join('\n\n') || 'Not measured.',
    '## What held up the extension host',
    stalls(),
    '## In plain Node',
    bench
      .filter(({ name }) => name !== 'curves')
      .map(section)
      .join('\n\n'),
    '## How it grows',
    growth(),
    '',
  ].join('\n\n'),
);

/**
 * @param {'bench' | 'host'} kind
 * @returns {readonly Kept[]}
 */
function readKept(kind) {
  return globSync(join(results, kind, '*.json'))
    .sort()
    .map((file) => ({ name: basename(file, '.json'), ...JSON.parse(readFileSync(file, 'utf8')) }));
}

function describeMachines() {
  const seen = all.map(({ machine }) => {
    const { cpus, memoryGb, platform, node, date } = machine;
    const system = platform === 'linux' ? 'Linux' : platform;
    const processors = cpus === 2 ? 'two cores' : `${cpus} cores`;
    return `${processors}, ${memoryGb} GB, ${system}, Node ${node.split('.')[0]?.slice(1)}, ${date}`;
  });
  const loads = all.map(({ machine }) => machine.load[0] ?? 0).sort((a, b) => a - b);
  const [least = 0, most = 0] = [loads[0], loads.at(-1)];
  return `Machine: ${[...new Set(seen)].join('; ')}. The machine's own count of what ran or waited was ${least.toFixed(1)} to ${most.toFixed(1)} at the ends of the files.`;
}

/** Whether the ratio is to something that is not ours. @param {BenchRow} row @param {Kept} kept */
function hasPeer({ baseline }, { rows }) {
  const isOwn = rows.some(({ name }) => name === baseline);
  return baseline !== undefined && !isOwn && !/\bours$|^one of |^without a tap/.test(baseline);
}

function losses() {
  const found = all.flatMap((kept) =>
    kept.rows
      .filter((row) => hasPeer(row, kept) && (row.ratio ?? 0) > 1)
      .map((row) => ({ row, file: kept.name })),
  );
  const sorted = found.sort((one, other) => (other.row.ratio ?? 0) - (one.row.ratio ?? 0));
  return sorted.length === 0
    ? 'Nowhere in this run.'
    : [
        'Everything that took more than its peer in this run, worst first.',
        table(
          ['where', 'what', 'beside', 'ratio'],
          sorted.map(({ row, file }) => [
            file,
            row.name,
            `${figure(row, row.baselineValue)} ${row.baseline}`.trim(),
            (row.ratio ?? 0).toFixed(2),
          ]),
        ),
      ].join('\n\n');
}

function missed() {
  const found = all.flatMap(({ name, rows }) =>
    rows
      .filter(isMissed)
      .map((row) => [
        name,
        row.name,
        row.ratio === undefined ? figure(row, row.value ?? row.ms) : `${row.ratio.toFixed(2)} x`,
        `≤ ${Number((row.target ?? 0).toFixed(2))}`,
      ]),
  );
  return found.length === 0
    ? 'None in this run.'
    : table(['where', 'what', 'measured', 'target'], found);
}

/** @param {Kept} kept */
function section({ name, rows }) {
  return [
    `### ${name}`,
    table(
      ['what', 'median', 'beside', 'ratio', 'p10 … p90', 'rounds'],
      rows.map((row) => [
        row.name,
        figure(row, row.value ?? row.ms),
        row.baseline ? `${figure(row, row.baselineValue)} ${row.baseline}`.trim() : '',
        row.ratio?.toFixed(2) ?? '',
        row.spread?.map((value) => short(value)).join(' … ') ?? '',
        String(row.rounds ?? ''),
      ]),
    ),
  ].join('\n\n');
}

function growth() {
  const rows = bench.find(({ name }) => name === 'curves')?.rows ?? [];
  const steep = rows.filter(isMissed).map(({ name }) => name);
  const intro =
    steep.length === 0
      ? 'Nothing grows faster than linear.'
      : `Faster than linear: ${steep.join('; ')}.`;
  return [
    `${intro} The exponent is the slope over the upper half of the sizes, both axes logarithmic: 1 is linear.`,
    table(
      ['what', 'exponent'],
      rows.map(({ name, value = 0 }) => [name, value.toFixed(2)]),
    ),
  ].join('\n\n');
}

function stalls() {
  const path = join(results, 'stalls.json');
  /** @type {Record<string, readonly import('../stalls.mjs').Story[]>} */
  const stored = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  const stories = Object.entries(stored)
    .filter(([ring]) => ring !== 'screenshots')
    .flatMap(([ring, told]) => told.map((story) => ({ ring, ...story })));
  const longest = stories
    .map(({ ring, story, stalls: held }) => {
      const [worst] = [...held].sort((one, other) => other.ownCpuMs - one.ownCpuMs);
      const felt = held.filter(({ ownCpuMs }) => ownCpuMs > 50).length;
      const [place = ''] = worst?.place.split(' … ') ?? [];
      return { ring, story, ms: worst?.ownCpuMs ?? 0, place, felt };
    })
    .filter(({ ms }) => ms > 0)
    .sort((one, other) => other.ms - one.ms);
  const felt = longest.reduce((sum, { felt: count }) => sum + count, 0);
  return [
    `The longest time for which our code held up the extension host, in milliseconds of the processor, of ${stories.length} test and benchmark files; those without one are left out. ${felt} are above 50 ms.`,
    table(
      ['file', 'longest', 'in', 'above 50 ms'],
      longest.map(({ ring, story, ms, place, felt: count }) => [
        `${ring}: ${story}`,
        `${ms} ms`,
        place,
        String(count),
      ]),
    ),
  ].join('\n\n');
}

/**
 * @param {Pick<BenchRow, 'unit'>} row
 * @param {number | undefined} value
 */
function figure({ unit = 'ms' }, value) {
  return value === undefined ? '' : `${short(value)} ${unit}`.trim();
}

/** @param {number} value */
function short(value) {
  return value >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));
}

/**
 * @param {readonly string[]} heads
 * @param {readonly (readonly string[])[]} rows
 */
function table(heads, rows) {
  const lines = [heads, heads.map(() => '---'), ...rows];
  return lines
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}
