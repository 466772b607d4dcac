/** JSON whose numbers arrive as they were written. */

export type ExactJson =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'invalid'; readonly reason: string }
  /** A whole number that JavaScript would round, or one that is too large for it. */
  | { readonly kind: 'inexact'; readonly number: string };

const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function parseExactJson(text: string): ExactJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: 'invalid', reason: error instanceof Error ? error.message : String(error) };
  }
  for (const [token] of text.matchAll(stringOrNumber)) {
    if (!isExactNumber(token)) {
      return { kind: 'inexact', number: token };
    }
  }
  return { kind: 'value', value };
}

/** Whether the text of a number is no whole number beyond ±(2⁵³ − 1), and none beyond all that JavaScript has. */
export function isExactNumber(text: string): boolean {
  const value = Number(text);
  return /^-?\d+$/.test(text) ? Number.isSafeInteger(value) : Math.abs(value) !== Infinity;
}
