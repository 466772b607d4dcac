// @ts-check
/** What each file of tests takes and starts. `npm test -- --costs` writes it as a table. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} FileCost
 * @property {string} ring
 * @property {string} file from the root of the repository
 * @property {number} tests
 * @property {number} seconds from its start, or that of its worker where it is the first in it, to its end
 * @property {number} processor seconds of the worker and of the processes below it
 * @property {Readonly<Record<string, number>>} starts by the worker itself: what a VS Code starts is within it
 */

const option = '--costs';
const usualPath = 'test-results/costs.md';
const started = ['VS Code', 'Chromium', 'Pi', 'core', 'processes'];
const shownFiles = 10;
/** Of the table; the others share a row. */
const shownRows = 60;

/**
 * Takes the option out of what follows `npm test --`.
 * @param {readonly string[]} words
 * @returns {{ readonly words: readonly string[], readonly path: string | undefined }} where the table is written
 */
export function takeCostsOption(words) {
  const isOption = (/** @type {string} */ word) => word === option || word.startsWith(`${option}=`);
  const [chosen] = words.filter(isOption);
  const rest = words.filter((word) => !isOption(word));
  return {
    words: rest,
    path: chosen === undefined ? undefined : chosen.slice(option.length + 1) || usualPath,
  };
}

/**
 * @param {string} ring
 * @param {string} dir where its files left what they took
 * @param {import('./tally.mjs').VitestReport | undefined} report of all of its files
 * @param {(path: string) => string} shorten
 * @returns {readonly FileCost[]} one for each file; a file that ran twice has taken both
 */
export function readCosts(ring, dir, report, shorten) {
  const results = report?.testResults ?? [];
  const counts = new Map(
    results.map(({ name, assertionResults }) => [name, assertionResults.length]),
  );
  /** @type {Map<string, FileCost>} */
  const costs = new Map();
  for (const line of readdirSync(dir).flatMap((name) => linesOf(join(dir, name)))) {
    const { file: path, wallMs, cpuMs, starts } = JSON.parse(line);
    const file = shorten(path);
    const before = costs.get(file) ?? { seconds: 0, processor: 0, starts: {} };
    costs.set(file, {
      ring,
      file,
      tests: counts.get(path) ?? 0,
      seconds: before.seconds + wallMs / 1000,
      processor: before.processor + cpuMs / 1000,
      starts: addStarts([before, { starts }]),
    });
  }
  return [...costs.values()];
}

/** @param {string} path */
function linesOf(path) {
  return readFileSync(path, 'utf8').split('\n').filter(Boolean);
}

/**
 * @param {readonly Pick<FileCost, 'starts'>[]} costs
 * @returns {FileCost['starts']}
 */
function addStarts(costs) {
  const names = new Set(costs.flatMap(({ starts }) => Object.keys(starts)));
  return Object.fromEntries(
    [...names].map((name) => [name, sum(costs, ({ starts }) => starts[name] ?? 0)]),
  );
}

/**
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => number} amountOf
 */
function sum(items, amountOf) {
  return items.reduce((total, item) => total + amountOf(item), 0);
}

/** @param {readonly FileCost[]} costs */
function dearestFirst(costs) {
  return [...costs].sort((one, other) => other.seconds - one.seconds);
}

/**
 * @param {readonly FileCost[]} costs
 * @returns {readonly string[]} lines; none without files
 */
export function describeDearest(costs) {
  const dearest = dearestFirst(costs).slice(0, shownFiles);
  return dearest.length === 0
    ? []
    : [
        'The dearest files, with their seconds and those of a processor:',
        ...dearest.map(
          ({ file, seconds, processor }) => `  ${padded(seconds)} ${padded(processor)}  ${file}`,
        ),
      ];
}

/** @param {number} seconds */
function padded(seconds) {
  return seconds.toFixed(1).padStart(7);
}

/**
 * Markdown: the rings, then the dearest files of all.
 * @param {readonly FileCost[]} costs
 */
export function costTable(costs) {
  const rings = [...new Set(costs.map(({ ring }) => ring))];
  const files = dearestFirst(costs);
  const others = files.slice(shownRows);
  const ringRow = (/** @type {string} */ name, /** @type {readonly FileCost[]} */ some) =>
    row(name, some, [String(some.length)]);
  return `${[
    '# What the tests cost',
    '',
    `Written by \`npm test -- ${option}\`. Seconds are those of a file from its worker's start to its end, two files at a time;`,
    'processor seconds are those of the worker, of a VS Code and a browser that it shares with files before, and of the',
    'processes below them. Starts are those by the test itself: what a',
    'VS Code starts is not counted again. Pi and core are those within the worker.',
    '',
    ...head('ring', 'files'),
    ...rings.map((name) =>
      ringRow(
        name,
        costs.filter(({ ring }) => ring === name),
      ),
    ),
    ringRow('all', costs),
    '',
    ...head('file'),
    ...files.slice(0, shownRows).map((file) => row(file.file, [file])),
    ...(others.length > 0 ? [row(`${others.length} others`, others)] : []),
  ].join('\n')}\n`;
}

/** @param {readonly string[]} names of the first columns */
function head(...names) {
  const columns = [...names, 'tests', 'seconds', 'processor', ...started];
  const rules = columns.map((_name, index) => (index === 0 ? '---' : '--:'));
  return [`| ${columns.join(' | ')} |`, `| ${rules.join(' | ')} |`];
}

/**
 * @param {string} name
 * @param {readonly FileCost[]} costs
 * @param {readonly string[]} [more] cells behind the name
 */
function row(name, costs, more = []) {
  const starts = addStarts(costs);
  const cells = [
    name,
    ...more,
    sum(costs, ({ tests }) => tests),
    sum(costs, ({ seconds }) => seconds).toFixed(1),
    sum(costs, ({ processor }) => processor).toFixed(1),
    ...started.map((kind) => starts[kind] ?? ''),
  ];
  return `| ${cells.join(' | ')} |`;
}
