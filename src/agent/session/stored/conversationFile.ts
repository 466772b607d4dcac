/**
 * The file of one conversation. Pi appends to it and knows of no other window, so the window that shows a conversation
 * owns its file: another one that wants it gets a copy. A file that vanishes meanwhile is written whole again.
 */
import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../../base/disposable.js';
import { HumanError, isHumanError } from '../../../base/errors.js';
import { acquireFileLock, type FileLock } from '../../../platform/stores/fileLock.js';
import { forkAt } from '../../branches/fork.js';
import type { ConversationFiles } from '../../conversations/library.js';
import type { PiModule, PiSessionManager } from '../../pi/piModule.js';
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

  /** Absolute; Pi begins it with the first answer. */
  get file(): string | undefined {
    return this.manager.getSessionFile();
  }

  /** What the user called it. */
  get name(): string | undefined {
    return this.manager.getSessionName() || undefined;
  }

  /** An empty name takes the name away. */
  rename(name: string): void {
    this.manager.appendSessionInfo(name);
    this.keepWhole();
  }

  /** Call after Pi may have written: it would begin a file that was deleted elsewhere in the middle. */
  keepWhole(): void {
    const path = this.manager.getSessionFile();
    const now = look(path);
    if (path !== undefined && this.seen && !isGrown(this.seen, now)) {
      writeWhole(this.manager, path);
    }
    this.seen = look(path);
  }

  dispose(): void {
    this.lock?.release();
  }

  private static async own(manager: PiSessionManager, isCopy: boolean): Promise<ConversationFile> {
    const path = manager.getSessionFile();
    return new ConversationFile(manager, path ? await tryLock(path) : undefined, isCopy);
  }
}

/**
 * @param sessionDir absolute; of all conversations
 * @param open absolute paths of those that this window shows and so owns. Default: none.
 */
export function createConversationFiles(
  pi: Pick<PiModule, 'SessionManager'> | undefined,
  sessionDir: string,
  open: ReadonlySet<string> = new Set(),
): ConversationFiles {
  const change = async <T>(
    path: string,
    work: (managers: PiModule['SessionManager']) => T,
  ): Promise<T> => {
    if (!pi) {
      throw new HumanError('agent_unavailable', l10n.t('Pi could not be loaded.'), {
        remedy: l10n.t('The panel says why.'),
      });
    }
    const { SessionManager: managers } = pi;
    return open.has(path) ? work(managers) : await withOwned(path, () => work(managers));
  };
  return {
    rename: (path, name) =>
      change(path, (managers) => {
        managers.open(path, sessionDir).appendSessionInfo(name);
      }),
    copy: (path, name, end) =>
      change(path, (managers) => {
        const whole = managers.open(path, sessionDir);
        const copy =
          end === undefined ? managers.forkFrom(path, whole.getCwd(), sessionDir) : whole;
        if (end !== undefined) {
          forkAt(whole, end);
        }
        copy.appendSessionInfo(name);
        writeUnwritten(copy);
        return copy.getSessionFile() ?? path;
      }),
  };
}

/** Pi begins a file with the first answer; a copy may end before it. */
function writeUnwritten(manager: PiSessionManager): void {
  const path = manager.getSessionFile();
  if (path !== undefined && !existsSync(path)) {
    writeWhole(manager, path);
  }
}

function writeWhole(manager: PiSessionManager, path: string): void {
  const lines = [manager.getHeader(), ...manager.getEntries()].map(
    (entry) => `${JSON.stringify(entry)}\n`,
  );
  // at once, since Pi may append next
  const whole = `${path}.whole`;
  writeFileSync(whole, lines.join(''), { mode: 0o600 });
  renameSync(whole, path);
}

/** @throws {HumanError} when another window shows the conversation. */
async function withOwned<T>(path: string, work: () => T): Promise<T> {
  const lock = await tryLock(path);
  if (!lock) {
    throw new HumanError('conversation_open', l10n.t('Another window shows this conversation.'), {
      remedy: l10n.t('Do it there, or close it there first.'),
    });
  }
  try {
    return work();
  } finally {
    lock.release();
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
