/** The thread that runs Babel. It is there while there is something to do, and a little longer. */
import { Worker } from 'node:worker_threads';
import type { Disposable } from '../../../base/disposable.js';
import { type Clock, systemClock } from '../../../platform/clock.js';
import type { JitiInput, JitiOptions } from './jiti.js';

/** The next extension comes when the one before it has run. */
const idleMs = 1_000;

export interface TranspilerSettings {
  /** A file in the folder of jiti and Babel. */
  readonly beside: string;
  /** The environment is read where Pi runs. */
  readonly settings: Omit<JitiOptions, 'transform'>;
}

export interface TranspilerRequest extends TranspilerSettings {
  readonly input: JitiInput;
}

/** @returns `undefined` when it could not */
export type Transpiler = (request: TranspilerRequest) => Promise<string | undefined>;

export interface TranspilerAnswer {
  readonly id: number;
  readonly code?: string;
}

export class TranspilerThread {
  private worker: Worker | undefined;
  private idle: Disposable | undefined;
  private lastId = 0;
  private readonly waiting = new Map</* id */ number, (code: string | undefined) => void>();

  constructor(
    private readonly program: URL,
    private readonly clock: Clock = systemClock,
  ) {}

  readonly transpile: Transpiler = (request) =>
    new Promise((resolve) => {
      this.idle?.dispose();
      const id = ++this.lastId;
      this.waiting.set(id, resolve);
      try {
        this.worker ??= this.start();
        this.worker.ref();
        this.worker.postMessage({ id, ...request });
      } catch {
        // no thread can be started here
        this.answer({ id });
      }
    });

  private start(): Worker {
    // neither what VS Code was started with nor its environment is for this
    const worker = new Worker(this.program, { execArgv: [], env: {}, name: 'pi-mcp transpiler' });
    worker.on('message', (answer: TranspilerAnswer) => this.answer(answer));
    const giveUp = () => this.giveUp(worker);
    worker.on('error', giveUp);
    worker.on('messageerror', giveUp);
    worker.on('exit', giveUp);
    return worker;
  }

  private answer({ id, code }: TranspilerAnswer): void {
    this.waiting.get(id)?.(code);
    this.waiting.delete(id);
    if (this.waiting.size === 0) {
      this.worker?.unref();
      this.idle?.dispose();
      this.idle = this.clock.after(idleMs, () => this.giveUp(this.worker));
    }
  }

  private giveUp(worker: Worker | undefined): void {
    if (worker === undefined || worker !== this.worker) {
      return;
    }
    this.worker = undefined;
    void worker.terminate();
    for (const id of [...this.waiting.keys()]) {
      this.answer({ id });
    }
  }
}
