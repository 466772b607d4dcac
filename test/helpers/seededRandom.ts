/** Repeatable randomness for property tests. */
export class SeededRandom {
  constructor(private state: number) {}

  /** Integer from 0 up to but without `limit`. */
  below(limit: number): number {
    // xorshift32
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) % limit;
  }

  chance(outOf: number): boolean {
    return this.below(outOf) === 0;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}
