import {
  type JsonChange,
  jsonChange,
  mergedJsonChange,
  withJsonChange,
} from '../../base/jsonChange.js';
import { SharedStore, type SharedStoreOptions } from './sharedStore.js';

export interface SharedRecordOptions<T>
  extends Omit<SharedStoreOptions<T, JsonChange>, 'apply' | 'merge'> {
  /** How many levels of the value are records by key; what is below changes as a whole. */
  readonly depth: number;
}

/** A shared store whose value is a record by key: what two windows change under different keys is kept of both. */
export class SharedRecord<T extends Readonly<Record<string, unknown>>> extends SharedStore<
  T,
  JsonChange
> {
  private readonly depth: number;

  constructor(options: SharedRecordOptions<T>) {
    super({
      ...options,
      // a change comes from two values of the same type, so it leads to one
      apply: (value, change) => withJsonChange(value, change) as T,
      merge: mergedJsonChange,
    });
    this.depth = options.depth;
  }

  /** As {@link SharedStore.update}, with the difference that `change` makes to the value of this window. */
  edit(change: (value: T) => T): Promise<void> {
    return this.update(jsonChange(this.value, change(this.value), this.depth));
  }
}
