import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Duplex } from 'node:stream';
import { afterEach, beforeEach } from 'vitest';
import { Emitter, onceEvent } from '../../src/base/event.js';
import type { CliIo } from '../../src/cli/cliTypes.js';
import { main } from '../../src/cli/main.js';
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

/** The command line within this process: what it starts are processes all the same. */
export function useCommandLine(): CommandLine {
  return (root, args, { cwd = process.cwd(), env = process.env } = {}) => {
    const stop = new AbortController();
    return new CommandRun(
      (written) =>
        main(['--home', join(root, 'home'), ...args], {
          ...written,
          env,
          cwd,
          isTerminal: false,
          openBrowser: () => undefined,
          // there is no input
          readLine: async () => undefined,
          whenInputEnds: async () => undefined,
          stdio: () => Duplex.from(''),
          signal: stop.signal,
        }),
      () => stop.abort(),
    );
  };
}

/**
 * The command line as it is packaged, in processes of its own: for what a process has once, such as its proxy, and
 * for the signals that end it.
 */
export function useCommandProcess(): CommandLine {
  const script = useScript('src/cli.ts', 'cjs');
  return (root, args, surroundings = {}) => {
    const child = spawn(process.execPath, [script.path, '--home', join(root, 'home'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      ...surroundings,
    });
    return new CommandRun(
      async ({ writeOut, writeError }) => {
        child.stdout.setEncoding('utf8').on('data', writeOut);
        child.stderr.setEncoding('utf8').on('data', writeError);
        const [status] = await once(child, 'close');
        return status;
      },
      () => void child.kill('SIGINT'),
    );
  };
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
  const home = (...path: readonly string[]) => join(harness.root, 'home', ...path);
  const start = (...args: readonly string[]) => cli(harness.root, args, { cwd: folder() });
  return {
    root: () => harness.root,
    folder,
    home,
    /** The configuration of the user. */
    userFile: () => home('.pi', 'agent', 'mcp.json'),
    /** That of the folder. */
    projectFile: () => join(folder(), '.mcp.json'),
    /** @param content what is no text as JSON */
    write: async (path: string, content: string | object) => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    },
    read: async (path: string) => JSON.parse(await readFile(path, 'utf8')),
    run: (...args: readonly string[]) => start(...args).ended,
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

  /** @param run resolves with its exit status; `null`: a signal ended it */
  constructor(
    run: (written: Pick<CliIo, 'writeOut' | 'writeError'>) => Promise<number | null>,
    readonly interrupt: () => void,
  ) {
    this.ended = run({
      writeOut: (text) => {
        this.out += text;
      },
      writeError: (text) => {
        this.error += text;
        this.errorEmitter.fire();
      },
    }).then((status) => ({ status, out: this.out, error: this.error }));
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
}
