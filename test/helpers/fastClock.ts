import { toDisposable } from '../../src/base/disposable.js';
import type { Clock } from '../../src/platform/clock.js';

/** Time that passes `factor` times as fast, so that backoff and idle times of minutes take moments. */
export function createFastClock(factor: number): Clock {
  const startedAt = Date.now();
  return {
    now: () => startedAt + (Date.now() - startedAt) * factor,
    elapsed: () => performance.now() * factor,
    after(ms, callback) {
      const timer = setTimeout(callback, ms / factor);
      return toDisposable(() => clearTimeout(timer));
    },
    random: () => 0.5,
  };
}
