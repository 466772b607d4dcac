/**
 * How the work grows with its input, as a ratio of processor times of this thread: what else the machine does, and the
 * other threads of this process, do not count. Of several the least, so that garbage and compilation matter little.
 */

export interface Growth {
  /** How many times as much work 16 times the input takes: 16 when linear, 256 when quadratic; 0 when too fast to tell. */
  readonly ratio: number;
  /** Of the larger input. */
  readonly size: number;
}

/** Between linear (16) and quadratic (256), far from both: collecting garbage costs, too. */
export const maxRatio = 80;

/** Characters, where a parser does not say other ones. */
export const ordinarySize = 64 * 1024;

export interface GrowthCase {
  readonly name: string;
  readonly input: (size: number) => string;
  readonly maxSize: number;
}

/** Those in which the work grows too steeply, each time it is measured. */
export async function steepCases(
  run: Work<string>,
  cases: readonly GrowthCase[],
): Promise<readonly string[]> {
  const steep: string[] = [];
  for (const { name, input, maxSize } of cases) {
    let growth = await growthOf(run, input, maxSize);
    if (growth.ratio > maxRatio) {
      growth = await growthOf(run, input, maxSize);
    }
    if (growth.ratio > maxRatio) {
      steep.push(`${growth.ratio.toFixed()} at ${growth.size}: ${name}`);
    }
  }
  return steep;
}

const factor = 16;
// systems count processor time in steps of up to ten
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

/**
 * The smallest of several, unless the first is small enough; 0 when it turns out to be fast, or to grow in one step, as
 * it does where memory for large inputs costs more.
 */
async function ratioAt<T>(run: Work<T>, input: (size: number) => T, size: number): Promise<number> {
  let ratio = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && ratio > maxRatio; attempt++) {
    const large = await least(() => timeOf(run, input(size)));
    if (large < measurableMs) {
      return 0;
    }
    const ofPart = (part: number) => {
      const smaller = input(Math.ceil(size / part));
      return least(() => timeOfSmall(run, smaller));
    };
    const small = await ofPart(factor);
    ratio = Math.min(ratio, large / small);
    if (ratio > 10 * maxRatio) {
      break;
    }
    if (ratio > maxRatio) {
      const middle = await ofPart(Math.sqrt(factor));
      if (isStep(middle / small, large / middle)) {
        return 0;
      }
    }
  }
  return ratio;
}

/** Of two growths, each with 4 times the input: 4 when linear, and never over 16 for what is quadratic in part. */
function isStep(first: number, second: number): boolean {
  return second < 6 || (first < 6 && second > 20);
}

async function least(measure: () => Promise<number>): Promise<number> {
  let found = Number.POSITIVE_INFINITY;
  for (let index = 0; index < runs; index++) {
    found = Math.min(found, await measure());
  }
  return found;
}

/** Of one run among so many that they can be measured. */
async function timeOfSmall<T>(run: Work<T>, input: T): Promise<number> {
  let times = factor;
  let total = await timeOf(run, input, times);
  while (total < measurableMs / 2 && times < 100 * factor) {
    times *= 4;
    total = await timeOf(run, input, times);
  }
  return total / times;
}

async function timeOf<T>(run: Work<T>, input: T, times = 1): Promise<number> {
  const before = process.threadCpuUsage();
  for (let index = 0; index < times; index++) {
    await run(input);
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
