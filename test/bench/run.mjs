// @ts-check
/**
 * `npm run bench [-- NAME … --scale=0.2 --check]`: runs test/bench/*.bench.ts, prints a table and writes
 * test-results/bench/NAME.json. Only ratios measured in one run are comparable between machines. With `--check` a target
 * that is missed is an error.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { continueOnOwnNode, ensureDependencies } from '../workbench/install.mjs';
import { repository } from '../workbench/paths.mjs';
import { isMissed, keepRows, printTable } from './table.mjs';

/** @typedef {import('./table.mjs').BenchRow} BenchRow */

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
      /** @type {BenchRow[]} */
      const measured = await runBench({ scale, adapter });
      keepRows('bench', basename(file, '.bench.ts'), measured);
      rows.push(...measured);
    } catch (error) {
      console.error(error);
      failed.push(file);
    }
  }
} finally {
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}
printTable(rows);
const missed = rows.filter(isMissed).map(({ name }) => name);
console.log(missed.length === 0 ? 'Every target is met.' : `Missed: ${missed.join('; ')}`);
if (failed.length > 0) {
  console.error(`Failed: ${failed.join('; ')}`);
}
const isMissing = args.includes('--check') && missed.length > 0;
process.exitCode = failed.length > 0 || isMissing ? 1 : 0;
