/**
 * A lock between processes: a directory that only one of them can make, with a file in it that is named after its
 * holder. The holder may crash; then the next one takes the lock over. Whoever takes it away removes the file of exactly
 * that holder, so that nobody's lock is removed by mistake. No clock of the system is asked.
 */
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { delay } from '../../base/async/cancellation.js';
import { errorCode, HumanError } from '../../base/errors.js';
import { bootSession, compareSession, isUnusedPid } from '../bootSession.js';
import { isBusy } from './storedFile.js';

export interface FileLock {
  /** False when another process took the lock over because this one seemed dead. */
  isHeld(): boolean;
  /** Never throws. */
  release(): void;
}

/** What the lock needs from the operating system; tests replace it. */
export interface LockFiles {
  readonly platform: NodeJS.Platform;
  readonly existsSync: (path: string) => boolean;
  readonly lstatSync: (path: string) => { isDirectory(): boolean };
  readonly mkdirSync: (path: string, mode: number) => unknown;
  readonly readdirSync: (path: string) => readonly string[];
  readonly rmdirSync: (path: string) => void;
  readonly unlinkSync: (path: string) => void;
  readonly writeFileSync: (
    path: string,
    text: string,
    options: { readonly flag: 'wx'; readonly mode: number },
  ) => void;
}

export const realLockFiles: LockFiles = {
  platform: process.platform,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
};

export interface FileLockOptions {
  /** Milliseconds to wait for the lock. Default 15 000. */
  readonly waitMs?: number;
  /** Milliseconds after which a lock that somebody holds all the while counts as left behind. Default 10 000. */
  readonly staleMs?: number;
  /**
   * For locks that are held for hours: only the end of the holder makes one stale, as the end of the session of the
   * machine does. Default false.
   */
  readonly isKept?: boolean;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Default: those of Node. */
  readonly files?: LockFiles;
}

/** Milliseconds after which a lock without a holder counts as left behind. */
const emptyMs = 1000;
/** Nothing else is ever removed. */
const tokenShape = /^\d+-[\da-z]+-[\da-f-]{36}$/;

/** The directory of `path` must exist. @throws {HumanError} when the lock stays taken, or the signal's reason. */
export async function acquireFileLock(
  path: string,
  {
    waitMs = 15_000,
    staleMs = 10_000,
    isKept = false,
    signal,
    files = realLockFiles,
  }: FileLockOptions = {},
): Promise<FileLock> {
  const token = `${process.pid}-${bootSession()}-${randomUUID()}`;
  const waiting = new Waiting(path, isKept ? undefined : staleMs, files);
  const startedAt = performance.now();
  signal?.throwIfAborted();
  while (!take(path, token, files)) {
    waiting.removeLeftBehind();
    if (performance.now() - startedAt > waitMs) {
      throw lockTaken(path);
    }
    // a random wait keeps many waiters from colliding again and again
    await delay(5 + Math.random() * 20, signal);
  }
  return {
    isHeld: () => files.existsSync(join(path, token)),
    release: () => removeHolder(path, token, files),
  };
}

const maxAttempts = 5;

/**
 * Works under the lock, anew where another process took it away meanwhile, as it does from one that stands still.
 * @param work resolves with `undefined` where it wrote nothing for that reason @throws as {@link acquireFileLock}, and as `work`
 */
export async function underFileLock<T>(
  path: string,
  work: (isHeld: () => boolean) => Promise<T | undefined>,
): Promise<T> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const lock = await acquireFileLock(path);
    try {
      const done = await work(lock.isHeld);
      if (done !== undefined) {
        return done;
      }
    } finally {
      lock.release();
    }
  }
  throw lockTaken(path);
}

/**
 * In one go, since a busy thread pool would leave others with half a lock for seconds. Two that meet in one directory,
 * which happens when it was empty and removed in between, both see each other at least once: only who is alone holds it.
 */
function take(path: string, token: string, files: LockFiles): boolean {
  try {
    files.mkdirSync(path, 0o700);
  } catch (error) {
    if (errorCode(error) === 'EEXIST' || isBusy(error, files)) {
      return false;
    }
    throw error;
  }
  try {
    files.writeFileSync(join(path, token), '', { flag: 'wx', mode: 0o600 });
    if (files.readdirSync(path).length === 1) {
      return true;
    }
  } catch (error) {
    removeHolder(path, token, files);
    if (errorCode(error) === 'ENOENT' || isBusy(error, files)) {
      return false;
    }
    throw error;
  }
  removeHolder(path, token, files);
  return false;
}

/** One who waits, and since when it has seen what. */
class Waiting {
  private readonly firstSeen = new Map</* token; empty: no holder */ string, number>();

  constructor(
    private readonly path: string,
    /** `undefined`: never by time alone. */
    private readonly staleMs: number | undefined,
    private readonly files: LockFiles,
  ) {}

  removeLeftBehind(): void {
    const holders = this.holders();
    for (const token of this.firstSeen.keys()) {
      if (!holders.includes(token)) {
        this.firstSeen.delete(token);
      }
    }
    for (const token of holders) {
      const since = this.firstSeen.get(token) ?? performance.now();
      this.firstSeen.set(token, since);
      const ageMs = performance.now() - since;
      const limitMs = token === '' ? emptyMs : (this.staleMs ?? Number.POSITIVE_INFINITY);
      if (ageMs >= limitMs || isGone(token, this.staleMs === undefined)) {
        removeHolder(this.path, token, this.files);
      }
    }
  }

  private holders(): readonly string[] {
    try {
      // a file or a link is not ours, and what a link leads to is not looked at
      const names = this.files.lstatSync(this.path).isDirectory()
        ? this.files.readdirSync(this.path)
        : [];
      return names.length > 0 ? names.filter((name) => tokenShape.test(name)) : [''];
    } catch {
      // released meanwhile, or not to be read: then it stays taken
      return [];
    }
  }
}

/**
 * The holder was a process of this session of the machine and is gone.
 * @param doSessionsEnd whether the end of a session is that of its holders; not so where machines share a folder
 */
function isGone(token: string, doSessionsEnd: boolean): boolean {
  const [pid, session = ''] = token.split('-');
  const relation = compareSession(session);
  if (relation === 'other' || (relation === 'unknown' && !doSessionsEnd)) {
    return doSessionsEnd && token !== '';
  }
  return isUnusedPid(Number(pid));
}

function removeHolder(path: string, token: string, files: LockFiles): void {
  for (const remove of [() => files.unlinkSync(join(path, token)), () => files.rmdirSync(path)]) {
    try {
      remove();
    } catch {
      // gone already, or with another holder in it
    }
  }
}

function lockTaken(path: string): HumanError {
  return new HumanError('config_locked', l10n.t('{0} is in use by another program.', path), {
    remedy: l10n.t('Close other windows that edit the configuration, or delete the lock file.'),
  });
}
