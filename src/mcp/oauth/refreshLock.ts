import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import { HumanError, isHumanError } from '../../base/errors.js';
import { Limiter } from '../../base/sequencer.js';
import { acquireFileLock, type FileLock } from '../fileLock.js';

/** Milliseconds that the requests of one refresh may take together. */
export const refreshLimitMs = 30_000;
/** Far longer, since the secret storage is read and written too. The end of a process is noticed at once. */
const staleMs = 2 * refreshLimitMs;
/** A holder that hangs and one that refreshes. */
const waitMs = 2 * staleMs;

/** Who holds it refreshes the tokens of one account; nobody else does, in this process or in another one. */
export class RefreshLock {
  private readonly turns = new Limiter(1);

  constructor(
    /** Of the file that the other processes see; its folder is made. `undefined`: only this process has the tokens. */
    private readonly path: string | undefined,
  ) {}

  /**
   * @param task is told whether it still holds the lock, which others take from one that seems dead.
   * @param signal ends the wait for the lock, not the task.
   */
  run<T>(task: (isHeld: () => boolean) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.turns.run(async () => {
      const lock = await this.acquire(signal);
      try {
        return await task(() => lock?.isHeld() ?? true);
      } finally {
        lock?.release();
      }
    }, signal);
  }

  private async acquire(signal: AbortSignal | undefined): Promise<FileLock | undefined> {
    if (this.path === undefined) {
      return undefined;
    }
    try {
      await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
      return await acquireFileLock(this.path, { waitMs, staleMs, signal });
    } catch (error) {
      signal?.throwIfAborted();
      if (isHumanError(error)) {
        throw new HumanError(
          'sign_in_busy',
          l10n.t('Another window has been renewing the sign-in for minutes.'),
          { remedy: l10n.t('Try again, or close the other windows.'), cause: error },
        );
      }
      // a disk that is full or not to be written must not cost the account
      return undefined;
    }
  }
}
