/** Finds which tests of a ring notice which mutants, in a copy that holds all of them. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { BrokenCopy } from '../helpers/breaks/brokenCopy.js';
import type { rings } from '../ringTable.mjs';
import { type Found, files, type Plan, patienceOf, type Running } from './plan.js';
import type { PlacedMutant } from './sample.js';
import { instrument } from './schemata.js';

export interface Outcome {
  readonly kind: 'killed' | 'late' | 'survived' | 'not met';
  /** Which test noticed. */
  readonly by?: string;
}

type TestFound = Extract<Found, { kind: 'test' }>;

/** Of tests: those that take longer run for what the others leave. */
const slowMs = 1000;
/** What the slow tests may take for one mutant. */
const budgetMs = 20_000;
const filesOfBatch = 15;
/** Test files that are loaded anew for one mutant, the nearest, and tests that run then. */
const filesOfReload = 3;
const reloadedMs = 5000;
/** Quick tests that try one mutant. */
const testsOfMutant = 200;

export class MutantHunt {
  private readonly copy = new BrokenCopy('test/mutation/vitest.config.mts');
  private readonly noticed = new Map<number, Outcome>();
  /** By a test, or when a source is loaded. */
  private readonly met = new Set<number>();
  private readonly metAtLoad = new Set<number>();
  private readonly tried = new Map<number, number>();

  /** @param stepsTo imports from a file of tests to a source */
  constructor(
    private readonly mutants: ReadonlyMap<number, PlacedMutant>,
    private readonly stepsTo: (testFile: string, source: string) => number,
  ) {
    for (const file of new Set([...mutants.values()].map((one) => one.file))) {
      const own = new Map([...mutants].filter(([, one]) => one.file === file));
      this.copy.write(file, instrument(this.copy.read(file), own));
    }
  }

  async run(ring: keyof typeof rings, testFiles: readonly string[]): Promise<void> {
    const tests: TestFound[] = [];
    for (let at = 0; at < testFiles.length; at += filesOfBatch) {
      const batch = testFiles.slice(at, at + filesOfBatch);
      tests.push(...(await this.hunt(ring, batch, { slowMs })));
      console.log(
        `${ring}: ${at + batch.length} of ${testFiles.length}, ${this.alive().length} left`,
      );
    }
    const green = tests.filter(({ isGreen }) => isGreen);
    await this.runSlow(ring, green);
    await this.reload(ring, green);
  }

  outcomes(): ReadonlyMap<number, Outcome> {
    return new Map(
      [...this.mutants.keys()].map((number) => {
        const isMet = this.met.has(number) || this.metAtLoad.has(number);
        return [number, this.noticed.get(number) ?? { kind: isMet ? 'survived' : 'not met' }];
      }),
    );
  }

  /** Which test noticed what, for who looks whether it is right. */
  killers(): string {
    return [...this.noticed]
      .map(([number, { kind, by }]) => {
        const one = this.mutants.get(number);
        return `${one?.file}:${one?.line} ${one?.kind}: ${one?.was.slice(0, 60)} ${kind} by ${by}\n`;
      })
      .join('');
  }

  dispose(): void {
    this.copy.dispose();
  }

  private async runSlow(ring: keyof typeof rings, tests: readonly TestFound[]): Promise<void> {
    const spent = new Map<number, number>();
    const only: Record<string, { mutants: number[]; ms: number }> = {};
    const slow = tests.filter(({ ms }) => ms > slowMs);
    for (const { key, ms, seen } of slow.toSorted((one, other) => one.ms - other.ms)) {
      const mutants = seen.filter(
        (one) => !this.noticed.has(one) && (spent.get(one) ?? 0) + ms <= budgetMs,
      );
      for (const one of mutants) {
        spent.set(one, (spent.get(one) ?? 0) + ms);
      }
      if (mutants.length > 0) {
        only[key] = { mutants, ms };
      }
    }
    for (const file of new Set(Object.keys(only).map(fileOf))) {
      await this.hunt(ring, [file], { slowMs, only });
    }
  }

  /** What is left of those that count when a source is loaded: each from the start, in tests that import it or know its folder. */
  private async reload(ring: keyof typeof rings, tests: readonly TestFound[]): Promise<void> {
    const quick = tests.filter(({ ms }) => ms <= reloadedMs);
    for (const number of this.alive().filter((one) => this.metAtLoad.has(one))) {
      const { file } = this.mutants.get(number) ?? { file: '' };
      // a source of nothing but constants is met by no test
      const folder = posix.dirname(file);
      const knows = quick.filter(
        ({ key, seen }) =>
          this.stepsTo(fileOf(key), file) === 1 ||
          seen.some((one) => posix.dirname(this.mutants.get(one)?.file ?? '') === folder),
      );
      const counts = new Map<string, number>();
      for (const { key } of knows) {
        counts.set(fileOf(key), (counts.get(fileOf(key)) ?? 0) + 1);
      }
      const chosen = [...counts]
        .map(([path, count]) => ({ path, count, steps: this.stepsTo(path, file) }))
        .toSorted((one, other) => one.steps - other.steps || other.count - one.count)
        .slice(0, filesOfReload)
        .map(({ path }) => path);
      const only = Object.fromEntries(
        quick.filter(({ key }) => chosen.includes(fileOf(key))).map(({ key, ms }) => [key, { ms }]),
      );
      if (chosen.length > 0) {
        await this.hunt(ring, chosen, { slowMs, only, one: number });
      }
    }
  }

