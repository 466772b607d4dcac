// @ts-check
/** `npm start`: a real VS Code with the extension, on a sample workspace, with an offline model for the agent. */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { continueOnOwnNode, ensureDependencies } from './install.mjs';

const help = `Usage: npm start -- [options]

Builds the extension, installs it into a real VS Code server on this machine and opens a sample workspace.

  --port N        port of VS Code on 127.0.0.1 (default: 8765, or a free one when that is taken)
  --folder DIR    open this folder instead of the sample workspace
  --fresh         forget the sample, its trust, consents and settings first
  --open          open the URL in the default browser
  --no-open       do not (default)
  --help          show this text

Everything is kept in .workbench/, which may be deleted at any time. Your own VS Code and ~/.pi are not touched.
`;

const { values: options } = parseArgs({
  options: {
    port: { type: 'string' },
    folder: { type: 'string' },
    fresh: { type: 'boolean', default: false },
    open: { type: 'boolean', default: false },
    'no-open': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) {
  console.log(help);
} else {
  ensureDependencies();
  await continueOnOwnNode(fileURLToPath(import.meta.url));
  // these need the Node and the packages of node_modules
  const { main } = await import('./workbench.mjs');
  await main(options);
}
