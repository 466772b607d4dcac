import { repeat } from 'lit-html/directives/repeat.js';

/** What is drawn of each stays with it, also where it moves. */
export function repeatById<Item extends { readonly id: string | number }>(
  items: Iterable<Item>,
  draw: (item: Item, index: number) => unknown,
): unknown {
  return repeat(items, ({ id }) => id, draw);
}
