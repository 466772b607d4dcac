/** Finds tokens by their bytes, in typed arrays alone: two hundred thousand texts in a `Map` take a tenth of a second. */

/** Larger than twice the vocabulary, so that few places are taken; a power of two. */
const slots = 2 ** 19;

export class TokenTable {
  /** Where each token begins, and behind the last one where that ends. */
  private readonly starts: Uint32Array;
  /** Ranks, each one higher than it is, at the places that the hashes of their tokens name. */
  private readonly ranks = new Uint32Array(slots);

  /** @param packed see `packVocabulary` */
  constructor(private readonly packed: Uint8Array) {
    const { buffer, byteOffset } = packed;
    const count = new DataView(buffer, byteOffset).getUint32(0, true);
    this.starts = new Uint32Array(count + 1);
    this.starts[0] = 4 + count;
    this.takeIn(count);
  }

  /** Rank of the token of these bytes; a lower one is merged first. -1: there is no such token. */
  rankOf(bytes: Uint8Array, start: number, end: number): number {
    const { packed, starts, ranks } = this;
    for (let slot = hashOf(bytes, start, end); ; slot = (slot + 1) % slots) {
      const rank = (ranks[slot] ?? 0) - 1;
      if (rank < 0) {
        return -1;
      }
      const offset = (starts[rank] ?? 0) - start;
      if ((starts[rank + 1] ?? 0) - offset === end && packed[offset + start] === bytes[start]) {
        let at = start + 1;
        while (at < end && packed[offset + at] === bytes[at]) {
          at++;
        }
        if (at >= end) {
          return rank;
        }
      }
    }
  }

  private takeIn(count: number): void {
    const { packed, starts, ranks } = this;
    for (let rank = 0; rank < count; rank++) {
      const start = starts[rank] ?? 0;
      const end = start + (packed[4 + rank] ?? 0);
      starts[rank + 1] = end;
      let slot = hashOf(packed, start, end);
      while (ranks[slot] !== 0) {
        slot = (slot + 1) % slots;
      }
      ranks[slot] = rank + 1;
    }
  }
}

/** FNV-1a, with the upper half folded into the lower. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) & (slots - 1);
}