  /** @returns what is found of the tests without mutants */
  private async hunt(
    ring: keyof typeof rings,
    testFiles: readonly string[],
    how: Omit<Plan, 'alive' | 'count' | 'finished'>,
  ): Promise<readonly TestFound[]> {
    const tests = new Map<string, TestFound>();
    const rounds = new Map<string, number>();
    const finished: string[] = [];
    let left = [...testFiles];
    while (left.length > 0 && this.alive().length > 0) {
      const [first = ''] = left;
      rounds.set(first, (rounds.get(first) ?? 0) + 1);
      const isUntired = (one: number) => (this.tried.get(one) ?? 0) < testsOfMutant;
      const { found, verdict } = await this.once(ring, left, {
        ...how,
        count: this.mutants.size,
        finished,
        alive: how.only ? this.alive() : this.alive().filter(isUntired),
      });
      for (const one of found) {
        if (one.kind === 'test' && (one.isGreen || !tests.has(one.key))) {
          tests.set(one.key, one);
        }
      }
      if (how.one !== undefined) {
        const isDone = found.some((one) => one.kind === 'killed' || one.kind === 'late');
        if (!isDone && verdict === 'red') {
          this.noticed.set(how.one, { kind: 'killed', by: `what loads in ${testFiles.join(' ')}` });
        }
        return [];
      }
      const done = new Set(found.flatMap((one) => (one.kind === 'done' ? [one.file] : [])));
      finished.push(...found.flatMap((one) => (one.kind === 'finished' ? [one.key] : [])));
      const isMoving = found.some((one) => one.kind === 'killed' || one.kind === 'late');
      left = left.filter((file) => !done.has(file));
      if (left[0] === first && (!isMoving || (rounds.get(first) ?? 0) > 40)) {
        console.log(`${first}: given up`);
        left.shift();
      }
    }
    return [...tests.values()];
  }

  private async once(
    ring: keyof typeof rings,
    testFiles: readonly string[],
    plan: Plan,
  ): Promise<{ readonly found: readonly Found[]; readonly verdict: string }> {
    this.copy.write(files.plan, JSON.stringify(plan));
    this.copy.write(files.found, '');
    this.copy.write(files.running, '');
    let last = '';
    let since = performance.now();
    const timer = setInterval(() => {
      const text = this.copy.read(files.running);
      const now = performance.now();
      if (text !== last) {
        [last, since] = [text, now];
        return;
      }
      const none: Omit<Running, 'tries'> = { mutant: plan.one ?? 0, ms: null };
      const running: typeof none = text.trim() === '' ? none : JSON.parse(text);
      if (now - since > patienceOf(running)) {
        clearInterval(timer);
        const { mutant } = running;
        if (mutant > 0) {
          const late: Found = { kind: 'late', mutant, by: 'a worker that did not come back' };
          appendFileSync(join(this.copy.dir, files.found), `${JSON.stringify(late)}\n`);
        }
        this.copy.end();
      }
    }, 1000);
    try {
      const verdict = await this.copy.run({ ring, files: testFiles }, 60 * 60_000);
      const found = readFileSync(join(this.copy.dir, files.found), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Found);
      for (const one of found) {
        this.take(one);
      }
      return { found, verdict };
    } finally {
      clearInterval(timer);
    }
  }

  private take(found: Found): void {
    switch (found.kind) {
      case 'killed':
      case 'late':
        this.noticed.set(found.mutant, { kind: found.kind, by: found.by });
        break;
      case 'loaded':
        addAll(this.metAtLoad, found.seen);
        break;
      case 'test':
        if (found.isGreen) {
          addAll(this.met, found.seen);
          for (const one of found.ms <= slowMs ? found.seen : []) {
            this.tried.set(one, (this.tried.get(one) ?? 0) + 1);
          }
        }
        break;
      default:
    }
  }

  private alive(): readonly number[] {
    return [...this.mutants.keys()].filter((one) => !this.noticed.has(one));
  }
}

function addAll(known: Set<number>, more: readonly number[]): void {
  for (const one of more) {
    known.add(one);
  }
}

function fileOf(key: string): string {
  return key.split(' > ')[0] ?? '';
}
