// @ts-check
/** `npm run test:seeds`: breaks the code behind each behaviour of the seeds, and looks whether its tests turn red. */
import { fileURLToPath } from 'node:url';
import { continueOnOwnNode, ensureDependencies } from '../workbench/install.mjs';

ensureDependencies();
await continueOnOwnNode(fileURLToPath(import.meta.url));
const { runBundled } = await import('../workbench/runBundled.mjs');
process.exitCode = await runBundled('test/seeds/main.ts', process.argv.slice(2));
