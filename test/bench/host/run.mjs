// @ts-check
/**
 * `npm run bench:host [-- NAME …]`: what people wait for in a real VS Code. Runs test/bench/host/*.host.ts, prints a table
 * and writes test-results/host.json. Only ratios measured in one run are comparable between machines.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { continueOnOwnNode, ensureDependencies } from '../../workbench/install.mjs';
import { repository } from '../../workbench/paths.mjs';
import { printTable, thisMachine } from '../table.mjs';

ensureDependencies();
await continueOnOwnNode(fileURLToPath(import.meta.url));
// needs the Node and the packages of node_modules
const { main } = await import('../../rings.mjs');
const results = join(repository, 'test-results');
const files = join(results, 'host');
rmSync(files, { recursive: true, force: true });
mkdirSync(files, { recursive: true });
const status = await main(['host', ...process.argv.slice(2)]);
const rows = globSync(join(files, '*.json'))
  .sort()
  .flatMap((file) =>
    JSON.parse(readFileSync(file, 'utf8')).map(
      (/** @type {import('../table.mjs').BenchRow} */ row) => ({
        ...row,
        name: `${basename(file, '.json')}: ${row.name}`,
      }),
    ),
  );
printTable(rows);
writeFileSync(
  join(results, 'host.json'),
  `${JSON.stringify({ machine: thisMachine(), rows }, undefined, 2)}\n`,
);
process.exitCode = status;
