/**
 * How the time of work grows with its input, as a ratio. Nothing here compares with a clock: only times of one run
 * with each other, each the shortest of several, so that a busy machine does not matter.
 */

export interface Growth {
  /** How many times as long 16 times the input takes: 16 when linear, 256 when quadratic; 0 when too fast to tell. */
  readonly ratio: number;
  /** Of the larger input. */
  readonly size: number;
}

/** Between linear (16) and quadratic (256), far from both: collecting garbage costs, too. */
export const maxRatio = 80;

const factor = 16;
// far below it, the timer, the compiler and the garbage are what is measured
const measurableMs = 20;
const runs = 2;
// only what is too steep takes more than one
const attempts = 12;

/** May wait. */
type Work<T> = (input: T) => unknown;

/**
 * The steepest growth on the way to inputs of `maxSize` characters or items. Goes up step by step, at first in small
 * ones, and stops at the first growth that is too steep, so that exponential work ends too.
 */
export async function growthOf<T>(
  run: Work<T>,
  input: (size: number) => T,
  maxSize: number,
): Promise<Growth> {
  let steepest: Growth = { ratio: 0, size: 0 };
  for (const size of sizesUpTo(maxSize)) {
    const isSlow = (await timeOf(run, input(size))) >= measurableMs;
    const ratio = isSlow ? await ratioAt(run, input, size) : 0;
    if (ratio > steepest.ratio) {
      steepest = { ratio, size };
    }
    if (ratio > maxRatio) {
      break;
    }
  }
  return steepest;
}

function* sizesUpTo(maxSize: number): Generator<number> {
  for (let size = 8; size <= maxSize; size += size < 64 ? 4 : size * 3) {
    yield size;
  }
}

/** The smallest of several, unless the first is small enough; 0 when it turns out to be fast. */
async function ratioAt<T>(run: Work<T>, input: (size: number) => T, size: number): Promise<number> {
  let ratio = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && ratio > maxRatio; attempt++) {
    const large = await shortest(run, input(size));
    if (large < measurableMs) {
      return 0;
    }
    ratio = Math.min(ratio, large / (await shortest(run, input(Math.ceil(size / factor)))));
    if (ratio > 10 * maxRatio) {
      break;
    }
  }
  return ratio;
}

async function shortest<T>(run: Work<T>, input: T): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < runs; index++) {
    least = Math.min(least, await timeOf(run, input));
  }
  return least;
}

async function timeOf<T>(run: Work<T>, input: T): Promise<number> {
  const start = performance.now();
  await run(input);
  return performance.now() - start;
}
