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
