import {
  commonJson,
  type JsonChange,
  jsonChange,
  mergedJsonChange,
  withJsonChange,
} from '../../base/jsonChange.js';
import { SharedStore, type SharedStoreOptions } from './sharedStore.js';

export interface SharedRecordOptions<T>
  extends Omit<SharedStoreOptions<T, JsonChange>, 'apply' | 'merge' | 'narrow'> {
  /** How many levels of the value are records by key; what is below changes as a whole. */
  readonly depth: number;
  /** It holds what the user granted, and may revoke. Default: it does not. */
  readonly holdsGrants?: boolean;
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
      narrow: options.holdsGrants
        ? (stored, wanted) => commonJson(stored, wanted, options.depth) as T
        : undefined,
    });
    this.depth = options.depth;
  }

  /** As {@link SharedStore.update}, with the difference that `change` makes to the value of this window. */
  edit(change: (value: T) => T): Promise<void> {
    return this.update(jsonChange(this.value, change(this.value), this.depth));
  }

  /** Whatever any window holds under the key gives way to `rest`; `undefined`: to nothing. */
  revoke(key: string, rest?: unknown): Promise<void> {
    const change = rest === undefined ? { kind: 'removed' as const } : setTo(rest);
    return this.update(new Map([[key, change]]), true);
  }
}

function setTo(value: unknown) {
  return { kind: 'set' as const, value };
}
