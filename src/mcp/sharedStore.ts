import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Disposable } from '../base/disposable.js';
import { errorCode, errorMessage, HumanError } from '../base/errors.js';
import { Emitter } from '../base/event.js';
import { stableStringify } from '../base/json.js';
import { Sequencer } from '../base/sequencer.js';
import { readTextFile } from './boundedFile.js';
import type { FileWatcher, Logger } from './ports.js';
import { withFileLock, writeFileAtomic } from './storedFile.js';

export interface SharedStoreOptions<T> {
  /** Absolute; `undefined` keeps the value in memory only. */
  readonly directory: string | undefined;
  readonly fileName: string;
  readonly watcher: FileWatcher;
  readonly logger: Logger;
  readonly initial: T;
  /** Leaves out what it does not understand; `undefined` when nothing can be used. */
  readonly parse: (value: unknown) => T | undefined;
}

/** A small value of JSON in one file that all windows share. What is changed here holds at once. */
export class SharedStore<T> implements Disposable {
  private readonly writes = new Sequencer();
  private readonly _onDidChange = new Emitter<void>();
  readonly onDidChange = this._onDidChange.event;
  private readonly path: string | undefined;
  private current: T;
  /** Changes that the file does not hold yet. */
  private readonly unsaved = new Set<(value: T) => T>();
  private watch: Disposable | undefined;
  private isDisposed = false;

  constructor(private readonly options: SharedStoreOptions<T>) {
    this.current = options.initial;
    this.path = options.directory && join(options.directory, options.fileName);
  }

  get value(): T {
    return this.current;
  }

  /** Reads the file, then follows what other windows write. Never rejects. */
  async start(): Promise<void> {
    const { path } = this;
    if (path === undefined) {
      return;
    }
    await this.reload(path);
    if (!this.isDisposed) {
      this.watch = this.options.watcher.watch(path, () => void this.reload(path));
    }
  }

  /**
   * Takes effect at once and is then written.
   * @throws {HumanError} when it could not be written; it then holds for this window only.
   */
  async update(change: (value: T) => T): Promise<void> {
    this.adopt(change(this.current));
    const { path } = this;
    if (path === undefined) {
      return;
    }
    this.unsaved.add(change);
    try {
      await this.writes.queue(() =>
        withFileLock(path, async () => {
          const latest = change(await this.read(path));
          await writeFileAtomic(path, `${JSON.stringify(latest, undefined, 2)}\n`);
          this.unsaved.delete(change);
          this.adopt(latest);
        }),
      );
    } catch (error) {
      throw new HumanError(
        'not_saved',
        l10n.t('The change holds for this window, but could not be saved in {0}.', path),
        { remedy: l10n.t('Check the permissions and the free space of its folder.'), cause: error },
      );
    }
  }

  dispose(): void {
    this.isDisposed = true;
    this.watch?.dispose();
    this._onDidChange.dispose();
  }

  private async reload(path: string): Promise<void> {
    await this.writes.queue(async () => this.adopt(await this.read(path)));
  }

  private async read(path: string): Promise<T> {
    const { logger, parse, initial } = this.options;
    let text: string;
    try {
      text = await readTextFile(path);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') {
        logger.log('error', `${path} cannot be read: ${errorMessage(error)}`);
      }
      return initial;
    }
    const value = parse(parseJson(text));
    if (value === undefined) {
      logger.log('error', `${path} is damaged and was set aside.`);
      await rename(path, `${path}.damaged`).catch(() => undefined);
    }
    return value ?? initial;
  }

  private adopt(stored: T): void {
    const next = [...this.unsaved].reduce((value, change) => change(value), stored);
    const isSame = stableStringify(next) === stableStringify(this.current);
    this.current = next;
    if (!isSame && !this.isDisposed) {
      this._onDidChange.fire();
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // damaged, for instance by a full disk
    return undefined;
  }
}
