/** Byte pair encoding, as far as counting needs it. */
import type { TokenTable } from './tokenTable.js';

/** Ranks and places in one number, so that the lowest rank comes first and of equal ones the leftmost. */
const placeFactor = 2 ** 32;

/**
 * Into how many tokens a piece of a text falls: the two neighbours whose bytes together are the token of the lowest rank
 * become one, again and again. In time that hardly grows faster than the piece.
 */
export function countPairs(bytes: Uint8Array, length: number, table: TokenTable): number {
  const next = new Uint32Array(length + 1);
  const previous = new Int32Array(length + 1);
  /** Of the token that a part and the one behind it would be; -1: none. */
  const ranks = new Int32Array(length).fill(-1);
  const heap = new MinHeap();
  const rate = (start: number): void => {
    const middle = next[start] ?? length;
    const end = middle < length ? (next[middle] ?? length) : length;
    const rank = middle < length ? table.rankOf(bytes, start, end) : -1;
    ranks[start] = rank;
    if (rank >= 0) {
      heap.push(rank * placeFactor + start);
    }
  };
  for (let start = 0; start < length; start++) {
    next[start] = start + 1;
    previous[start + 1] = start;
  }
  for (let start = 0; start < length; start++) {
    rate(start);
  }
  let parts = length;
  for (let key = heap.pop(); key !== undefined; key = heap.pop()) {
    const start = key % placeFactor;
    // what was pushed before a neighbour changed is out of date
    if (ranks[start] === (key - start) / placeFactor) {
      const middle = next[start] ?? length;
      const end = next[middle] ?? length;
      ranks[middle] = -1;
      next[start] = end;
      previous[end] = start;
      parts--;
      rate(start);
      if (start > 0) {
        rate(previous[start] ?? 0);
      }
    }
  }
  return parts;
}

class MinHeap {
  private readonly keys: number[] = [];

  push(key: number): void {
    const { keys } = this;
    let at = keys.length;
    keys.push(key);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = keys[above] ?? 0;
      if (other <= key) {
        break;
      }
      keys[at] = other;
      at = above;
    }
    keys[at] = key;
  }

  pop(): number | undefined {
    const { keys } = this;
    const first = keys[0];
    const last = keys.pop();
    if (last === undefined || keys.length === 0) {
      return first;
    }
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below + 1 < keys.length && (keys[below + 1] ?? 0) < (keys[below] ?? 0)) {
        below++;
      }
      const other = keys[below];
      if (other === undefined || other >= last) {
        break;
      }
      keys[at] = other;
      at = below;
    }
    keys[at] = last;
    return first;
  }
}
