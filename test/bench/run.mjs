// @ts-check
/**
 * `npm run bench [NAME …]`: runs test/bench/*.bench.ts, prints a table and writes test-results/bench.json. Only ratios
 * measured in one run are comparable between machines.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { repository } from '../workbench/paths.mjs';

/**
 * @typedef {object} BenchRow
 * @property {string} name
 * @property {number} [ms] median of the rounds
 * @property {number} [value] a figure that is no time, in `unit`
 * @property {string} [unit]
 * @property {string} [baseline] name of the row that the ratio refers to
 * @property {number} [ratio]
 */

const wanted = process.argv.slice(2);
const files = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .filter((file) => wanted.length === 0 || wanted.includes(basename(file, '.bench.ts')));
const dir = mkdtempSync(join(tmpdir(), 'pi-mcp-bench-'));
/** @type {BenchRow[]} */
const rows = [];
try {
  for (const file of files) {
    const outfile = join(dir, `${file}.cjs`);
    await build({
      entryPoints: [join(import.meta.dirname, file)],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      mainFields: ['module', 'main'],
      logLevel: 'warning',
    });
    const { runBench } = createRequire(import.meta.url)(outfile);
    rows.push(...(await runBench()));
  }
} finally {
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}
console.table(
  rows.map(({ name, ms, value, unit, ratio, baseline }) => ({
    case: name,
    ms: ms === undefined ? '' : Number(ms.toFixed(2)),
    figure: value === undefined ? '' : `${Number(value.toFixed(3))} ${unit}`.trim(),
    ratio: ratio === undefined ? '' : `${ratio.toFixed(2)} x ${baseline}`,
  })),
);
const results = join(repository, 'test-results');
mkdirSync(results, { recursive: true });
writeFileSync(join(results, 'bench.json'), `${JSON.stringify({ rows }, undefined, 2)}\n`);
