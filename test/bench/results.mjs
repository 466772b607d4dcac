// @ts-check
/** `npm run bench:results`: writes test/bench/RESULTS.md from what benchmarks left in test-results/. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
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

/** Benchmarks in plain Node that a reader asks for; the rest is for whoever changes the code, and the gateway is where we lose. */
const asked = ['adapter', 'calls', 'connects', 'memory', 'tools'];
/** Not shown: of rows that differ in the number of tools all but the middle one, parts of others, and other ways. */
const left = [
  /, 1(?:000)? tools\b/,
  /^of it |^the minute before|^one call/,
  /time of a call|streams|generation|scheduled|against itself/,
  /, tuned$|, practice$|empty|copies/,
];
/** A loss below this is within what two runs differ by. */
const leastLoss = 1.1;

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
    host.length > 0 ? figures(host) : 'Not measured.',
    '## In plain Node',
    figures(bench.filter(({ name }) => asked.includes(name))),
    '## How it grows',
    growth(),
    '',
  ].join('\n\n'),
);

/** @param {BenchRow} row */
function isShown({ name }) {
  return !left.some((pattern) => pattern.test(name));
}

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

/** @param {BenchRow} row @param {Kept} kept */
function isLoss(row, kept) {
  return hasPeer(row, kept) && (row.ratio ?? 0) >= leastLoss;
}

function losses() {
  const found = all.flatMap((kept) =>
    kept.rows.filter((row) => isLoss(row, kept)).map((row) => ({ row, file: kept.name })),
  );
  const sorted = found.sort((one, other) => (other.row.ratio ?? 0) - (one.row.ratio ?? 0));
  return sorted.length === 0
    ? 'Nowhere in this run.'
    : [
        'What took at least a tenth more than its peer in this run, worst first.',
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

/** Without what stands among the losses. @param {readonly Kept[]} kept */
function figures(kept) {
  return table(
    ['where', 'what', 'median', 'beside', 'ratio'],
    kept.flatMap((one) =>
      one.rows
        .filter((row) => isShown(row) && !isLoss(row, one))
        .map((row) => [
          one.name,
          row.name,
          figure(row, row.value ?? row.ms),
          row.baseline ? `${figure(row, row.baselineValue)} ${row.baseline}`.trim() : '',
          row.ratio?.toFixed(2) ?? '',
        ]),
    ),
  );
}

function growth() {
  const rows = bench.find(({ name }) => name === 'curves')?.rows ?? [];
  if (rows.length === 0) {
    return 'Not measured.';
  }
  const steep = rows.filter(isMissed).map(({ name }) => name);
  const intro =
    steep.length === 0
      ? 'Nothing grows faster than linear.'
      : `Faster than linear: ${steep.join('; ')}.`;
  const exponents = rows.map(({ value = 0 }) => value);
  const [least, most] = [Math.min(...exponents), Math.max(...exponents)];
  return `${intro} ${rows.length} curves were measured, over servers, tools, folders, turns, results and entries, in time and memory: their exponents are ${least.toFixed(2)} to ${most.toFixed(2)}, where 1 is linear (the slope over the upper half of the sizes, both axes logarithmic). \`npm run bench -- curves\` plots them.`;
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
