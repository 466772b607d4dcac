import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import spawnScript from 'cross-spawn';
import { delay } from '../../../base/async/cancellation.js';
import { Emitter, onceEvent } from '../../../base/event.js';
import { isWindowsProgram } from '../../../platform/executable.js';
import type { LogLevel } from '../../../platform/ports.js';
import { type StopOutcome, stopTree } from '../../../platform/process/stopTree.js';
import type { ProcessTree } from '../../../platform/process/tree.js';
import { NotificationGate } from '../reading/notificationGate.js';
import type { JsonRpcMessage, McpTransport } from '../reading/transport.js';
import { LineFramer } from './lineFramer.js';
import { OutputTail } from './outputTail.js';

/** Output that was written before the end still arrives within this time of silence. */
const drainMs = 50;
/** Neither output nor the exit code of a process that ends delays the news longer than this: a busy machine is late. */
const maxDrainMs = 1000;

/** What runs, and in what. */
export interface StdioProgram {
  /** Absolute path. */
  readonly executable: string;
  readonly args: readonly string[];
  /** Absolute path of an existing folder. */
  readonly cwd: string;
  /** The child's whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

export interface StdioTransportOptions {
  readonly tree: ProcessTree;
  /** What `env` holds as `markerVariable`. Default: who leaves the group is not looked for. */
  readonly marker?: string | undefined;
  /** Milliseconds between closing stdin and SIGTERM, asked again while they pass. Default 2 000. */
  readonly stopGraceMs?: (() => number) | undefined;
  readonly onStderrLine?: (line: string) => void;
  readonly onNotice: (level: LogLevel, message: string) => void;
  /** Default: nobody writes it down. */
  readonly life?: ProcessLife | undefined;
}

/** Told what becomes of the process. */
export interface ProcessLife {
  /** Waited for before the process is spawned. */
  onWillSpawn(): Promise<unknown>;
  /** It could not be spawned. */
  onDidNotSpawn(): void;
  /** The process runs. */
  onDidSpawn(pid: number): void;
  /** The process and everything it started are gone, as far as can be known. */
  onDidVanish(pid: number, outcome: StopOutcome): void;
}

/** How the process ended. */
export interface ProcessExit {
  readonly exitCode: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
}

/** What ended the wire; `stopped` means that {@link StdioTransport.close} came first. */
export type StdioEnd = 'exited' | 'stdout_closed' | 'stdin_closed' | 'stopped';

/** `ending`: nothing is sent any more, and what the process has said is still read. */
type Wire =
  | { readonly kind: 'open' }
  | { readonly kind: 'ending' | 'down'; readonly end: StdioEnd };

/**
 * Newline-delimited JSON-RPC over a child process that leads its own process group. The wire is down as soon as the
 * process exits or closes stdin or stdout, whoever else still holds the pipes; then, as after {@link close}, the
 * whole group is stopped.
 */
export class StdioTransport implements McpTransport {
  onmessage?: (message: JsonRpcMessage, text?: string) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  private child: ChildProcessWithoutNullStreams | undefined;
  private wire: Wire = { kind: 'open' };
  private readonly wentDown = new Emitter<void>();
  private stopping: Promise<void> | undefined;
  private exited: ProcessExit | undefined;
  /** Milliseconds since 1970, as is the next. */
  private spawnedAt = 0;
  private exitedAt: number | undefined;
  private readonly _onDidExit = new Emitter<ProcessExit>();
  private readonly tail: OutputTail;
  private readonly gate: NotificationGate;
  private readonly framer: LineFramer;

  /** Fires once, when the first process has exited; others of its group may still run. */
  readonly onDidExit = this._onDidExit.event;

