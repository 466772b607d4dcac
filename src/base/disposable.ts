/** Something that owns a resource until `dispose` is called. Calling it again has no effect. */
export interface Disposable {
  dispose(): void;
}

export function toDisposable(dispose: () => void): Disposable {
  let isDisposed = false;
  return {
    dispose() {
      if (!isDisposed) {
        isDisposed = true;
        dispose();
      }
    },
  };
}

/** Owns a set of disposables. Adding to a disposed store disposes the newcomer at once. */
export class DisposableStore implements Disposable {
  private readonly items = new Set<Disposable>();
  private disposed = false;

  get isDisposed(): boolean {
    return this.disposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.disposed) {
      item.dispose();
    } else {
      this.items.add(item);
    }
    return item;
  }

  /** Disposes one member ahead of the store. */
  delete(item: Disposable): void {
    if (this.items.delete(item)) {
      item.dispose();
    }
  }

  /** Disposes the members and keeps the store usable. */
  clear(): void {
    const items = [...this.items].reverse();
    this.items.clear();
    disposeAll(items);
  }

  dispose(): void {
    this.disposed = true;
    this.clear();
  }
}

/** What ends with all that it owns, and does nothing else then. */
export abstract class DisposableOwner implements Disposable {
  protected readonly store = new DisposableStore();

  dispose(): void {
    this.store.dispose();
  }
}

/** Holds one disposable; assigning a new value disposes the old one. */
export class MutableDisposable<T extends Disposable> implements Disposable {
  private current: T | undefined;
  private disposed = false;

  get value(): T | undefined {
    return this.current;
  }

  set value(next: T | undefined) {
    if (next === this.current) {
      return;
    }
    const previous = this.current;
    this.current = this.disposed ? undefined : next;
    previous?.dispose();
    if (this.disposed) {
      next?.dispose();
    }
  }

  dispose(): void {
    this.disposed = true;
    this.value = undefined;
  }
}

/** A map that owns its values: replacing or deleting an entry disposes the value. */
export class DisposableMap<K, V extends Disposable> implements Disposable {
  private readonly entriesByKey = new Map<K, V>();
  private disposed = false;

  get size(): number {
    return this.entriesByKey.size;
  }

  get(key: K): V | undefined {
    return this.entriesByKey.get(key);
  }

  has(key: K): boolean {
    return this.entriesByKey.has(key);
  }

  keys(): IterableIterator<K> {
    return this.entriesByKey.keys();
  }

  values(): IterableIterator<V> {
    return this.entriesByKey.values();
  }

  set(key: K, value: V): void {
    if (this.disposed) {
      value.dispose();
      return;
    }
    const previous = this.entriesByKey.get(key);
    this.entriesByKey.set(key, value);
    if (previous !== value) {
      previous?.dispose();
    }
  }

  /** Disposes the entry's value. */
  delete(key: K): void {
    const value = this.entriesByKey.get(key);
    this.entriesByKey.delete(key);
    value?.dispose();
  }

  dispose(): void {
    this.disposed = true;
    const values = [...this.entriesByKey.values()];
    this.entriesByKey.clear();
    disposeAll(values);
  }
}

/**
 * Disposes every item even when some throw.
 * @throws {AggregateError} with all failures, after the last item.
 */
function disposeAll(items: Iterable<Disposable>): void {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      item.dispose();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, 'Some disposables failed');
  }
}
