import type { ToolStatistic } from './toolStatistics.js';

/** Nearest-rank percentile of the latest calls; `undefined` before the first. */
export function durationPercentile(
  { durations }: Pick<ToolStatistic, 'durations'>,
  percent: number,
): number | undefined {
  const sorted = [...durations].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
}

export function errorCount({ errors }: Pick<ToolStatistic, 'errors'>): number {
  return Object.values(errors).reduce((total, count) => total + count, 0);
}
