/** What a timer can wait for; a longer one fires at once. */
const longestDelayMs = 2 ** 31 - 1;

/** The nearest time that a timer can wait for. */
export function possibleDelay(ms: number): number {
  return Math.min(longestDelayMs, Math.max(0, ms));
}
