// @ts-check
/** `npm test`: installs what is missing, checks the sources, builds, runs the rings. `npm test -- unit e2e` runs some. */
import { fileURLToPath } from 'node:url';
import { continueOnOwnNode, ensureDependencies } from './workbench/install.mjs';

ensureDependencies();
await continueOnOwnNode(fileURLToPath(import.meta.url));
// needs the Node and the packages of node_modules
const { main } = await import('./rings.mjs');
process.exitCode = await main(process.argv.slice(2));
