// @ts-check
/** `npm run soak`: installs what is missing, bundles the soak and runs it. */
import { fileURLToPath } from 'node:url';
import { continueOnOwnNode, ensureDependencies } from '../workbench/install.mjs';

ensureDependencies();
await continueOnOwnNode(fileURLToPath(import.meta.url));
const { runBundled } = await import('../workbench/runBundled.mjs');
process.exitCode = await runBundled('test/soak/main.ts', process.argv.slice(2));