  constructor(
    private readonly program: StdioProgram,
    private readonly options: StdioTransportOptions,
  ) {
    this.tail = new OutputTail(options.onStderrLine);
    const { onNotice } = options;
    this.gate = new NotificationGate((message, text) => this.onmessage?.(message, text), onNotice);
    this.framer = new LineFramer({
      onMessage: (message, text) => this.gate.push(message, text),
      onNotice,
    });
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  get exit(): ProcessExit | undefined {
    return this.exited;
  }

  get end(): StdioEnd | undefined {
    return this.wire.kind === 'open' ? undefined : this.wire.end;
  }

  /** Last lines of stderr, oldest first. */
  get stderrTail(): readonly string[] {
    return this.tail.lines;
  }

  /** Rejects with the system error of `spawn`. */
  async start(): Promise<void> {
    if (this.child || this.wire.kind !== 'open') {
      throw new Error('The transport was started before');
    }
    await this.options.life?.onWillSpawn();
    try {
      await this.spawn();
    } catch (error) {
      this.options.life?.onDidNotSpawn();
      throw error;
    }
    if (this.pid !== undefined) {
      this.options.life?.onDidSpawn(this.pid);
    }
  }

  private async spawn(): Promise<void> {
    if (this.wire.kind !== 'open') {
      throw new Error('The transport was closed before it started');
    }
    this.spawnedAt = Date.now();
    const { executable, args, cwd, env } = this.program;
    // on Windows it also starts .cmd files, which Node refuses, with their arguments escaped
    const start = isWindowsProgram(executable) ? spawn : spawnScript;
    const spawned = start(executable, [...args], {
      cwd,
      env,
      detached: this.options.tree.detached,
      stdio: 'pipe',
      windowsHide: true,
    });
    const isThere = new Promise<void>((resolve, reject) => {
      spawned.once('spawn', resolve).once('error', reject);
    });
    // where no further file can be opened it has none, and the error follows
    if (spawned.stdin) {
      // `stdio` is `pipe`
      const child = spawned as ChildProcessWithoutNullStreams;
      this.child = child;
      this.listen(child);
    }
    await isThere;
    onReaderGone(spawned.stdin, () => this.fail('stdin_closed'));
  }

  send(message: JsonRpcMessage): Promise<void> {
    return this.sendText(JSON.stringify(message));
  }

  /** While the wire goes down, rejects when it is: by then the last words of the process are known. */
  async sendText(text: string): Promise<void> {
    const { child } = this;
    if (child && this.wire.kind === 'open') {
      try {
        return await new Promise<void>((resolve, reject) => {
          child.stdin.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
        });
      } catch (error) {
        await this.downAfter(error);
        throw error;
      }
    }
    await this.downAfter();
    throw new Error('Not connected');
  }

  private async downAfter(failedWrite?: unknown): Promise<void> {
    if (failedWrite) {
      // the stream tells of its error a moment after the write
      await delay(0);
    }
    if (this.child && this.wire.kind === 'ending') {
      await onceEvent(this.wentDown.event);
    }
  }

  /** Resolves when every process of the group is gone, or after the bounded wait for SIGKILL. Never rejects. */
  async close(): Promise<void> {
    this.wire = this.wire.kind === 'open' ? { kind: 'ending', end: 'stopped' } : this.wire;
    await this.stop();
    this.goDown();
  }

  private listen(child: ChildProcessWithoutNullStreams): void {
    child.stdout.on('data', (chunk: Buffer) => this.framer.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.tail.push(chunk));
    child.stdout.on('end', () => this.fail('stdout_closed'));
    child.stdin.on('error', () => this.fail('stdin_closed'));
    // read errors end the stream as well, which is what counts
    child.stdout.on('error', () => this.fail('stdout_closed'));
    child.stderr.on('error', () => undefined);
    child.on('error', (error) => this.onerror?.(error));
    child.once('exit', (code, signal) => {
      this.exitedAt = Date.now();
      this.exited = { exitCode: code ?? undefined, signal: signal ?? undefined };
      // pipes often close a moment before the exit that closes them is reported
      const isOwnExit = !this.stopping || code !== null;
      if (isOwnExit && this.wire.kind === 'ending' && this.wire.end !== 'stopped') {
        this.wire = { kind: 'ending', end: 'exited' };
      }
      this._onDidExit.fire(this.exited);
      this.fail('exited');
    });
  }

  /** The wire broke by itself. */
  private fail(end: StdioEnd): void {
    if (this.wire.kind !== 'open') {
      return;
    }
    this.wire = { kind: 'ending', end };
    void this.drain().then(() => {
      this.goDown();
      return this.stop();
    });
  }

  /** Waits a moment for output still in the pipes and, when a pipe closed first, for the exit code. */
  private async drain(): Promise<void> {
    const child = this.child;
    if (!child) {
      return;
    }
    const enough = new AbortController();
    const settle = () => {
      if (this.exited && child.stdout.readableEnded && child.stderr.readableEnded) {
        enough.abort();
      }
    };
    let isQuiet = false;
    const onData = () => {
      isQuiet = false;
    };
    child.stdout.on('data', onData).once('end', settle);
    child.stderr.on('data', onData).once('end', settle);
    child.once('exit', settle);
    settle();
    const deadline = performance.now() + maxDrainMs;
    // a busy machine reports the exit later than the end of the pipes
    while (!(isQuiet && this.exited) && !enough.signal.aborted && performance.now() < deadline) {
      isQuiet = true;
      // aborted: everything has arrived
      await delay(drainMs, enough.signal).catch(() => undefined);
    }
  }

  private goDown(): void {
    if (this.wire.kind !== 'ending') {
      return;
    }
    this.wire = { kind: 'down', end: this.wire.end };
    this.framer.end();
    this.tail.end();
    this.gate.dispose();
    this.onclose?.();
    this.wentDown.fire();
  }

  private stop(): Promise<void> {
    this.stopping ??= this.stopOnce();
    return this.stopping;
  }

  private async stopOnce(): Promise<void> {
    const child = this.child;
    const pid = child?.pid;
    if (!child || pid === undefined) {
      return;
    }
    const { tree, marker, stopGraceMs } = this.options;
    const hasExited = () => this.exited !== undefined;
    const span = { from: this.spawnedAt, until: () => this.exitedAt };
    const started = { pid, marker, span };
    // their parents tell who belongs here, as long as they live
    const strays = this.exited || tree.endsAtOnce ? [] : await tree.findStrays(started);
    child.stdin.end();
    const outcome = await stopTree({ ...started, strays }, tree, {
      graceMs: stopGraceMs,
      onDidExit: this.onDidExit,
      hasExited,
    });
    // a survivor outside the group may hold the pipes; they must not keep us busy
    child.stdin.destroy();
    child.stdout.destroy();
    child.stderr.destroy();
    this.options.life?.onDidVanish(pid, outcome);
  }
}

/** What a pipe to a child is inside: on POSIX one end of a socket pair, which also reads. */
interface PipeHandle {
  onread?: (data: ArrayBuffer | undefined) => void;
  readStart?(): number;
}

/**
 * Calls back when nobody can read what is written to `stdin` any more. Node only notices at the next write, so its
 * handle is asked directly; where that has another shape, the next write has to do. What is documented costs more: a
 * socket of our own as the child's stdin ends at once too, but needs a path that others can reach; an empty write fails
 * as well, but has to be repeated, and tells late.
 */
function onReaderGone(stdin: object | null, callback: () => void): void {
  const handle = (stdin as { readonly _handle?: PipeHandle | null } | null)?._handle;
  if (process.platform === 'win32' || typeof handle?.readStart !== 'function') {
    return;
  }
  handle.onread = (data) => {
    if (data === undefined) {
      callback();
    }
  };
  handle.readStart();
}
