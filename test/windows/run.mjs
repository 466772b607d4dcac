// @ts-check
/** `npm run test:windows [-- NAME …]`: the built command line and the core on Windows, as Wine has it. Ends with 3 where that cannot be had. */
import { fileURLToPath } from 'node:url';
import { continueOnOwnNode, ensureDependencies } from '../workbench/install.mjs';

ensureDependencies();
await continueOnOwnNode(fileURLToPath(import.meta.url));
// these need the Node and the packages of node_modules
const { ensureWindows } = await import('../workbench/windows.mjs');
try {
  process.env.WINE_PATH = ensureWindows();
  const { main } = await import('../rings.mjs');
  process.exitCode = await main(['windows', ...process.argv.slice(2)]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 3;
}
