import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { Sequencer } from '../../base/async/sequencer.js';
import { SharedRun } from '../../base/async/sharedRun.js';
import type { Disposable } from '../../base/disposable.js';
import { errorMessage, HumanError } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import { asObject, asString, parseJson, stableStringify } from '../../base/json.js';
import { systemClock } from '../clock.js';
import type { FileWatcher, Logger } from '../ports.js';
import { underFileLock } from './fileLock.js';
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
  /**
   * Of a store of grants: what of `wanted` is in `stored` as well. A change that could not be saved at once grants nothing
   * any more when another window has revoked something since. Default: nothing is revoked here.
   */
  readonly narrow?: (stored: T, wanted: T) => T;
}

/** What the file holds, and when something was revoked in it last, as it says. */
interface Stored<T> {
  readonly value: T;
  readonly revokedAt: string | undefined;
}

/** Of what is still to be written. */
interface Origin {
  /** When the earliest of it was wanted (ISO), and what the file was known to say of revocations then. */
  readonly since: string;
  readonly revokedAt: string | undefined;
  /** When the last revocation in it was wanted. */
  readonly revokes: string | undefined;
  /** It could not be written when it was wanted. */
  readonly isLate: boolean;
}

/** A change that does not stand in the file yet. */
interface Wanted<C> {
  readonly change: C;
  readonly origin: Origin;
}

