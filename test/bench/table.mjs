// @ts-check
/** The table that benchmarks print, and what they keep for `npm run bench:results`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { repository } from '../workbench/paths.mjs';

/**
 * @typedef {object} BenchRow
 * @property {string} name
 * @property {number} [ms] median of the rounds
 * @property {number} [value] a figure in another unit, or with more about it than a time
 * @property {string} [unit]
 * @property {string} [baseline] name of what the ratio refers to
 * @property {number} [baselineValue]
 * @property {number} [ratio]
 * @property {readonly [number, number]} [spread] percentiles 10 and 90
 * @property {number} [max] worst of all rounds
 * @property {number} [rounds]
 * @property {number} [target]
 */

/** @param {readonly BenchRow[]} rows */
export function printTable(rows) {
  console.table(
    rows.map(({ name, ms, value, unit = 'ms', ratio, baseline, spread, max, target }) => ({
      case: name,
      figure: `${Number((value ?? ms ?? 0).toFixed(3))} ${unit}`.trim(),
      ratio: ratio === undefined ? '' : `${ratio.toFixed(2)} x ${baseline}`,
      'p10 … p90': spread?.map((value) => value.toFixed(2)).join(' … ') ?? '',
      max: max?.toFixed(2) ?? '',
      target:
        target === undefined
          ? ''
          : `${isMissed({ ratio, ms, value, target }) ? 'MISSED' : 'ok'} ≤ ${target}`,
    })),
  );
}

/** @param {Partial<Record<'ratio' | 'ms' | 'value' | 'target', number | undefined>>} row */
export function isMissed({ ratio, ms, value, target }) {
  return target !== undefined && (ratio ?? value ?? ms ?? 0) > target;
}

/** What the figures of a run belong to. */
export function thisMachine() {
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    platform: process.platform,
    cpus: cpus().length,
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    load: loadavg(),
  };
}

/**
 * Keeps the rows of one file, in place of those of an earlier run.
 * @param {'bench' | 'host'} kind
 * @param {string} name
 * @param {readonly BenchRow[]} rows
 */
export function keepRows(kind, name, rows) {
  const dir = join(repository, 'test-results', kind);
  mkdirSync(dir, { recursive: true });
  const text = JSON.stringify({ machine: thisMachine(), rows }, undefined, 2);
  writeFileSync(join(dir, `${name}.json`), `${text}\n`);
}
