/** The headless entry: `node dist/cli.js list|probe|tools|search|call|doctor`. */
import { main } from './cli/main.js';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => stop.abort());
}

main(process.argv.slice(2), {
  writeOut: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  env: process.env,
  cwd: process.cwd(),
  signal: stop.signal,
}).then(
  (status) => {
    process.exitCode = status;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  },
);
