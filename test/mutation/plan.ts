/** What is told to the runner of tests in a copy, and what it tells. */

export interface Plan {
  /** The highest number of a mutant. */
  readonly count: number;
  /** Mutants that no test has noticed yet. */
  readonly alive: readonly number[];
  /** Made from the start, when modules are loaded, the only one. Default: one after the other in each test. */
  readonly one?: number;
  /** Tests that have run with all that they meet, before a worker was lost. */
  readonly finished: readonly string[];
  /** Tests that take longer than this without a mutant only say which they meet. */
  readonly slowMs: number;
  /** The tests that run. Default: all, with what they meet. */
  readonly only?: Readonly<
    Record</* test */ string, { readonly mutants?: readonly number[]; readonly ms: number }>
  >;
}

export type Found =
  | { readonly kind: 'loaded'; readonly file: string; readonly seen: readonly number[] }
  | {
      readonly kind: 'test';
      readonly key: string;
      readonly isGreen: boolean;
      readonly ms: number;
      readonly seen: readonly number[];
    }
  | { readonly kind: 'killed' | 'late'; readonly mutant: number; readonly by: string }
  /** It failed without a mutant. */
  | { readonly kind: 'spoiled'; readonly key: string; readonly isByMutant: boolean }
  | { readonly kind: 'finished'; readonly key: string }
  | { readonly kind: 'done'; readonly file: string };

/** What is tried at this moment. */
export interface Running {
  /** 0: none. */
  readonly mutant: number;
  readonly tries: number;
  /** What the test takes without a mutant; `null`: not known yet. */
  readonly ms: number | null;
}

/** In the copy. */
export const files = { plan: 'plan.json', found: 'found.jsonl', running: 'running.json' };

/** How long a test may take with a mutant. @param ms without */
export function limitOf(ms: number): number {
  return 2000 + 5 * ms;
}

/** How long nothing at all may happen where it is not known how long the test takes: a worker that waits for nobody. */
const stuckMs = 120_000;
const leastStuckMs = 20_000;

/** How long nothing at all may happen. What a mutant has left keeps the same test, tried once more, from its end as well. */
export function patienceOf({ mutant, ms }: Pick<Running, 'mutant' | 'ms'>): number {
  if (mutant > 0) {
    return 5000 + 2 * limitOf(ms ?? 0);
  }
  return ms === null ? stuckMs : Math.max(leastStuckMs, 4 * ms);
}
