/** Which test files run which functions: each function of the rooms notes that it ran, in a copy. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import type { BrokenCopy, TestRun } from '../helpers/breaks/brokenCopy.js';
import { judgeAll } from '../helpers/breaks/judgeAll.js';
import { rings } from '../ringTable.mjs';
import { findFunctions } from './mutants.js';

/** Of one test file. */
export interface Seen {
  readonly ring: string;
  readonly file: string;
  /** Of the test file and of the rooms, as they were. */
  readonly key: string;
  readonly isGreen: boolean;
  readonly seconds: number;
  /** See {@link siteOf}. */
  readonly sites: readonly string[];
}

/** Cheapest first. */
export type FastRing = 'unit' | 'attacks' | 'faults' | 'integration';

/** Where a copy leaves what one file of tests has run. */
const note = 'seen.json';

export function siteOf(file: string, start: number): string {
  return `${file}:${start}`;
}

/** The source, each of whose functions notes that it ran. */
export function instrument(code: string, file: string): string {
  return findFunctions(code)
    .toSorted((one, other) => other.start - one.start)
    .reduce(
      (text, { start }) =>
        `${text.slice(0, start + 1)}globalThis.piMcpSeen?.add('${siteOf(file, start)}');${text.slice(start + 1)}`,
      code,
    );
}

/** Runs what is not known yet. @param sources of the rooms */
export async function findSeen(
  wanted: readonly FastRing[],
  sources: readonly string[],
): Promise<readonly Seen[]> {
  const texts = sources.map((path) => readFileSync(path, 'utf8'));
  const tests = wanted.flatMap((ring) =>
    globSync(rings[ring].files).map((file): TestRun => ({ ring, file })),
  );
  const findings = await judgeAll<TestRun, Seen>({
    items: new Map(
      tests.map((test) => [test, hashOf([...texts, readFileSync(test.file, 'utf8')])]),
    ),
    results: 'test-results/mutation/seen.jsonl',
    what: 'test files',
    judge: look,
    prepare: (copy) => {
      for (const path of sources) {
        copy.write(path, instrument(copy.read(path), path));
      }
    },
    // a busy machine may be all that was wrong
    isFinal: ({ isGreen }) => isGreen,
  });
  return [...findings.values()];
}

async function look(copy: BrokenCopy, test: TestRun, key: string): Promise<Seen> {
  copy.write(note, '[]');
  const startedAt = performance.now();
  const verdict = await copy.run(test);
  const { ring, file } = test;
  return {
    ring,
    file,
    key,
    isGreen: verdict === 'green',
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    sites: JSON.parse(copy.read(note)) as readonly string[],
  };
}

function hashOf(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16);
}
