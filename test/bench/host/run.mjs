// @ts-check
/**
 * `npm run bench:host [-- NAME … --short]`: what people wait for in a real VS Code. Runs test/bench/host/*.host.ts, prints
 * a table and writes test-results/host/NAME.json. Only ratios measured in one run are comparable between machines. `--short`
 * measures each thing less often.
 */
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { continueOnOwnNode, ensureDependencies } from '../../workbench/install.mjs';
import { repository } from '../../workbench/paths.mjs';
import { printTable } from '../table.mjs';

ensureDependencies();
await continueOnOwnNode(fileURLToPath(import.meta.url));
// needs the Node and the packages of node_modules
const { main } = await import('../../rings.mjs');
const files = join(repository, 'test-results/host');
const before = Date.now();
const args = process.argv.slice(2);
if (args.includes('--short')) {
  process.env.PI_MCP_BENCH_IS_SHORT = 'true';
}
const status = await main(['host', ...args.filter((arg) => !arg.startsWith('--'))]);
// nothing is there when all has failed
mkdirSync(files, { recursive: true });
const rows = readdirSync(files)
  .filter((name) => name.endsWith('.json'))
  .map((name) => join(files, name))
  .filter((file) => statSync(file).mtimeMs >= before)
  .sort()
  .flatMap((file) =>
    JSON.parse(readFileSync(file, 'utf8')).rows.map(
      (/** @type {import('../table.mjs').BenchRow} */ row) => ({
        ...row,
        name: `${basename(file, '.json')}: ${row.name}`,
      }),
    ),
  );
printTable(rows);
process.exitCode = status;
