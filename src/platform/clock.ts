import { possibleDelay } from '../base/async/possibleDelay.js';
import { type Disposable, toDisposable } from '../base/disposable.js';

/** Milliseconds that a process gets to end by itself. */
export const defaultGraceMs = 2000;

/** Time and chance, replaceable by tests. */
export interface Clock {
  /** Milliseconds since the epoch, for what people see; it jumps when the clock is set. */
  now(): number;
  /** Milliseconds from some moment on, which never run backwards: for measuring. */
  elapsed(): number;
  /** Calls back once after `ms`, or 24 days if that is sooner, unless disposed before; never keeps the process alive. */
  after(ms: number, callback: () => void): Disposable;
  /** From 0 to below 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, possibleDelay(ms));
    timer.unref();
    return toDisposable(() => clearTimeout(timer));
  },
  random: () => Math.random(),
};

const firstDelayMs = 1000;
const longestDelayMs = 60_000;

/** Milliseconds to wait after the given number of failures in a row (1 = first); half of it is jitter. */
export function backoffMs(failures: number, random: number): number {
  const full = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(failures, 16));
  return Math.max(firstDelayMs, full * (0.5 + random / 2));
}
