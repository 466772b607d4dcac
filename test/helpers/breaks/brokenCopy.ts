/** A copy of the repository in which sources are broken, and tests run that ought to notice. */
import { type ChildProcess, fork } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findProcesses, killProcesses } from '../../workbench/processes.mjs';

export interface TestRun {
  readonly ring: string;
  /** From the root of the repository. */
  readonly files: readonly string[];
  /** Of titles. Default: all. */
  readonly pattern?: string;
}

export type Verdict = 'green' | 'red' | 'late';

/** What is not copied: links lead to what is installed and built. */
const left = ['node_modules', '.workbench', '.git', 'dist', 'test-results'];
/** What tests build for themselves, from the sources of their copy. */
const built = 'programs';
const usualLimitMs = 10 * 60_000;

export class BrokenCopy {
  readonly dir = mkdtempSync(join(tmpdir(), 'pi-mcp-breaks-'));
  private readonly home = mkdtempSync(join(tmpdir(), 'pi-mcp-breaks-home-'));
  private readonly changed = new Set<string>();
  private driver: Promise<ChildProcess> | undefined;

  constructor(private readonly config = 'test/vitest.config.mts') {
    cpSync('.', this.dir, {
      recursive: true,
      filter: (path) => !left.includes(path.split(/[\\/]/)[0] ?? ''),
    });
    for (const name of ['node_modules', 'dist'].filter((one) => existsSync(one))) {
      symlinkSync(resolve(name), join(this.dir, name));
    }
    const workbench = '.workbench';
    mkdirSync(join(this.dir, workbench));
    for (const name of existsSync(workbench) ? readdirSync(workbench) : []) {
      if (name !== built) {
        symlinkSync(resolve(workbench, name), join(this.dir, workbench, name));
      }
    }
  }

  read(path: string): string {
    return readFileSync(join(this.dir, path), 'utf8');
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.dir, path), text);
    this.changed.add(path);
  }

  /** What `work` finds while a file has another text. */
  async withText<T>(path: string, text: string, work: () => Promise<T>): Promise<T> {
    const before = this.read(path);
    this.write(path, text);
    try {
      return await work();
    } finally {
      this.write(path, before);
    }
  }

  /** `late`: it took longer than the limit, in milliseconds, and was ended. */
  async run(test: TestRun, limitMs = usualLimitMs): Promise<Verdict> {
    this.driver ??= this.startDriver();
    const driver = await this.driver;
    const answered = nextMessage(driver);
    driver.send({ ...test, changed: [...this.changed] });
    this.changed.clear();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolveLate) => {
      timer = setTimeout(() => resolveLate('late'), limitMs);
    });
    try {
      const verdict = await Promise.race([answered, late]);
      if (verdict !== 'late' && verdict !== undefined) {
        return (verdict as { readonly isGreen: boolean }).isGreen ? 'green' : 'red';
      }
      this.end();
      // a broken source can take the runner along
      return verdict ?? 'red';
    } finally {
      clearTimeout(timer);
    }
  }

  dispose(): void {
    this.end();
    for (const dir of [this.dir, this.home]) {
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  private async startDriver(): Promise<ChildProcess> {
    const driver = fork('test/helpers/breaks/testDriver.mjs', [this.config], {
      cwd: this.dir,
      stdio: 'ignore',
      env: { ...process.env, HOME: this.home, USERPROFILE: this.home, TMPDIR: this.home },
    });
    // it can end between two runs as well
    driver.once('exit', () => {
      this.driver = undefined;
    });
    driver.on('error', () => undefined);
    await nextMessage(driver);
    return driver;
  }

  /** What runs, with all that it has started. */
  end(): void {
    this.driver = undefined;
    killProcesses(findProcesses(this.home));
  }
}

/** @returns undefined when the process has ended instead. */
function nextMessage(driver: ChildProcess): Promise<unknown> {
  return new Promise((done) => {
    if (driver.exitCode !== null || driver.signalCode !== null) {
      done(undefined);
      return;
    }
    const onMessage = (message: unknown) => end(message);
    const onExit = () => end(undefined);
    const end = (message: unknown) => {
      driver.off('message', onMessage);
      driver.off('exit', onExit);
      done(message);
    };
    driver.once('message', onMessage);
    driver.once('exit', onExit);
  });
}
