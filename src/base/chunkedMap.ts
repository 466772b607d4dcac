const chunkCount = 256;

/** An immutable map for long histories: a change copies one chunk and the list of chunks, not every entry. */
export class ChunkedMap<V> implements Iterable<readonly [key: string, value: V]> {
  private constructor(
    /** By {@link chunkOf} of their keys. */
    private readonly chunks: readonly (ReadonlyMap<string, V> | undefined)[],
  ) {}

  static empty<V>(): ChunkedMap<V> {
    return new ChunkedMap<V>([]);
  }

  get(key: string): V | undefined {
    return this.chunks[chunkOf(key)]?.get(key);
  }

  with(key: string, value: V): ChunkedMap<V> {
    const index = chunkOf(key);
    const chunks =
      this.chunks.length > 0 ? [...this.chunks] : new Array(chunkCount).fill(undefined);
    chunks[index] = new Map(this.chunks[index]).set(key, value);
    return new ChunkedMap<V>(chunks);
  }

  /** In no order. */
  *[Symbol.iterator](): Generator<readonly [key: string, value: V], void, undefined> {
    for (const chunk of this.chunks) {
      yield* chunk ?? [];
    }
  }
}

function chunkOf(key: string): number {
  let hash = 0;
  for (let index = 0; index < key.length; index++) {
    hash = (Math.imul(hash, 31) + key.charCodeAt(index)) | 0;
  }
  // low bits alone would hold little but the last letters
  return ((hash >>> 16) ^ hash) & (chunkCount - 1);
}
