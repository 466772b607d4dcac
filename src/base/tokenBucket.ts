/** Lets bursts through, but no more than a steady number of things each second. */
export class TokenBucket {
  private tokens: number;
  private filledAt: number;

  constructor(
    private readonly options: {
      /** How many pass at once before the rate applies. */
      readonly burst: number;
      readonly perSecond: number;
      /** Milliseconds. Default: `performance.now`. */
      readonly now?: () => number;
    },
  ) {
    this.tokens = options.burst;
    this.filledAt = this.now();
  }

  /** Takes one. @param atLeast that many have to be there. @returns whether there were. */
  take(atLeast = 1): boolean {
    const { burst, perSecond } = this.options;
    const now = this.now();
    this.tokens = Math.min(burst, this.tokens + ((now - this.filledAt) * perSecond) / 1000);
    this.filledAt = now;
    if (this.tokens < atLeast) {
      return false;
    }
    this.tokens--;
    return true;
  }

  private now(): number {
    return this.options.now?.() ?? performance.now();
  }
}
