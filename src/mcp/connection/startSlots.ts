import { raceWithSignal } from '../../base/async/cancellation.js';

/** Leave to start one server. */
export interface StartSlot {
  /** Resolves when the start may begin; rejects with the signal's reason. Call it once. */
  take(signal: AbortSignal): Promise<void>;
  /** Somebody waits for the server: it goes before all those that nobody waits for. */
  hurry(): void;
  /** The start is over, or not wanted any more. */
  release(): void;
}

interface Start {
  isHurried: boolean;
  enter(): void;
}

/**
 * How many servers start at the same time. What is slow to answer once it was started holds nobody up, and what
 * somebody waits for has as many slots of its own.
 */
export class StartSlots {
  private readonly held = { calm: new Set<Start>(), hurried: new Set<Start>() };
  private waiting: Start[] = [];

  constructor(private readonly limit: number) {}

  request(): StartSlot {
    const start: Start = { isHurried: false, enter: () => undefined };
    let isReleased = false;
    const release = () => {
      isReleased = true;
      this.held.calm.delete(start);
      this.held.hurried.delete(start);
      this.waiting = this.waiting.filter((other) => other !== start);
      this.admit();
    };
    return {
      take: async (signal) => {
        signal.throwIfAborted();
        if (isReleased) {
          return;
        }
        const entered = new Promise<void>((resolve) => {
          start.enter = resolve;
        });
        this.waiting.push(start);
        this.admit();
        try {
          await raceWithSignal(entered, signal);
        } catch (error) {
          release();
          throw error;
        }
      },
      hurry: () => {
        start.isHurried = true;
        this.admit();
      },
      release,
    };
  }

  /** Lets in as many as there is room for, in the order of arrival. */
  private admit(): void {
    this.waiting = this.waiting.filter((start) => {
      const held = start.isHurried ? this.held.hurried : this.held.calm;
      if (held.size >= this.limit) {
        return true;
      }
      held.add(start);
      start.enter();
      return false;
    });
  }
}
