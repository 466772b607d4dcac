/** A part of a text. */
export interface TextPart {
  readonly start: number;
  readonly end: number;
}

/**
 * `name`: its variable, flag, header, field or parameter says so; `password`: it stands where an address has one;
 * `token`: it has the shape of a token; `random`: it is long, and nobody would think of it.
 */
type SecretReason = 'name' | 'password' | 'token' | 'random';

export interface FoundSecret extends TextPart {
  readonly reason: SecretReason;
}

/** Where a text comes from: what a configuration says is a secret by less than what a server says. */
export type Origin = 'configuration' | 'anything';

export function moved({ start, end, reason }: FoundSecret, by: number): FoundSecret {
  return { start: start + by, end: end + by, reason };
}

/** In order; those that overlap are one. */
export function withoutOverlaps<T extends TextPart>(found: readonly T[]): readonly T[] {
  if (found.length < 2) {
    return found;
  }
  const all: T[] = [];
  for (const next of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1);
    if (last && next.start < last.end) {
      all[all.length - 1] = { ...last, end: Math.max(last.end, next.end) };
    } else {
      all.push(next);
    }
  }
  return all;
}
