import type { Disposable } from '../../base/disposable.js';
import { isJsonObject } from '../../base/json.js';
import type { FileWatcher, Logger } from '../ports.js';
import { SharedStore } from '../sharedStore.js';

type Questions = Readonly<Record</* folder URI */ string, /* digest of the question */ string>>;

/** The question about consent that each folder answered or dismissed last, shared by all windows. */
export class AskedConsents implements Disposable {
  private readonly store: SharedStore<Questions>;

  constructor(options: {
    /** Absolute; `undefined` remembers for this window only. */
    readonly directory: string | undefined;
    readonly watcher: FileWatcher;
    readonly logger: Logger;
  }) {
    this.store = new SharedStore<Questions>({
      ...options,
      fileName: 'asked-consents.json',
      initial: {},
      parse,
    });
  }

  /** Never rejects. */
  start(): Promise<void> {
    return this.store.start();
  }

  has(folderUri: string, digest: string): boolean {
    const { value } = this.store;
    return Object.hasOwn(value, folderUri) && value[folderUri] === digest;
  }

  /** @throws {HumanError} when it could not be saved. */
  async remember(folderUri: string, digest: string): Promise<void> {
    await this.store.update((questions) =>
      Object.fromEntries([...Object.entries(questions), [folderUri, digest]]),
    );
  }

  dispose(): void {
    this.store.dispose();
  }
}

function parse(value: unknown): Questions | undefined {
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter(
          (item): item is [string, string] => typeof item[1] === 'string',
        ),
      )
    : undefined;
}
