import { type ChildProcess, spawn } from 'node:child_process';
import { createProcessTree } from '../process/tree.js';

const maxOutputCharacters = 256 * 1024;

/**
 * PATH as an interactive login shell has it; undefined when the shell fails or takes too long. Never rejects, and
 * leaves no process behind.
 *
 * @param homeDir where the shell runs: what profiles run must not find a program or a settings file of the folder that
 * happens to be the current one.
 */
export function askLoginShellPath(
  shell: string,
  env: Readonly<Record<string, string>>,
  homeDir: string,
  timeoutMs: number,
): Promise<string | undefined> {
  // profiles print greetings, so the answer stands between marks
  const mark = `__path_${process.pid}_${Date.now().toString(36)}__`;
  const command = `echo ${mark}; printenv PATH; echo ${mark}`;
  const tree = createProcessTree();
  // of the folder that we were started in
  const { OLDPWD: _, ...inherited } = env;
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      child = spawn(shell, ['-ilc', command], {
        cwd: homeDir,
        env: { ...inherited, PWD: homeDir },
        // a session of its own: an interactive shell would otherwise reach for the terminal
        detached: true,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    } catch {
      // such as a home that is no folder
      resolve(undefined);
      return;
    }
    let output = '';
    let isDone = false;
    const finish = () => {
      clearTimeout(timer);
      if (isDone) {
        return;
      }
      isDone = true;
      child.stdout?.destroy();
      if (child.pid !== undefined) {
        void tree.signal({ pid: child.pid }, 'SIGKILL');
      }
      resolve(readAnswer(output, mark));
    };
    const timer = setTimeout(finish, timeoutMs);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-maxOutputCharacters);
      if (output.split(mark).length === 3) {
        finish();
      }
    });
    child.once('close', finish);
    child.once('error', finish);
  });
}

const maxTimeoutMs = 20_000;
const maxRetryMs = 10 * 60_000;

/** An answer is remembered, a failure is not: a machine that has just started is slow, and is asked again later. */
export class LoginShellPath {
  private asking: Promise<string | undefined> | undefined;
  private failures = 0;
  /** As `performance.now()`. */
  private failedAt: number | undefined;
  /** The pause after the last failure was cut short before. */
  private isUrged = false;

  constructor(
    /** Resolves with undefined for a failure; never rejects. */
    private readonly ask: (timeoutMs: number) => Promise<string | undefined>,
    private readonly options: {
      readonly timeoutMs?: number | undefined;
      readonly retryMs?: number | undefined;
    },
  ) {}

  /**
   * Undefined when the shell did not say so lately. Never rejects.
   * @param isMissed does not wait for the end of the pause after a failure; once in each.
   */
  async read(isMissed = false): Promise<string | undefined> {
    const { timeoutMs = 5000, retryMs = 30_000 } = this.options;
    const factor = 2 ** this.failures;
    const pauseMs = Math.min(maxRetryMs, (retryMs * factor) / 2);
    const isPaused = this.failedAt !== undefined && performance.now() - this.failedAt < pauseMs;
    if (isPaused && !this.asking && (!isMissed || this.isUrged)) {
      return undefined;
    }
    this.isUrged = isPaused;
    this.asking ??= this.ask(Math.min(maxTimeoutMs, timeoutMs * factor));
    const { asking } = this;
    const answer = await asking;
    if (answer === undefined && this.asking === asking) {
      this.asking = undefined;
      this.failures++;
      this.failedAt = performance.now();
    }
    return answer;
  }
}

function readAnswer(output: string, mark: string): string | undefined {
  const answer = output.split(mark)[1]?.trim();
  return answer ? answer : undefined;
}
