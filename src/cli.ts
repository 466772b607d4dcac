#!/usr/bin/env node
/** The headless entry: `pi-mcp <command>`, as `options/commandTable.ts` lists them. */
import { createInterface } from 'node:readline/promises';
import { Duplex } from 'node:stream';
import { errorCode, errorMessage } from './base/errors.js';
import { openInBrowser } from './cli/account/browser.js';
import { main } from './cli/main.js';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => stop.abort());
}

// what was started is stopped all the same
process.stderr.on('error', () => undefined);
process.stdout.on('error', (error) => {
  // whoever read it has seen enough, as `head` has
  if (errorCode(error) !== 'EPIPE') {
    process.exitCode = 1;
    process.stderr.write(`${errorMessage(error)}\n`);
  }
});

main(process.argv.slice(2), {
  writeOut: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  env: process.env,
  cwd: process.cwd(),
  isTerminal: process.stdin.isTTY === true && process.stderr.isTTY === true,
  openBrowser: (url) => openInBrowser(url, process.platform),
  readLine,
  whenInputEnds,
  stdio: () => Duplex.from({ readable: process.stdin, writable: process.stdout }),
  signal: stop.signal,
}).then(
  (status) => endWith(status),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    endWith(1);
  },
);

/** Milliseconds for what is still on its way out. */
const lastMs = 500;

/** Nothing runs any more; what was given up, such as a request that a proxy never answered, must not hold the process. */
function endWith(status: number): void {
  process.exitCode ||= status;
  setTimeout(() => process.stdout.write('', () => process.exit()), lastMs).unref();
}

/** On stderr, since stdout is for the answer. */
async function readLine(
  signal: AbortSignal,
  { takesBlank }: { readonly takesBlank: boolean } = { takesBlank: false },
): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  // a terminal would otherwise hold the process
  signal.addEventListener('abort', () => lines.close(), { once: true });
  for await (const line of lines) {
    if (takesBlank || line.trim()) {
      lines.close();
      return line;
    }
  }
  return undefined;
}

function whenInputEnds(signal: AbortSignal): Promise<void> {
  const { stdin } = process;
  return new Promise((resolve) => {
    const end = () => {
      stdin.pause();
      // an input that nobody reads any more must not hold the process
      stdin.destroy();
      resolve();
    };
    stdin.once('end', end).once('close', end).once('error', end);
    signal.addEventListener('abort', end, { once: true });
    stdin.resume();
    if (signal.aborted) {
      end();
    }
  });
}
