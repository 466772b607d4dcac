import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as l10n from '@vscode/l10n';
import { delay } from '../../base/async/cancellation.js';
import { Limiter } from '../../base/async/sequencer.js';
import { HumanError, isHumanError } from '../../base/errors.js';
import { readTextFile } from '../../platform/boundedFile.js';
import { acquireFileLock, type FileLock } from '../../platform/stores/fileLock.js';
import { writeFileAtomic } from '../../platform/stores/storedFile.js';

/** Milliseconds that the requests of one refresh may take together. */
export const refreshLimitMs = 30_000;
/** Far longer, since the secret storage is read and written too. The end of a process is noticed at once. */
const staleMs = 2 * refreshLimitMs;
/** A holder that hangs and one that refreshes. */
const waitMs = 2 * staleMs;
/** Milliseconds that the editor may take to show one window the secrets that another one has stored. */
const settleLimitMs = 5000;
const lookEveryMs = 20;

/** Who holds it refreshes the tokens of one account; nobody else does, in this process or in another one. */
export class RefreshLock {
  private readonly turns = new Limiter(1);

  constructor(
    /** Of the file that the other processes see; its folder is made. `undefined`: only this process has the tokens. */
    private readonly path: string | undefined,
  ) {}

  /** @param signal ends the wait for the lock, not the task. */
  run<T>(task: (turn: RefreshTurn) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.turns.run(async () => {
      const lock = await this.acquire(signal);
      try {
        return await task(new RefreshTurn(lock, lock && `${this.path}.spent`));
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
      // a disk that cannot be written must not cost the account
      return undefined;
    }
  }
}

/** What the holder of the lock may know. */
export class RefreshTurn {
  constructor(
    private readonly lock: FileLock | undefined,
    /** Of the file that says which token was used last; `undefined`: there is none. */
    private readonly spentPath: string | undefined,
  ) {}

  /** False when another process took the lock from this one, which seemed dead. */
  isHeld(): boolean {
    return this.lock?.isHeld() ?? true;
  }

  /**
   * Reads the refresh token until it is not the one that another window has used: an editor shows what one window has stored to
   * the others a moment later. `undefined` when it stays, since using it again would cost the grant.
   */
  async readUnspent(
    read: () => Promise<string | undefined>,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    const { spentPath } = this;
    // there is none before the first refresh
    const spent = spentPath && (await readTextFile(spentPath).catch(() => undefined));
    const startedAt = performance.now();
    for (;;) {
      const token = await read();
      if (token === undefined || spent !== fingerprint(token)) {
        return token;
      }
      if (performance.now() - startedAt > settleLimitMs) {
        return undefined;
      }
      await delay(lookEveryMs, signal);
    }
  }

  /** The server has taken the token for a new one. Never rejects. */
  async markSpent(token: string): Promise<void> {
    if (this.spentPath !== undefined) {
      // the others then use what they read
      await writeFileAtomic(this.spentPath, fingerprint(token)).catch(() => undefined);
    }
  }
}

/** Tells tokens apart, and nothing about them. */
function fingerprint(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, 16);
}
