import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach } from 'vitest';
import { Emitter, onceEvent } from '../../src/base/event.js';
import { CoreHarness } from './coreHarness.js';
import { useScript } from './script.js';

interface Surroundings {
  /** Default: that of the tests. */
  readonly cwd?: string;
  /** Default: that of the tests. */
  readonly env?: NodeJS.ProcessEnv;
}

/** The command line, which reads the global files in `home` below `root`. */
type CommandLine = (
  root: string,
  args: readonly string[],
  surroundings?: Surroundings,
) => CommandRun;

/** The command line as it is packaged, in processes of its own. */
export function useCommandLine(): CommandLine {
  const script = useScript('src/cli.ts', 'cjs');
  return (root, args, surroundings = {}) =>
    new CommandRun(
      spawn(process.execPath, [script.path, '--home', join(root, 'home'), ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        ...surroundings,
      }),
    );
}

/** The command line in a folder of its own, with a home beside it, anew for each test. */
export function useCommandFolder() {
  const cli = useCommandLine();
  let harness: CoreHarness;
  beforeEach(async () => {
    harness = await CoreHarness.create();
    await mkdir(folder());
  });
  afterEach(() => harness.dispose());
  const folder = () => join(harness.root, 'work');
  const start = (...args: readonly string[]) => cli(harness.root, args, { cwd: folder() });
  return {
    root: () => harness.root,
    folder,
    home: (...path: readonly string[]) => join(harness.root, 'home', ...path),
    start,
    json: (...args: readonly string[]) => start('--json', ...args).document(),
  };
}

/** A command that runs or has ended. */
export class CommandRun {
  private readonly errorEmitter = new Emitter<void>();
  private out = '';
  private error = '';
  /** Resolves when all that it wrote has arrived. */
  readonly ended: Promise<{
    readonly status: number | null;
    readonly out: string;
    readonly error: string;
  }>;

  constructor(private readonly child: ChildProcessByStdio<null, Readable, Readable>) {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.error += text;
      this.errorEmitter.fire();
    });
    this.ended = once(child, 'close').then(([status]) => ({
      status,
      out: this.out,
      error: this.error,
    }));
  }

  /** Resolves at the end of a command with `--json`. */
  async document() {
    const { status, out, error } = await this.ended;
    return { status, error, document: JSON.parse(out) };
  }

  /** The first address that the command shows to its user. */
  async shownAddress(): Promise<URL> {
    const addresses = () =>
      this.error
        .split('\n')
        .slice(0, -1)
        .map((line) => line.trim())
        .filter((line) => URL.canParse(line));
    if (addresses().length === 0) {
      const ended = this.ended.then(() => {
        throw new Error(`No address was shown:\n${this.error}`);
      });
      await Promise.race([onceEvent(this.errorEmitter.event, () => addresses().length > 0), ended]);
    }
    return new URL(addresses()[0] ?? '');
  }

  interrupt(): void {
    this.child.kill('SIGINT');
  }
}
