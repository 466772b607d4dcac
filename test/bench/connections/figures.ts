/** Figures of a benchmark: paired, interleaved, with median and spread. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How much a benchmark does: 1 is a whole run, less is quicker and rougher. */
export interface BenchScale {
  readonly scale: number;
}

/** A row of the results with everything that makes it believable. */
export interface Figure {
  readonly name: string;
  /** Median of ours. */
  readonly value: number;
  readonly unit: 'ms' | 'µs' | 'KB' | 'MB' | 'bytes';
  /** What it is compared with; nothing for a figure of its own. */
  readonly baseline?: string;
  readonly baselineValue?: number;
  /** Median of the ratios of the quieter half of the pairs. */
  readonly ratio?: number;
  /** 10th and 90th percentile of those ratios, or of the values when there is no baseline. */
  readonly spread: readonly [number, number];
  /** Worst of all rounds. */
  readonly max?: number;
  readonly rounds: number;
  /** What the ratio, or without a baseline the value, must not exceed. */
  readonly target?: number;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}

type Measurement = () => Promise<number>;

interface Pair {
  readonly base: number;
  readonly ours: number;
}

interface PairDescription extends Pick<Figure, 'name' | 'unit' | 'target' | 'baseline'> {
  /** The quickest tenth of each side counts, whichever pairs it is in. Default: the quieter half of the pairs. */
  readonly isBestCounted?: boolean;
}

/**
 * Runs both alternately, who comes first changing each round, after one round that does not count. The half of the
 * pairs that took longest, both together, is left out: something else ran on the machine then.
 */
export async function comparePaired(
  description: PairDescription,
  rounds: number,
  base: Measurement,
  ours: Measurement,
): Promise<Figure> {
  const pairs: Pair[] = [];
  for (let round = 0; round <= rounds; round++) {
    const isBaseFirst = round % 2 === 0;
    const first = await (isBaseFirst ? base() : ours());
    const second = await (isBaseFirst ? ours() : base());
    if (round > 0) {
      pairs.push(isBaseFirst ? { base: first, ours: second } : { base: second, ours: first });
    }
  }
  if (description.isBestCounted) {
    return atBest(description, pairs);
  }
  const quiet = quieterHalf(pairs);
  const ratios = quiet.map((pair) => pair.ours / pair.base);
  return {
    baseline: 'raw SDK',
    ...description,
    value: median(quiet.map((pair) => pair.ours)),
    baselineValue: median(quiet.map((pair) => pair.base)),
    ratio: median(ratios),
    spread: [percentile(ratios, 0.1), percentile(ratios, 0.9)],
    rounds,
  };
}

/**
 * The 10th percentile of each side. Its spread is that of single pairs, which the scheduler decides: the same client with
 * the same server takes 28 µs a call or four times that, as their two processes are placed.
 */
function atBest({ isBestCounted: _, ...description }: PairDescription, pairs: readonly Pair[]) {
  const value = percentile(
    pairs.map(({ ours }) => ours),
    0.1,
  );
  const baselineValue = percentile(
    pairs.map(({ base }) => base),
    0.1,
  );
  const ratios = pairs.map((pair) => pair.ours / pair.base);
  return {
    baseline: 'raw SDK',
    ...description,
    value,
    baselineValue,
    ratio: value / baselineValue,
    spread: [percentile(ratios, 0.1), percentile(ratios, 0.9)] as const,
    rounds: pairs.length,
  };
}

function quieterHalf(pairs: readonly Pair[]): readonly Pair[] {
  const sorted = [...pairs].sort((a, b) => a.base + a.ours - b.base - b.ours);
  return sorted.slice(0, Math.max(3, Math.ceil(pairs.length / 2)));
}

export async function measureAlone(
  description: Pick<Figure, 'name' | 'unit' | 'target'>,
  rounds: number,
  ours: Measurement,
): Promise<Figure> {
  const values: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const value = await ours();
    if (round > 0) {
      values.push(value);
    }
  }
  return figureOf(description, values);
}

/** A figure of its own, from what was measured each time. */
export function figureOf(
  description: Pick<Figure, 'name' | 'unit' | 'target'>,
  values: readonly number[],
): Figure {
  const spread = [percentile(values, 0.1), percentile(values, 0.9)] as const;
  const rounds = values.length;
  return { ...description, value: median(values), spread, max: Math.max(...values), rounds };
}

/** Ours beside a peer's of the same rounds, as the median of the ratios. */
export function figureBeside(
  description: Pick<Figure, 'name' | 'unit' | 'target'> & { readonly baseline: string },
  ours: readonly number[],
  base: readonly number[],
): Figure {
  const ratios = ours.map((value, index) => value / (base[index] ?? Number.NaN));
  return {
    ...figureOf(description, ours),
    baselineValue: median(base),
    ratio: median(ratios),
    spread: [percentile(ratios, 0.1), percentile(ratios, 0.9)],
  };
}

/** Results in order, one after the other. */
export async function sequentially<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    results.push(await work(item, index));
  }
  return results;
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Microseconds that this process needs for `work`: unlike latency, no matter what else the machine does. */
export async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Longest time in milliseconds for which the event loop did not come round while `work` ran. */
export async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let isDone = false;
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) {
      setImmediate(turn);
    }
  };
  setImmediate(turn);
  try {
    await work();
    // what the work left for the next turn counts as well
    await new Promise((resolve) => setTimeout(resolve, 200));
  } finally {
    isDone = true;
  }
  return longest;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void;

/** Also moves what stays to where the old is. */
export function collectYoung(): void {
  collectGarbage({ type: 'minor' });
}

/** Bytes, once nothing more goes. */
export async function usedHeap(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let unchanged = 0; unchanged < 8; unchanged++) {
    await new Promise((resolve) => setTimeout(resolve, 60));
    collectGarbage();
    const { heapUsed } = process.memoryUsage();
    if (heapUsed < least - 1024) {
      unchanged = 0;
    }
    least = Math.min(least, heapUsed);
  }
  return least;
}
