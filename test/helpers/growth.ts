/**
 * How the time of a parser grows with its input, as a ratio. Nothing here compares with a clock: only times of one run
 * with each other, each the shortest of several, so that a busy machine does not matter.
 */

export interface Growth {
  /** How many times as long 16 times the input takes: 16 when linear, 256 when quadratic; 0 when too fast to tell. */
  readonly ratio: number;
  /** Characters of the larger input. */
  readonly size: number;
}

/** Between linear (16) and quadratic (256), far from both: collecting garbage costs, too. */
export const maxRatio = 80;

const factor = 16;
// far below it, the timer, the compiler and the garbage are what is measured
const measurableMs = 20;
const runs = 2;
const attempts = 4;

/**
 * The steepest growth on the way to `maxSize` characters. Goes up step by step, at first in small ones, and stops at the
 * first growth that is too steep, so that exponential work ends too.
 */
export function growthOf(
  run: (text: string) => void,
  input: (size: number) => string,
  maxSize: number,
): Growth {
  let steepest: Growth = { ratio: 0, size: 0 };
  for (const size of sizesUpTo(maxSize)) {
    const isSlow = timeOf(run, input(size)) >= measurableMs;
    const ratio = isSlow ? ratioAt(run, input, size) : 0;
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
function ratioAt(run: (text: string) => void, input: (size: number) => string, size: number) {
  let ratio = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && ratio > maxRatio; attempt++) {
    const large = shortest(run, input(size));
    if (large < measurableMs) {
      return 0;
    }
    ratio = Math.min(ratio, large / shortest(run, input(Math.ceil(size / factor))));
    if (ratio > 10 * maxRatio) {
      break;
    }
  }
  return ratio;
}

function shortest(run: (text: string) => void, text: string): number {
  return Math.min(...Array.from({ length: runs }, () => timeOf(run, text)));
}

function timeOf(run: (text: string) => void, text: string): number {
  const start = performance.now();
  run(text);
  return performance.now() - start;
}
