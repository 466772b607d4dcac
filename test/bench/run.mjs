// @ts-check
/**
 * `npm run bench [-- NAME … --scale=0.2 --check]`: runs test/bench/*.bench.ts, prints a table and writes
 * test-results/bench.json. Only ratios measured in one run are comparable between machines. With `--check` a target
 * that is missed is an error.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, loadavg, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { continueOnOwnNode, ensureDependencies } from '../workbench/install.mjs';
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

ensureDependencies();
await continueOnOwnNode(fileURLToPath(import.meta.url));
const { build } = await import('esbuild');
const { prepareAdapter } = await import('./adapter/install.mjs');

const args = process.argv.slice(2);
const wanted = args.filter((arg) => !arg.startsWith('--'));
const scale = Number(args.find((arg) => arg.startsWith('--scale='))?.slice(8) ?? 1);
const files = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .filter((file) => wanted.length === 0 || wanted.includes(basename(file, '.bench.ts')));
const dir = mkdtempSync(join(tmpdir(), 'pi-mcp-bench-'));
/** Keeps what a benchmark has fetched. */
const workDir = join(repository, '.workbench', 'bench');
/** @type {BenchRow[]} */
const rows = [];
/** @type {string[]} */
const failed = [];
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
    console.log(`… ${file}`);
    const adapter = file === 'adapter.bench.ts' ? await prepareAdapter(workDir) : undefined;
    try {
      rows.push(...(await runBench({ scale, adapter })));
    } catch (error) {
      console.error(error);
      failed.push(file);
    }
  }
} finally {
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}
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
const missed = rows.filter(isMissed).map(({ name }) => name);
console.log(missed.length === 0 ? 'Every target is met.' : `Missed: ${missed.join('; ')}`);
const results = join(repository, 'test-results');
const machine = { node: process.version, cpus: cpus().length, load: loadavg() };
mkdirSync(results, { recursive: true });
writeFileSync(join(results, 'bench.json'), `${JSON.stringify({ machine, rows }, undefined, 2)}\n`);
if (failed.length > 0) {
  console.error(`Failed: ${failed.join('; ')}`);
}
const isMissing = args.includes('--check') && missed.length > 0;
process.exitCode = failed.length > 0 || isMissing ? 1 : 0;

/** @param {Partial<Record<'ratio' | 'ms' | 'value' | 'target', number | undefined>>} row */
function isMissed({ ratio, ms, value, target }) {
  return target !== undefined && (ratio ?? value ?? ms ?? 0) > target;
}
