/** The mutants of a room, and which of them a seed takes. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { findMutants, type Mutant } from './mutants.js';

export const rooms = [
  'mcp/trust',
  'config/launch',
  'config/edit',
  'agent/policy',
  'agent/changes',
  'mcp/server',
  'platform/stores',
  'gateway/http',
  'base/form',
];

export interface PlacedMutant extends Mutant {
  readonly room: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The text of its line, without the space around. */
  readonly lineText: string;
  /** What is another one, on one line. */
  readonly was: string;
}

export function findPlaced(room: string): readonly PlacedMutant[] {
  return globSync(`src/${room}/**/*.ts`)
    .toSorted()
    .flatMap((path) => {
      const file = path.replaceAll('\\', '/');
      const code = readFileSync(file, 'utf8');
      const lines = code.split('\n');
      return findMutants(code).map((mutant) => {
        const line = code.slice(0, mutant.start).split('\n').length;
        const was = code.slice(mutant.start, mutant.end).replace(/\s+/g, ' ');
        return { ...mutant, room, file, line, lineText: lines[line - 1]?.trim() ?? '', was };
      });
    });
}

/** Chosen by what they are, not by where: a change of a source leaves most of the others in the sample. */
export function takeSample(
  all: readonly PlacedMutant[],
  count: number,
  seed: string,
): readonly PlacedMutant[] {
  const met = new Map<string, number>();
  const ranked = all.map((mutant) => {
    const { file, kind, lineText, was } = mutant;
    const what = JSON.stringify([seed, file, kind, lineText, was]);
    const nth = met.get(what) ?? 0;
    met.set(what, nth + 1);
    return { mutant, rank: createHash('sha256').update(`${what} ${nth}`).digest('hex') };
  });
  return ranked
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant);
}
