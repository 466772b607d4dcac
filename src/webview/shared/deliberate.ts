/** Whether a press may allow something: only when the question was there before the user reached for it. */

/** Milliseconds for which a question is seen, and no other key pressed, before a key allows it. */
export const deliberateMs = 800;
/** Alone they are no press. */
export const modifierKeys = ['Control', 'Meta', 'Shift', 'Alt', 'AltGraph'];

/** Times are in milliseconds of a clock that never runs backwards. */
export class DeliberateKeys {
  private readonly seen = new Map</* approval id */ string, number>();
  private lastKey = Number.NEGATIVE_INFINITY;

  /** The questions that are on the page now. */
  show(ids: readonly string[], now: number): void {
    for (const id of this.seen.keys()) {
      if (!ids.includes(id)) {
        this.seen.delete(id);
      }
    }
    for (const id of ids) {
      if (!this.seen.has(id)) {
        this.seen.set(id, now);
      }
    }
  }

  /** The page was out of sight. */
  forget(now: number): void {
    for (const id of this.seen.keys()) {
      this.seen.set(id, now);
    }
  }

  /** A key that was pressed, for whatever it was meant. */
  press(now: number): void {
    this.lastKey = now;
  }

  /** The question is there for long enough. */
  isSettled(id: string, now: number): boolean {
    const seenAt = this.seen.get(id);
    return seenAt !== undefined && now - seenAt >= deliberateMs;
  }

  /** @param isTypedThere keys before it were for the question itself, such as its arguments */
  mayAllow(id: string, now: number, isTypedThere: boolean): boolean {
    const isQuiet = isTypedThere || now - this.lastKey >= deliberateMs;
    return this.isSettled(id, now) && isQuiet;
  }
}
