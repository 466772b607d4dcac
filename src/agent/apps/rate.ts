/** Lets bursts through, but no more than a steady number of messages each second. */
export class AppRate {
  private tokens: number;
  private readAt: number;
  private refused = 0;

  constructor(
    private readonly options: {
      readonly burst: number;
      readonly perSecond: number;
      /** Refusals in a row after which the sender is given up. */
      readonly patience: number;
      /** Milliseconds. */
      readonly now: () => number;
    },
  ) {
    this.tokens = options.burst;
    this.readAt = options.now();
  }

  take(): 'pass' | 'refuse' | 'giveUp' {
    const { burst, perSecond, patience, now } = this.options;
    const at = now();
    this.tokens = Math.min(burst, this.tokens + ((at - this.readAt) / 1000) * perSecond);
    this.readAt = at;
    if (this.tokens >= 1) {
      this.tokens--;
      this.refused = 0;
      return 'pass';
    }
    this.refused++;
    return this.refused > patience ? 'giveUp' : 'refuse';
  }
}
