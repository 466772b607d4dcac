/** Timing for benchmarks: medians, so that a pause of the machine does not count. */

export interface BenchRow {
  readonly name: string;
  /** Milliseconds; the median of the rounds. */
  readonly ms: number;
  /** Name of the row to which {@link ratio} refers. */
  readonly baseline?: string;
  readonly ratio?: number;
}

/** A figure that is no time. */
export interface FigureRow {
  readonly name: string;
  readonly value: number;
  /** May be empty. */
  readonly unit: string;
}

interface Rounds {
  /** Default 2. */
  readonly warmUps?: number;
  /** Default 9. */
  readonly rounds?: number;
}

export async function medianOf(work: () => unknown, options?: Rounds): Promise<number> {
  const [median = 0] = await mediansOf([work], options);
  return median;
}

/** Measures every work once a round, so that whatever else the machine does falls on all of them. */
export async function mediansOf(
  works: readonly (() => unknown)[],
  { warmUps = 2, rounds = 9 }: Rounds = {},
): Promise<readonly number[]> {
  const times = works.map((): number[] => []);
  for (let round = 0; round < warmUps + rounds; round++) {
    for (const [index, work] of works.entries()) {
      const start = performance.now();
      await work();
      if (round >= warmUps) {
        times[index]?.push(performance.now() - start);
      }
    }
  }
  return times.map((measured) => {
    const sorted = measured.sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  });
}

export function against(baseline: BenchRow, name: string, ms: number): BenchRow {
  return { name, ms, baseline: baseline.name, ratio: ms / baseline.ms };
}
