import { delay } from '../../../base/async/cancellation.js';
import { Coalescer } from '../../../base/async/coalescer.js';
import type { Disposable } from '../../../base/disposable.js';

const delayMs = 100;
/** Announcements that are passed on without a pause, as long as a quiet time comes between. */
const freeChanges = 10;
const quietMs = 10_000;
const pauseMs = 5000;

/**
 * Passes on that a list changed: once for a burst, and at a slow pace for a server that does not stop. The last one
 * is never lost.
 */
export class ListChanges implements Disposable {
  // made when they are needed, since there are three lists a connection and most never change
  private coalescer: Coalescer | undefined;
  private lifetime: AbortController | undefined;
  private isDisposed = false;
  private inRow = 0;
  private lastAt = Number.NEGATIVE_INFINITY;

  /** @param onTooMany called once for each run of too many. */
  constructor(
    private readonly onChange: () => void,
    private readonly onTooMany: (pauseMs: number) => void,
  ) {}

  request(): void {
    if (!this.isDisposed) {
      this.coalescer ??= new Coalescer(() => this.passOn(), { delayMs });
      this.coalescer.request();
    }
  }

  dispose(): void {
    this.isDisposed = true;
    this.coalescer?.dispose();
    this.lifetime?.abort();
  }

  private async passOn(): Promise<void> {
    const now = performance.now();
    this.inRow = now - this.lastAt > quietMs ? 1 : this.inRow + 1;
    this.lastAt = now;
    this.onChange();
    if (this.inRow === freeChanges) {
      this.onTooMany(pauseMs);
    }
    if (this.inRow >= freeChanges) {
      this.lifetime ??= new AbortController();
      // disposed: nobody wants to know any more
      await delay(pauseMs, this.lifetime.signal).catch(() => undefined);
    }
  }
}
