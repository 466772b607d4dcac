/** What stores that keep their value in a shared file have in common beside it. */
import type { Disposable } from '../../base/disposable.js';
import { isJsonObject, type JsonObject } from '../../base/json.js';
import { SharedRecord, type SharedRecordOptions } from './sharedRecord.js';
import type { StorePlace } from './sharedStore.js';

export abstract class RecordStore<T extends Readonly<Record<string, unknown>>>
  implements Disposable
{
  protected readonly store: SharedRecord<T>;
  readonly onDidChange: SharedRecord<T>['onDidChange'];

  constructor(options: SharedRecordOptions<T>) {
    this.store = new SharedRecord<T>(options);
    this.onDidChange = this.store.onDidChange;
  }

  /** Reads the file, then follows what other windows write. Never rejects. */
  start(): Promise<void> {
    return this.store.start();
  }

  dispose(): void {
    this.store.dispose();
  }
}

/** What a grant is for. */
export interface GrantKey {
  /** `undefined`: for no single folder. */
  readonly folderUri: string | undefined;
}

export interface GrantFile<K extends GrantKey, T extends K> {
  readonly fileName: string;
  /** Two with the same key are one. */
  readonly keyOf: (key: K) => string;
  /** Fields that have to be text. */
  readonly texts: readonly (keyof T & string)[];
  /** Whether the other fields are what they should be. */
  readonly isWhole: (grant: JsonObject) => boolean;
}

type Grants<T> = Readonly<Record</* key */ string, T>>;

/** What the user granted: a list in one file. Items that are not whole are left out. */
export abstract class GrantStore<K extends GrantKey, T extends K> extends RecordStore<Grants<T>> {
  private readonly keyOf: (key: K) => string;

  constructor(place: StorePlace, { fileName, keyOf, texts, isWhole }: GrantFile<K, T>) {
    const isGrant = (value: unknown): value is T =>
      isJsonObject(value) &&
      (value.folderUri === undefined || typeof value.folderUri === 'string') &&
      texts.every((name) => typeof value[name] === 'string') &&
      isWhole(value);
    super({
      ...place,
      fileName,
      initial: {},
      parse: (value) => (Array.isArray(value) ? byKey(value.filter(isGrant), keyOf) : undefined),
      format: Object.values,
      depth: 1,
      holdsGrants: true,
    });
    this.keyOf = keyOf;
  }

  get all(): readonly T[] {
    return Object.values(this.store.value);
  }

  /** @throws {HumanError} when it could not be saved. */
  async revoke(key: K): Promise<void> {
    await this.store.revoke(this.keyOf(key));
  }

  protected get(key: K): T | undefined {
    const { value } = this.store;
    const name = this.keyOf(key);
    return Object.hasOwn(value, name) ? value[name] : undefined;
  }

  /** Takes the place of one with the same key, as the newest. @param most the oldest beyond it are dropped. */
  protected async grant(grant: T, most = Number.POSITIVE_INFINITY): Promise<void> {
    await this.store.edit((grants) => {
      const all = [...Object.values(this.without(grants, grant)), grant];
      return byKey(all.slice(-Math.min(most, all.length)), this.keyOf);
    });
  }

  private without(grants: Grants<T>, key: K): Grants<T> {
    const { [this.keyOf(key)]: _without, ...others } = grants;
    return others;
  }
}

/** Of two with the same key the last. */
function byKey<T>(items: readonly T[], keyOf: (item: T) => string): Readonly<Record<string, T>> {
  return Object.fromEntries(items.map((item) => [keyOf(item), item]));
}
