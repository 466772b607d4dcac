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

/**
 * How many servers start at the same time. What is slow to answer once it was started holds nobody up, and what
 * somebody waits for has as many slots of its own.
 */
export class StartSlots {
  private readonly held = { calm: new Set<Slot>(), hurried: new Set<Slot>() };
  private waiting: Slot[] = [];

  constructor(private readonly limit: number) {}

  request(): StartSlot {
    return new Slot(this);
  }

  /** @internal */
  enqueue(slot: Slot): void {
    this.waiting.push(slot);
    this.admit();
  }

  /** @internal */
  leave(slot: Slot): void {
    this.held.calm.delete(slot);
    this.held.hurried.delete(slot);
    this.waiting = this.waiting.filter((other) => other !== slot);
    this.admit();
  }

  /** @internal Lets in as many as there is room for, in the order of arrival. */
  admit(): void {
    this.waiting = this.waiting.filter((slot) => {
      const held = slot.isHurried ? this.held.hurried : this.held.calm;
      if (held.size >= this.limit) {
        return true;
      }
      held.add(slot);
      slot.enter();
      return false;
    });
  }
}

class Slot implements StartSlot {
  isHurried = false;
  private isReleased = false;
  private enterNow: () => void = () => undefined;

  constructor(private readonly slots: StartSlots) {}

  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.isReleased) {
      return;
    }
    const entered = new Promise<void>((resolve) => {
      this.enterNow = resolve;
    });
    this.slots.enqueue(this);
    try {
      await raceWithSignal(entered, signal);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  hurry(): void {
    this.isHurried = true;
    this.slots.admit();
  }

  release(): void {
    this.isReleased = true;
    this.slots.leave(this);
  }

  enter(): void {
    this.enterNow();
  }
}
