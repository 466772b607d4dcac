import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { BrokenCopy } from './brokenCopy.js';

interface Kept {
  readonly key: string;
}

export interface Judging<T, F extends Kept> {
  /** With their keys, which differ when anything does that the finding depends on. */
  readonly items: ReadonlyMap<T, /* key */ string>;
  /** Where findings are kept, one a line, so that a run goes on where the last one stopped. */
  readonly results: string;
  /** What the items are, for who waits. */
  readonly what: string;
  judge(copy: BrokenCopy, item: T, key: string): Promise<F>;
  /** Called for each new copy. */
  prepare?(copy: BrokenCopy): void;
  /** Whether a finding of an earlier run stands. Default: all do. */
  isFinal?(finding: F): boolean;
  onFound?(finding: F): void;
}

const parallel = 2;

/** In copies of the repository as it is now, two at a time. @returns those of all items, by their keys */
export async function judgeAll<T, F extends Kept>({
  items,
  results,
  what,
  judge,
  prepare,
  isFinal = () => true,
  onFound,
}: Judging<T, F>): Promise<ReadonlyMap<string, F>> {
  mkdirSync(dirname(results), { recursive: true });
  const findings = new Map(
    readFindings<F>(results)
      .filter(isFinal)
      .map((finding) => [finding.key, finding]),
  );
  const waiting = [...items].filter(([, key]) => !findings.has(key));
  console.log(`${items.size} ${what}, ${items.size - waiting.length} known`);
  const work = async () => {
    if (waiting.length === 0) {
      return;
    }
    const copy = new BrokenCopy();
    try {
      prepare?.(copy);
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const finding = await judge(copy, ...next);
        findings.set(finding.key, finding);
        appendFileSync(results, `${JSON.stringify(finding)}\n`);
        onFound?.(finding);
      }
    } finally {
      copy.dispose();
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return new Map(
    [...items.values()].flatMap((key) => {
      const finding = findings.get(key);
      return finding ? [[key, finding] as const] : [];
    }),
  );
}

function readFindings<F>(path: string): readonly F[] {
  return existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as F)
    : [];
}
