import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { Sequencer } from '../../base/async/sequencer.js';
import { SharedRun } from '../../base/async/sharedRun.js';
import type { Disposable } from '../../base/disposable.js';
import { errorMessage, HumanError } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import { stableStringify } from '../../base/json.js';
import type { FileWatcher, Logger } from '../ports.js';
import { readFileIfAny, realFiles, type StoredFiles, writeFileAtomic } from './storedFile.js';

export interface StorePlace {
  /** Absolute; `undefined` keeps the value in memory only. */
  readonly directory: string | undefined;
  readonly watcher: FileWatcher;
  readonly logger: Logger;
  /** Default: those of Node. */
  readonly files?: StoredFiles;
  /** Milliseconds until the first of the later tries to read or write. Default 1 000. */
  readonly retryMs?: number;
}

export interface SharedStoreOptions<T, C> extends StorePlace {
  readonly fileName: string;
  readonly initial: T;
  /** Leaves out what it does not understand; `undefined` when nothing can be used. */
  readonly parse: (value: unknown) => T | undefined;
  /** What `parse` reads. Default: the value itself. */
  readonly format?: (value: T) => unknown;
  readonly apply: (value: T, change: C) => T;
  /** One change that does what both do, the earlier one first. Must not grow with the number of changes. */
  readonly merge: (earlier: C, later: C) => C;
}

const maxRetryMs = 60_000;
/** Another process takes the lock over only from one that was suspended for long. */
const maxWriteAttempts = 5;

/**
 * A small value of JSON in one file that all windows share. What is changed here holds at once and is written when
 * that is possible. A file that cannot be read changes nothing; only one that does not exist is empty.
 */
export class SharedStore<T, C> implements Disposable {
  private readonly files: StoredFiles;
  private readonly tasks = new Sequencer();
  private readonly writes = new SharedRun(() => this.tasks.queue(() => this.write()));
  private readonly _onDidChange = new Emitter<void>();
  readonly onDidChange = this._onDidChange.event;
  private readonly path: string | undefined;
  private current: T;
  /** What the file held when it could be read last. */
  private stored: T;
  /** What is being written. */
  private saving: C | undefined;
  /** What is still to be written. */
  private unsaved: C | undefined;
  private watch: Disposable | undefined;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private loggedFailure: string | undefined;
  private isDisposed = false;

  constructor(private readonly options: SharedStoreOptions<T, C>) {
    this.current = options.initial;
    this.stored = options.initial;
    this.path = options.directory && join(options.directory, options.fileName);
    this.files = options.files ?? realFiles;
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
    const watch = this.options.watcher.watch(path, () => void this.reload(path));
    this.watch = watch;
    await watch.begun;
    if (!this.isDisposed) {
      await this.reload(path);
    }
  }

