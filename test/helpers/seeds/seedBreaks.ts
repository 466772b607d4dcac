/** Small breaks of the code behind the rows: whether each fits the code and the table, and which tests it must turn red. */
import type { Seed, SeedRow } from './seedTypes.js';

/** One place that implements one row, or several that share it. */
export interface SeedBreak {
  /** Ids. */
  readonly rows: readonly string[];
  /** Below `src/`, or `package.json`. */
  readonly file: string;
  /** Stands there exactly once. */
  readonly find: string;
  /** What makes the behaviour untrue, as little as possible: a constant, a negation, a branch that is not taken. */
  readonly replace: string;
}

/** A row that no break of the fast rings can prove, and why. */
export interface UnbrokenRow {
  readonly row: string;
  readonly why: string;
}

/** A test that a break must turn red. */
export interface CitedTest {
  readonly ring: string;
  /** From the root of the repository. */
  readonly file: string;
  /** Of the title; what a table fills in is anything. */
  readonly pattern: string;
}

/** Cheapest first. Those with a browser are broken by hand. */
const fastRings = ['unit', 'attacks', 'faults', 'integration', 'conformance'];

export function citedTests({ tests = [] }: SeedRow): readonly CitedTest[] {
  const cited = tests.flatMap((test) => {
    const [, path = '', title = ''] = /^(\S+) › (.+?)(?: # .+)?$/.exec(test) ?? [];
    const ring = path.startsWith('integration/faults/') ? 'faults' : (path.split('/')[0] ?? '');
    return fastRings.includes(ring)
      ? [{ ring, file: `test/${path}`, pattern: patternOf(title) }]
      : [];
  });
  return cited.toSorted((a, b) => fastRings.indexOf(a.ring) - fastRings.indexOf(b.ring));
}

/** vitest joins the titles of blocks with blanks. */
function patternOf(title: string): string {
  return title
    .split(' › ')
    .map((part) =>
      part
        .split(/%[sdifjoO#]|%\$|\$[\w.]+/)
        .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('.*'),
    )
    .join(' .*');
}

/** A line for each fault. @param read the text of a file; undefined where there is none */
export function findBreakFaults(
  seeds: readonly Seed[],
  breaks: readonly SeedBreak[],
  unbroken: readonly UnbrokenRow[],
  read: (path: string) => string | undefined,
): readonly string[] {
  const rows = new Map(seeds.flatMap((seed) => seed.rows.map((row) => [row.id, row] as const)));
  const named = [...breaks.flatMap((one) => one.rows), ...unbroken.map(({ row }) => row)];
  return [
    ...named.filter((id) => !rows.has(id)).map((id) => `there is no row ${id}`),
    ...[...rows.keys()]
      .filter((id) => !named.includes(id))
      .map((id) => `${id} has neither a break nor a reason`),
    ...breaks.flatMap((one) => breakFaults(one, rows, read)),
  ];
}

function breakFaults(
  { rows: ids, file, find, replace }: SeedBreak,
  rows: ReadonlyMap<string, SeedRow>,
  read: (path: string) => string | undefined,
): readonly string[] {
  const name = ids.join(', ');
  const count = (read(pathOf(file)) ?? '').split(find).length - 1;
  return [
    ...(count === 1 ? [] : [`${name}: ${file} has "${find}" ${count} times`]),
    ...(find === replace ? [`${name}: nothing is broken`] : []),
    ...ids.flatMap((id) => {
      const row = rows.get(id);
      return row && citedTests(row).length === 0
        ? [`${id} cites no test that a break could turn red`]
        : [];
    }),
  ];
}

/** From the root of the repository. */
export function pathOf(file: string): string {
  return file === 'package.json' ? file : `src/${file}`;
}
