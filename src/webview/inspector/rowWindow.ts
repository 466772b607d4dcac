/** Which rows of a long list stand in its window. Pure. */

/** Pixels; the style sheet knows it too. */
export const rowHeight = 26;
const spare = 8;

export interface RowWindow {
  readonly first: number;
  /** Behind the last one. */
  readonly end: number;
}

export function rowWindow(scrollTop: number, height: number, count: number): RowWindow {
  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - spare);
  const end = Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + spare);
  return { first: Math.min(first, Math.max(0, count - 1)), end: Math.max(end, 0) };
}
