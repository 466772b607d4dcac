/** How something grows: figures for growing sizes, and the exponent that they follow. */

interface Point {
  readonly size: number;
  readonly value: number;
}

export interface Series {
  readonly name: string;
  readonly unit: 'ms' | 'MB';
  readonly points: readonly Point[];
}

export interface Curve {
  /** Name of its file. */
  readonly id: string;
  readonly title: string;
  /** What the sizes count. */
  readonly axis: string;
  readonly series: readonly Series[];
}

/** By what is measured; its unit is the last word. */
export type Measured = Readonly<Record<`${string}, ${Series['unit']}`, number>>;

/** Milliseconds or megabytes. */
const floor = 0.05;

/** Above it a series grows faster than linear, whatever noise adds. */
export const steepExponent = 1.15;

/** Measures the sizes from the smallest on, after one that warms the code up. */
export async function sweep(
  head: Omit<Curve, 'series'>,
  sizes: readonly number[],
  measure: (size: number) => Promise<Measured>,
): Promise<Curve> {
  await measure(sizes[Math.floor(sizes.length / 2)] ?? 1);
  const series = new Map<string, Point[]>();
  for (const size of sizes) {
    for (const [name, value] of Object.entries(await measure(size))) {
      series.set(name, [...(series.get(name) ?? []), { size, value }]);
    }
  }
  return {
    ...head,
    series: [...series].map(([key, points]) => {
      const end = key.lastIndexOf(', ');
      return { name: key.slice(0, end), unit: key.slice(end + 2) === 'MB' ? 'MB' : 'ms', points };
    }),
  };
}

/** The least milliseconds of each work, by turns: what else the machine does only ever adds to them. */
export async function leastOf(
  works: readonly (() => unknown)[],
  rounds = 7,
): Promise<readonly number[]> {
  const times = works.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of works.entries()) {
      const start = performance.now();
      await work();
      times[index] = Math.min(times[index] ?? 0, performance.now() - start);
    }
  }
  return times;
}

/**
 * Slope of the line through the upper half of the sizes, both axes logarithmic: 1 is linear, 0 does not grow. Below a floor
 * a value says nothing.
 */
export function exponentOf({ points }: Pick<Series, 'points'>): number {
  const upper = points.slice(Math.floor(points.length / 2));
  const logs = upper.map(({ size, value }) => [Math.log(size), Math.log(Math.max(floor, value))]);
  const mean = (index: number) =>
    logs.reduce((sum, pair) => sum + (pair[index] ?? 0), 0) / logs.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const sums = logs.reduce(
    (sum, [x = 0, y = 0]) => ({
      xy: sum.xy + (x - meanX) * (y - meanY),
      xx: sum.xx + (x - meanX) ** 2,
    }),
    { xy: 0, xx: 0 },
  );
  return sums.xx === 0 ? 0 : sums.xy / sums.xx;
}