  /**
   * Takes effect at once and is then written.
   * @throws {HumanError} when it could not be written; it then holds for this window only, until a later try succeeds.
   */
  async update(change: C): Promise<void> {
    const { path } = this;
    if (path === undefined) {
      this.adopt(this.options.apply(this.stored, change));
      return;
    }
    this.unsaved = this.merged(this.unsaved, change);
    this.adopt(this.stored);
    try {
      await this.writes.run();
    } catch (error) {
      this.retryLater(path);
      throw new HumanError(
        'not_saved',
        l10n.t(
          'The change holds for this window, but could not be saved in {0}: {1}',
          path,
          errorMessage(error),
        ),
        {
          remedy: l10n.t(
            'Check the permissions and the free space of its folder; it is saved as soon as that is possible.',
          ),
          cause: error,
        },
      );
    }
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.retryTimer);
    this.watch?.dispose();
    this._onDidChange.dispose();
  }

  private async reload(path: string): Promise<void> {
    await this.tasks.queue(async () => {
      try {
        const stored = await this.read(path);
        if (this.isDisposed) {
          return;
        }
        this.adopt(stored === 'damaged' ? await this.setAside(path) : stored);
        this.succeeded();
      } catch (error) {
        this.failed(l10n.t('{0} cannot be read: {1}', path, errorMessage(error)));
        this.retryLater(path);
      }
    });
  }

  /** Writes all that is unsaved at once. */
  private async write(): Promise<void> {
    const { path } = this;
    if (path === undefined || this.unsaved === undefined) {
      return;
    }
    this.saving = this.unsaved;
    this.unsaved = undefined;
    try {
      const stored = await this.rewrite(path, this.saving);
      this.saving = undefined;
      this.adopt(stored);
      this.succeeded();
    } catch (error) {
      this.unsaved =
        this.unsaved === undefined ? this.saving : this.merged(this.saving, this.unsaved);
      this.saving = undefined;
      throw error;
    }
  }

  private async rewrite(path: string, change: C): Promise<T> {
    const { files } = this;
    for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
      const written = await this.withLock(path, async (isWanted) => {
        const stored = await this.read(path);
        const usable = stored === 'damaged' ? await this.moveAside(path) : stored;
        const value = this.options.apply(usable, change);
        const text = `${JSON.stringify(this.options.format?.(value) ?? value, undefined, 2)}\n`;
        return (await writeFileAtomic(path, text, { isWanted, files })) ? { value } : undefined;
      });
      if (written) {
        return written.value;
      }
    }
    throw new Error(l10n.t('Another program takes the lock away again and again.'));
  }

  private async withLock<R>(path: string, task: (isHeld: () => boolean) => Promise<R>): Promise<R> {
    if (this.options.directory !== undefined) {
      await this.files.mkdir(this.options.directory, { recursive: true });
    }
    const { acquireFileLock } = await import('./fileLock.js');
    const lock = await acquireFileLock(`${path}.lock`);
    try {
      return await task(lock.isHeld);
    } finally {
      lock.release();
    }
  }

  private async read(path: string): Promise<T | 'damaged'> {
    const text = await readFileIfAny(path, this.files);
    return text === undefined
      ? this.options.initial
      : (this.options.parse(parseJson(text)) ?? 'damaged');
  }

  /** Looks again under the lock, since another window may have written meanwhile. */
  private async setAside(path: string): Promise<T> {
    return this.withLock(path, async () => {
      const stored = await this.read(path);
      return stored === 'damaged' ? this.moveAside(path) : stored;
    });
  }

  private async moveAside(path: string): Promise<T> {
    this.options.logger.log('error', l10n.t('{0} is damaged and was set aside.', path));
    await this.files.rename(path, `${path}.damaged`);
    return this.options.initial;
  }

  private succeeded(): void {
    this.failures = 0;
    this.loggedFailure = undefined;
  }

  /** Once for the same trouble, however often it is tried again. */
  private failed(message: string): void {
    if (message !== this.loggedFailure) {
      this.loggedFailure = message;
      this.options.logger.log('error', message);
    }
  }

  private retryLater(path: string): void {
    if (this.isDisposed) {
      return;
    }
    clearTimeout(this.retryTimer);
    const delayMs = Math.min(maxRetryMs, (this.options.retryMs ?? 1000) * 2 ** this.failures++);
    this.retryTimer = setTimeout(() => void this.retry(path), delayMs);
    this.retryTimer.unref();
  }

  private async retry(path: string): Promise<void> {
    if (this.unsaved === undefined) {
      await this.reload(path);
      return;
    }
    try {
      await this.writes.run();
    } catch (error) {
      this.failed(l10n.t('{0} cannot be written: {1}', path, errorMessage(error)));
      this.retryLater(path);
    }
  }

  private merged(earlier: C | undefined, later: C): C {
    return earlier === undefined ? later : this.options.merge(earlier, later);
  }

  private adopt(stored: T): void {
    this.stored = stored;
    const next = [this.saving, this.unsaved]
      .filter((change) => change !== undefined)
      .reduce(this.options.apply, stored);
    if (stableStringify(next) === stableStringify(this.current)) {
      return;
    }
    this.current = next;
    if (!this.isDisposed) {
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
