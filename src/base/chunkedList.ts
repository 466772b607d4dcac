import { addAll } from './lists.js';

const chunkLength = 256;

/** An immutable list for long histories: a change copies one chunk and the list of chunks, not every item. */
export class ChunkedList<T> implements Iterable<T> {
  private constructor(
    /** All but the last have {@link chunkLength} items. */
    private readonly chunks: readonly (readonly T[])[],
    readonly length: number,
  ) {}

  static empty<T>(): ChunkedList<T> {
    return new ChunkedList<T>([], 0);
  }

  /** `undefined` outside of the list. */
  at(index: number): T | undefined {
    return this.chunks[Math.floor(index / chunkLength)]?.[index % chunkLength];
  }

  append(item: T): ChunkedList<T> {
    const last = this.chunks.at(-1);
    const chunks =
      last && last.length < chunkLength
        ? this.chunks.with(-1, [...last, item])
        : [...this.chunks, [item]];
    return new ChunkedList(chunks, this.length + 1);
  }

  /** Changes the items from `first` on; the list itself when `change` returns each as it is. */
  update(change: (item: T) => T, first = 0, end = this.length): ChunkedList<T> {
    const from = Math.floor(first / chunkLength);
    const to = Math.ceil(end / chunkLength);
    let chunks: (readonly T[])[] | undefined;
    for (let index = from; index < to; index++) {
      const start = index * chunkLength;
      const chunk = this.chunks[index] ?? [];
      const changed = chunk.map((item, at) =>
        start + at >= first && start + at < end ? change(item) : item,
      );
      if (changed.some((item, at) => item !== chunk[at])) {
        chunks ??= [...this.chunks];
        chunks[index] = changed;
      }
    }
    return chunks ? new ChunkedList(chunks, this.length) : this;
  }

  slice(first: number, end = this.length): readonly T[] {
    const items: T[] = [];
    for (let index = Math.floor(first / chunkLength); index * chunkLength < end; index++) {
      const start = index * chunkLength;
      const chunk = this.chunks[index];
      if (!chunk) {
        break;
      }
      addAll(items, chunk.slice(Math.max(0, first - start), end - start));
    }
    return items;
  }

  /** Items from `first` on that are new or not the same as those of `before`; looks only into changed chunks. */
  changedSince(before: ChunkedList<T>, first = 0): readonly T[] {
    const items: T[] = [];
    for (let index = Math.floor(first / chunkLength); index < this.chunks.length; index++) {
      const chunk = this.chunks[index] ?? [];
      const old = before.chunks[index];
      if (chunk !== old) {
        const start = index * chunkLength;
        addAll(
          items,
          chunk.filter((item, at) => start + at >= first && item !== old?.[at]),
        );
      }
    }
    return items;
  }

  *[Symbol.iterator](): Generator<T, void, undefined> {
    for (const chunk of this.chunks) {
      yield* chunk;
    }
  }
}