const maxRetryMs = 60_000;

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
  private stored: Stored<T>;
  /** What is being written. */
  private saving: Wanted<C> | undefined;
  /** What is still to be written. */
  private unsaved: Wanted<C> | undefined;
  private watch: Disposable | undefined;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private lastMs = 0;
  private loggedFailure: string | undefined;
  private isDisposed = false;

  constructor(private readonly options: SharedStoreOptions<T, C>) {
    this.current = options.initial;
    this.stored = { value: options.initial, revokedAt: undefined };
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
   * @param isRevocation it takes back what may have been granted elsewhere as well, whatever this window knows of it
   * @throws {HumanError} when it could not be written; it then holds for this window only, until a later try succeeds.
   */
  async update(change: C, isRevocation = false): Promise<void> {
    const { path } = this;
    const { revokedAt } = this.stored;
    if (path === undefined) {
      this.adopt({ value: this.options.apply(this.stored.value, change), revokedAt });
      return;
    }
    const since = this.now();
    const revokes = isRevocation ? since : undefined;
    const origin = { since, revokedAt, revokes, isLate: false };
    this.unsaved = this.joined(this.unsaved, { change, origin });
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
    const { path, unsaved: saving } = this;
    if (path === undefined || !saving) {
      return;
    }
    this.saving = saving;
    this.unsaved = undefined;
    try {
      const stored = await this.rewrite(path, saving);
      this.saving = undefined;
      this.adopt(stored);
      this.succeeded();
    } catch (error) {
      const late = { ...saving, origin: { ...saving.origin, isLate: true } };
      this.unsaved = this.unsaved ? this.joined(late, this.unsaved) : late;
      this.saving = undefined;
      throw error;
    }
  }

  private async rewrite(path: string, wanted: Wanted<C>): Promise<Stored<T>> {
    const { files } = this;
    return await this.withLock(path, async (isWanted) => {
      const found = await this.read(path);
      const usable = found === 'damaged' ? await this.moveAside(path) : found;
      const stored = {
        value: this.changed(usable, wanted),
        revokedAt: latest(usable.revokedAt, wanted.origin.revokes),
      };
      const text = `${JSON.stringify(this.document(stored), undefined, 2)}\n`;
      return (await writeFileAtomic(path, text, { isWanted, files })) ? stored : undefined;
    });
  }

  /** An older window leaves the time out when it writes, which counts as one that is not known. */
  private document({ value, revokedAt }: Stored<T>): unknown {
    const content = this.options.format?.(value) ?? value;
    if (!this.options.narrow || revokedAt === undefined) {
      return content;
    }
    return Array.isArray(content) ? [...content, { revokedAt }] : { ...content, revokedAt };
  }

  private async withLock<R>(
    path: string,
    task: (isHeld: () => boolean) => Promise<R | undefined>,
  ): Promise<R> {
    if (this.options.directory !== undefined) {
      await this.files.mkdir(this.options.directory, { recursive: true });
    }
    return await underFileLock(`${path}.lock`, task);
  }

  private async read(path: string): Promise<Stored<T> | 'damaged'> {
    const text = await readFileIfAny(path, this.files);
    const json = text === undefined ? undefined : parseJson(text);
    const value = text === undefined ? this.options.initial : this.options.parse(json);
    if (value === undefined) {
      return 'damaged';
    }
    const revokedAt = this.options.narrow && (revocationIn(json) ?? (await setAsideAt(path)));
    return { value, revokedAt };
  }

  /** Looks again under the lock, since another window may have written meanwhile. */
  private async setAside(path: string): Promise<Stored<T>> {
    return this.withLock(path, async () => {
      const stored = await this.read(path);
      return stored === 'damaged' ? this.moveAside(path) : stored;
    });
  }

  private async moveAside(path: string): Promise<Stored<T>> {
    this.options.logger.log('error', l10n.t('{0} is damaged and was set aside.', path));
    await this.files.rename(path, damagedPath(path));
    return { value: this.options.initial, revokedAt: await setAsideAt(path) };
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
    if (!this.unsaved) {
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

  private joined(earlier: Wanted<C> | undefined, later: Wanted<C>): Wanted<C> {
    if (!earlier) {
      return later;
    }
    const revokes = later.origin.revokes ?? earlier.origin.revokes;
    const change = this.options.merge(earlier.change, later.change);
    return { change, origin: { ...earlier.origin, revokes } };
  }

  /** Later than every time before, so that of two changes of a window the order is known. */
  private now(): string {
    this.lastMs = Math.max(systemClock.now(), this.lastMs + 1);
    return new Date(this.lastMs).toISOString();
  }

  private changed(stored: Stored<T>, wanted: Wanted<C> | undefined): T {
    const { apply, narrow } = this.options;
    if (!wanted) {
      return stored.value;
    }
    const value = apply(stored.value, wanted.change);
    return narrow && isOutdated(wanted.origin, stored) ? narrow(stored.value, value) : value;
  }

  private adopt(stored: Stored<T>): void {
    this.stored = stored;
    const origin = this.unsaved?.origin;
    if (this.options.narrow && origin && isOutdated(origin, stored) && !origin.revokes) {
      this.unsaved = undefined;
    }
    const value = this.changed(stored, this.saving);
    const next = this.changed({ ...stored, value }, this.unsaved);
    if (stableStringify(next) === stableStringify(this.current)) {
      return;
    }
    this.current = next;
    this._onDidChange.fire();
  }
}

/** Something was revoked since the change was wanted, or the file says no more whether. */
function isOutdated(origin: Origin, { revokedAt }: Stored<unknown>): boolean {
  if (revokedAt === origin.revokedAt) {
    return false;
  }
  return revokedAt === undefined ? origin.isLate : origin.since <= revokedAt;
}

function latest(one: string | undefined, other: string | undefined): string | undefined {
  return [one, other]
    .filter((time) => time !== undefined)
    .sort()
    .at(-1);
}

function damagedPath(path: string): string {
  return `${path}.damaged`;
}

/** When a damaged file was set aside, with whatever it said of revocations. */
async function setAsideAt(path: string): Promise<string | undefined> {
  const found = await stat(damagedPath(path)).catch(() => undefined);
  return found?.ctime.toISOString();
}

function revocationIn(document: unknown): string | undefined {
  return asString(asObject([document].flat().at(-1)).revokedAt);
}
