import type { Disposable } from '../disposable.js';

/**
 * Runs `work` once for a burst of requests: waits for `delayMs` of quiet, at most `maxDelayMs` after the first
 * request, never twice at the same time, and once more when requests arrived while it ran.
 */
export class Coalescer implements Disposable {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private firstRequestAt: number | undefined;
  private running: Promise<void> | undefined;
  private isAgainWanted = false;
  private disposed = false;

  /**
   * @param work Must handle its own errors; a rejection goes to `onError`.
   * @param options.delayMs quiet time in milliseconds.
   * @param options.maxDelayMs default: four times `delayMs`.
   * @param options.onError default: ignored.
   */
  constructor(
    private readonly work: () => Promise<void>,
    private readonly options: {
      readonly delayMs: number;
      readonly maxDelayMs?: number;
      readonly onError?: (error: unknown) => void;
    },
  ) {}

  request(): void {
    if (this.disposed) {
      return;
    }
    const now = performance.now();
    this.firstRequestAt ??= now;
    const maxDelayMs = this.options.maxDelayMs ?? this.options.delayMs * 4;
    const wait = Math.min(
      this.options.delayMs,
      Math.max(0, this.firstRequestAt + maxDelayMs - now),
    );
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), wait);
  }

  /**
   * Runs at once what is pending or joins the run under way; resolves when nothing is pending any more. The work itself
   * must not wait for it.
   */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.firstRequestAt = undefined;
    if (this.running) {
      this.isAgainWanted = true;
      return this.running;
    }
    let start: () => void = () => undefined;
    // known before it begins, since the work may ask for more at once
    const running = new Promise<void>((resolve, reject) => {
      start = () => void this.runUntilQuiet().then(resolve, reject);
    });
    this.running = running;
    start();
    await running;
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
  }

  private async runUntilQuiet(): Promise<void> {
    try {
      do {
        this.isAgainWanted = false;
        if (!this.disposed) {
          await this.attempt();
        }
      } while (this.isAgainWanted);
    } finally {
      // at once: who asks from now on was not heard by the last run
      this.running = undefined;
    }
  }

  private async attempt(): Promise<void> {
    try {
      await this.work();
    } catch (error) {
      this.options.onError?.(error);
    }
  }
}
