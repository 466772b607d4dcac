/** Generated hostile input. Every run says its seed; `FUZZ_SEED=<seed>` repeats it. */
import fc from 'fast-check';
import { seed } from '../fuzz.js';

console.log(`FUZZ_SEED=${seed}`);

/** fast-check says the seed and the smallest counterexample when a property fails. */
export function fuzzOptions(numRuns: number): { readonly seed: number; readonly numRuns: number } {
  return { seed, numRuns };
}

const oddTexts = [
  '',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '***REDACTED***',
  '\uD800',
  '\u0000',
  '\u202E',
  '../..',
  'file:///etc/passwd',
  'javascript:alert(1)',
  '${HOME}',
  '!touch x',
  '</mcp-resource>',
  '%n%s',
  'x'.repeat(5000),
];

export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** A JSON value with the words among its keys and texts. Its objects may have an own key `__proto__`. */
export function anyJson(words: readonly string[] = []): fc.Arbitrary<unknown> {
  const text = words.length > 0 ? fc.oneof(fc.constantFrom(...words), anyText) : anyText;
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.double({ noNaN: true }), text),
      fc.array(tie('value'), { maxLength: 5 }),
      fc
        .array(fc.tuple(text, tie('value')), { maxLength: 6 })
        .map((entries) => JSON.parse(toObjectText(entries))),
    ),
  }));
  return value as fc.Arbitrary<unknown>;
}

/** As text: an assignment would make `__proto__` the prototype. */
function toObjectText(entries: readonly (readonly [string, unknown])[]): string {
  const members = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `{${members.join(',')}}`;
}

/** The value with one place in it, chosen by the numbers, replaced; what a forger of a good message would send. */
export function mutate(value: unknown, path: readonly number[], by: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined || typeof value !== 'object' || value === null) {
    return by;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) {
    return by;
  }
  const chosen = first % entries.length;
  const changed = entries.map(([key, item], index) => [
    key,
    index === chosen ? mutate(item, rest, by) : item,
  ]);
  return Array.isArray(value)
    ? changed.map(([, item]) => item)
    : Object.fromEntries(changed as [string, unknown][]);
}
