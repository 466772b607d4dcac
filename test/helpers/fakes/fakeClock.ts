import { toDisposable } from '../../../src/base/disposable.js';
import type { Clock } from '../../../src/platform/clock.js';

/** Time that passes only when a test says so. */
export class FakeClock implements Clock {
  private current = 1_000_000;
  private timers: { readonly at: number; readonly callback: () => void }[] = [];

  now(): number {
    return this.current;
  }

  elapsed(): number {
    return this.current;
  }

  random(): number {
    return 0.5;
  }

  after(ms: number, callback: () => void) {
    const timer = { at: this.current + ms, callback };
    this.timers.push(timer);
    return toDisposable(() => {
      this.timers = this.timers.filter((item) => item !== timer);
    });
  }

  /** Milliseconds until each pending timer. */
  get pending(): readonly number[] {
    return this.timers.map(({ at }) => at - this.current);
  }

  advance(ms: number): void {
    this.current += ms;
    const due = this.timers.filter(({ at }) => at <= this.current);
    this.timers = this.timers.filter(({ at }) => at > this.current);
    for (const { callback } of due) {
      callback();
    }
  }
}
