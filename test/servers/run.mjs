// @ts-check
/** `npm run test:servers`: installs what is missing, bundles the comparison and runs it. */
import { fileURLToPath } from 'node:url';
import { continueOnOwnNode, ensureDependencies } from '../workbench/install.mjs';

ensureDependencies();
await continueOnOwnNode(fileURLToPath(import.meta.url));
const { runBundled } = await import('../workbench/runBundled.mjs');
process.exitCode = await runBundled('test/servers/main.ts', process.argv.slice(2));
