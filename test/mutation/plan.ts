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
  readonly mutant: number;
  readonly tries: number;
  readonly ms: number | null;
}

/** In the copy. */
export const files = { plan: 'plan.json', found: 'found.jsonl', running: 'running.json' };

/** How long a test may take with a mutant. @param ms without */
export function limitOf(ms: number): number {
  return 2000 + 5 * ms;
}
