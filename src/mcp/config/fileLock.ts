/** A lock between processes: a file that only one can create. Its holder may crash; then the next one takes it over. */
import { randomUUID } from 'node:crypto';
import { open, rename, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as l10n from '@vscode/l10n';
import { delay } from '../../base/cancellation.js';
import { errorCode, HumanError } from '../../base/errors.js';
import { isJsonObject } from '../../base/json.js';
import { readTextFile } from '../boundedFile.js';

export interface FileLock {
  /** False when another process took the lock over because this one seemed dead. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

export interface FileLockOptions {
  /** Milliseconds to wait for the lock. Default 10 000. */
  readonly waitMs?: number;
  /** Milliseconds after which a lock counts as left behind whoever holds it. Default 10 000. */
  readonly staleMs?: number;
}

/** @throws {HumanError} when the lock stays taken. */
export async function acquireFileLock(
  path: string,
  { waitMs = 10_000, staleMs = 10_000 }: FileLockOptions = {},
): Promise<FileLock> {
  const token = JSON.stringify({ id: randomUUID(), pid: process.pid, host: hostname() });
  const deadline = Date.now() + waitMs;
  while (!(await tryCreate(path, token))) {
    await removeIfStale(path, staleMs);
    if (Date.now() > deadline) {
      throw new HumanError('config_locked', l10n.t('{0} is held by another program.', path), {
        remedy: l10n.t('Close other windows that edit the configuration, or delete the lock file.'),
      });
    }
    // a random wait keeps many waiters from colliding again and again
    await delay(5 + Math.random() * 20);
  }
  const isHeld = async () => (await readToken(path)) === token;
  return {
    isHeld,
    async release() {
      if (await isHeld()) {
        await unlink(path).catch(ignoreMissing);
      }
    },
  };
}

async function tryCreate(path: string, token: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(token).finally(() => file.close());
    return true;
  } catch (error) {
    // Windows answers EPERM while a deleted file is still open elsewhere
    if (
      errorCode(error) === 'EEXIST' ||
      (process.platform === 'win32' && errorCode(error) === 'EPERM')
    ) {
      return false;
    }
    throw error;
  }
}

async function removeIfStale(path: string, staleMs: number): Promise<void> {
  const seen = await readToken(path);
  const stats = await stat(path).catch(() => undefined);
  if (seen === undefined || !stats) {
    return;
  }
  if (Date.now() - stats.mtimeMs < staleMs && !isLeftBehind(seen)) {
    return;
  }
  // moved aside first: only one of several waiters can move it, and it can look at what it has moved
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    ignoreMissing(error);
    return;
  }
  const moved = await readToken(aside);
  if (moved !== seen && moved !== undefined) {
    // it was another, living lock: its holder sees in `isHeld` whether it got it back
    await rename(aside, path).catch(ignoreMissing);
    return;
  }
  await unlink(aside).catch(ignoreMissing);
}

/** The holder ran on this machine and is gone. An unfinished token belongs to a holder that is just starting. */
function isLeftBehind(token: string): boolean {
  const holder = parse(token);
  if (holder?.host !== hostname() || typeof holder.pid !== 'number') {
    return false;
  }
  try {
    process.kill(holder.pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}

function parse(token: string): { readonly [key: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(token);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // the holder has not finished writing it
    return undefined;
  }
}

async function readToken(path: string): Promise<string | undefined> {
  return readTextFile(path).catch(() => undefined);
}

function ignoreMissing(error: unknown): void {
  if (errorCode(error) !== 'ENOENT') {
    throw error;
  }
}
