// @ts-check
/** Child processes that end with us, with everything that they started in their process group. */
import { spawn } from 'node:child_process';

const stopGraceMs = 10_000;

/** @type {Set<ChildProcess>} */
const running = new Set();

export class ChildProcess {
  /**
   * @param {string} command
   * @param {readonly string[]} args
   * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
   */
  constructor(command, args, options = {}) {
    this.output = '';
    this.child = spawn(command, [...args], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    /** @type {Promise<void>} */
    this.exited = new Promise((resolve) => {
      this.child.once('exit', () => resolve());
      this.child.once('error', () => resolve());
    });
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        this.output += text;
        for (const listener of this.listeners) {
          listener();
        }
      });
    }
    running.add(this);
    void this.exited.then(() => running.delete(this));
  }

  get pid() {
    return this.child.pid;
  }

  /**
   * Resolves with the match once the output has it; rejects when the process ends first.
   * @param {RegExp} pattern
   * @returns {Promise<RegExpExecArray>}
   */
  async waitForOutput(pattern) {
    /** @type {() => void} */
    let check = () => undefined;
    /** @type {Promise<RegExpExecArray>} */
    const seen = new Promise((resolve) => {
      check = () => {
        const match = pattern.exec(this.output);
        if (match) {
          resolve(match);
        }
      };
    });
    this.listeners.add(check);
    check();
    const ended = this.exited.then(() => {
      const start = this.child.spawnargs.join(' ');
      throw new Error(`${start} ended before it was ready:\n${this.output}`);
    });
    try {
      return await Promise.race([seen, ended]);
    } finally {
      this.listeners.delete(check);
      ended.catch(() => undefined);
    }
  }

  /** SIGTERM to the group, then SIGKILL; resolves when the process has ended. */
  async stop() {
    this.signal('SIGTERM');
    const timer = setTimeout(() => this.signal('SIGKILL'), stopGraceMs);
    await this.exited;
    clearTimeout(timer);
  }

  /** @param {NodeJS.Signals} signal */
  signal(signal) {
    if (this.child.pid === undefined || this.child.exitCode !== null) {
      return;
    }
    try {
      process.kill(-this.child.pid, signal);
    } catch {
      // the group has ended already
    }
  }
}

export async function stopAllChildren() {
  await Promise.all([...running].map((child) => child.stop()));
}
