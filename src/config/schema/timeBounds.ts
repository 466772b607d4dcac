/** Longest time-out of an entry: who waits longer waits for nobody. Milliseconds. */
export const maxTimeoutMs = 10 * 60_000;
/** Longest `idleTimeout`, a week; more than a timer can count is no bound but a mistake. Minutes. */
export const maxIdleMinutes = 7 * 24 * 60;
