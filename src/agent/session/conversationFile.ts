/**
 * The file of one conversation. Pi appends to it and knows of no other window, so the window that shows a conversation
 * owns its file: another one that wants it gets a copy. A file that vanishes meanwhile is written whole again.
 */
import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import type { Disposable } from '../../base/disposable.js';
import { isHumanError } from '../../base/errors.js';
import { acquireFileLock, type FileLock } from '../../platform/stores/fileLock.js';
import type { PiModule, PiSessionManager } from '../pi/piModule.js';
import type { ResumePoint } from './storedSession.js';

/** Milliseconds that a window which is being closed may take to let go of its conversation. */
const releaseMs = 3000;

export interface ConversationFileOptions {
  readonly pi: PiModule;
  readonly cwd: string;
  readonly sessionDir: string;
  readonly resume?: ResumePoint;
}

export class ConversationFile implements Disposable {
  private seen: FileSight | undefined;

  private constructor(
    readonly manager: PiSessionManager,
    private readonly lock: FileLock | undefined,
    /** Another window shows the conversation that was asked for. */
    readonly isCopy: boolean,
  ) {
    this.seen = look(manager.getSessionFile());
  }

  /** @throws for a file that is no conversation. */
  static async open({ pi, cwd, sessionDir, resume }: ConversationFileOptions) {
    const wanted = resume?.sessionFile;
    if (wanted === undefined || !existsSync(wanted)) {
      return ConversationFile.own(pi.SessionManager.create(cwd, sessionDir), false);
    }
    const lock = await tryLock(wanted);
    try {
      return lock
        ? new ConversationFile(pi.SessionManager.open(wanted, sessionDir, cwd), lock, false)
        : await ConversationFile.own(pi.SessionManager.forkFrom(wanted, cwd, sessionDir), true);
    } catch (error) {
      lock?.release();
      throw error;
    }
  }

  /** Call after Pi may have written: it would begin a file that was deleted elsewhere in the middle. */
  keepWhole(): void {
    const path = this.manager.getSessionFile();
    const now = look(path);
    if (path !== undefined && this.seen && !isGrown(this.seen, now)) {
      this.writeWhole(path);
    }
    this.seen = look(path);
  }

  dispose(): void {
    this.lock?.release();
  }

  private writeWhole(path: string): void {
    const { manager } = this;
    const lines = [manager.getHeader(), ...manager.getEntries()].map(
      (entry) => `${JSON.stringify(entry)}\n`,
    );
    // at once, since Pi may append next
    const whole = `${path}.whole`;
    writeFileSync(whole, lines.join(''), { mode: 0o600 });
    renameSync(whole, path);
  }

  private static async own(manager: PiSessionManager, isCopy: boolean): Promise<ConversationFile> {
    const path = manager.getSessionFile();
    return new ConversationFile(manager, path ? await tryLock(path) : undefined, isCopy);
  }
}

/** `undefined` when another window has it. */
async function tryLock(path: string): Promise<FileLock | undefined> {
  try {
    return await acquireFileLock(`${path}.open`, { waitMs: releaseMs, isKept: true });
  } catch (error) {
    if (isHumanError(error)) {
      return undefined;
    }
    throw error;
  }
}

interface FileSight {
  readonly inode: number;
  readonly size: number;
}

function look(path: string | undefined): FileSight | undefined {
  const stats = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  return stats && { inode: stats.ino, size: stats.size };
}

/** A new file may have the number of a deleted one, but hardly its size. */
function isGrown(before: FileSight, now: FileSight | undefined): boolean {
  return now !== undefined && now.inode === before.inode && now.size >= before.size;
}
