// @ts-check
/** `npm run mutate`: breaks the rooms that matter most in small ways, and looks whether tests turn red. */
import { fileURLToPath } from 'node:url';
import { continueOnOwnNode, ensureDependencies } from '../workbench/install.mjs';

ensureDependencies();
await continueOnOwnNode(fileURLToPath(import.meta.url));
const { runBundled } = await import('../workbench/runBundled.mjs');
process.exitCode = await runBundled('test/mutation/main.ts', process.argv.slice(2));
