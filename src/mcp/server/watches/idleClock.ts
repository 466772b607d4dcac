import type { Disposable } from '../../../base/disposable.js';
import type { Clock } from '../../../platform/clock.js';

export interface IdleClockOptions {
  readonly clock: Clock;
  /** Milliseconds without use; 0 = never idle. */
  readonly idleMs: () => number;
  /** Something runs, or somebody holds what would be stopped. */
  readonly isInUse: () => boolean;
  readonly onIdle: () => void;
}

/** Says when something has not been used for a while. */
export class IdleClock implements Disposable {
  private timer: Disposable | undefined;
  /** On the measuring clock. */
  private usedAt = 0;

  constructor(private readonly options: IdleClockOptions) {}

  /** Who uses it, or for how long it may stay unused, has changed. */
  restart(): void {
    this.dispose();
    this.touch();
  }

  /** A use has ended. Does not restart the timer, which looks at the time of the last use when it is up. */
  touch(): void {
    this.usedAt = this.options.clock.elapsed();
    this.resume();
  }

  /** Something has ended that was no use, but must not be stopped while it lasts. */
  resume(): void {
    if (!this.timer) {
      this.wait();
    }
  }

  dispose(): void {
    this.timer?.dispose();
    this.timer = undefined;
  }

  private wait(): void {
    const { clock, idleMs, isInUse, onIdle } = this.options;
    const limitMs = idleMs();
    if (limitMs <= 0 || isInUse()) {
      return;
    }
    const restMs = this.usedAt + limitMs - clock.elapsed();
    if (restMs <= 0) {
      onIdle();
      return;
    }
    this.timer = clock.after(restMs, () => {
      this.timer = undefined;
      this.wait();
    });
  }
}
