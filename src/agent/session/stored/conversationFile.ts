/**
 * The file of one conversation. Pi appends to it and knows of no other window, so the window in which a conversation is
 * live owns its file: another one that wants it gets a copy. Pi in a terminal asks nobody: what it writes is found, and
 * never overwritten.
 */
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../../base/disposable.js';
import { errorCode, errorMessage, HumanError } from '../../../base/errors.js';
import type { Event } from '../../../base/event.js';
import type { FileLock } from '../../../platform/stores/fileLock.js';
import { forkAt } from '../../branches/fork.js';
import { type ConversationEnd, endOfConversation } from '../../conversations/conversationEnd.js';
import { deletedEnding, moveBelongings, tryLock } from '../../conversations/conversations.js';
import { DraftFile } from '../../conversations/draftFile.js';
import { readStored } from '../../conversations/storedEntry.js';
import type { ModelRef } from '../../models/models.js';
import type { PiModule, PiSessionEntry, PiSessionManager } from '../../pi/piModule.js';
import type { Transcript } from '../../transcript/entries.js';
import { ConversationWriter, writeUnwritten } from './conversationWriter.js';
import type { OutsideWrites } from './outsideWrites.js';

/** Where a conversation goes on. */
export interface ResumePoint {
  /** Absolute path; may not exist, as Pi writes it with the first answer. */
  readonly sessionFile: string | undefined;
  /** Default: what the file tells. */
  readonly transcript?: Transcript;
  /** What could not be written to the file. Default: nothing. */
  readonly unsaved?: readonly PiSessionEntry[];
  /** Another program wrote into the file. Default: none did. */
  readonly outside?: OutsideChange;
}

type OutsideChange =
  /** It went on where this window had ended. */
  | { readonly kind: 'continued' }
  /** Both went on; here from this entry, behind which the other program's are left out. */
  | { readonly kind: 'diverged'; readonly leafId: string };

export interface ConversationFileOptions {
  readonly pi: PiModule;
  /** Where a new conversation begins, and what it names as its folder. */
  readonly place: { readonly directory: string; readonly cwd: string };
  /** Continues this conversation. Default: a new one. */
  readonly resume?: ResumePoint | undefined;
}

type Origin = 'asked' | 'copied' | OutsideChange['kind'];

export class ConversationFile implements Disposable {
  private readonly writer: ConversationWriter;
  private draftFile: DraftFile | undefined;

  private constructor(
    readonly manager: PiSessionManager,
    private readonly lock: FileLock | undefined,
    /** Why it is not simply the conversation that was asked for. */
    private readonly origin: Origin,
  ) {
    this.writer = new ConversationWriter(manager);
  }

  /** What the user should know about where it comes from. */
  get note(): string | undefined {
    return noteOf(this.origin);
  }

  /** @throws for a file that is no conversation. */
  static async open(options: ConversationFileOptions): Promise<ConversationFile> {
    const opened = await ConversationFile.find(options);
    opened.draftFile = opened.file === undefined ? undefined : await DraftFile.open(opened.file);
    opened.writer.takeUp(options.resume?.unsaved ?? []);
    return opened;
  }

  private static async find({ pi, place, resume }: ConversationFileOptions) {
    const { SessionManager: managers } = pi;
    const { directory, cwd } = place;
    const wanted = resume?.sessionFile;
    if (wanted === undefined || wasDeleted(wanted)) {
      return ConversationFile.own(managers.create(cwd, directory), 'asked');
    }
    const { kind = 'asked' } = resume?.outside ?? {};
    if (resume?.outside?.kind === 'diverged') {
      const manager = managers.open(wanted, directory, cwd);
      const path = manager.createBranchedSession(resume.outside.leafId);
      writeUnwritten(manager);
      // the other program knows of none of it
      await moveBelongings(wanted, path ?? wanted);
      return await ConversationFile.own(manager, kind);
    }
    const lock = await tryLock(wanted);
    try {
      if (lock) {
        // one that has no request yet keeps its name, and with it what is kept beside it
        return new ConversationFile(managers.open(wanted, directory, cwd), lock, kind);
      }
      const other = existsSync(wanted)
        ? managers.open(copyWhole(managers, wanted, cwd), directory, cwd)
        : managers.create(cwd, directory);
      return await ConversationFile.own(other, existsSync(wanted) ? 'copied' : 'asked');
    } catch (error) {
      lock?.release();
      throw error;
    }
  }

  /** Absolute; begins with the first request. */
  get file(): string | undefined {
    return this.manager.getSessionFile();
  }

  /** What the user has written in it and not sent. */
  get draft(): DraftFile | undefined {
    return this.draftFile;
  }

  /** What the user called it. */
  get name(): string | undefined {
    const entry = this.manager.getEntries().findLast(({ type }) => type === 'session_info');
    const event = readStored(entry);
    return event?.kind === 'name' ? event.name : undefined;
  }

  /** How its last run ended. */
  get end(): ConversationEnd {
    return endOfConversation(newestFirst(this.manager));
  }

  /** An empty name takes the name away. */
  rename(name: string): void {
    this.manager.appendSessionInfo(name);
  }

  /** Why something is not on disk yet, as a sentence; absent when everything is. */
  get unsaved(): string | undefined {
    const { failure } = this.writer;
    return failure && l10n.t('Not saved yet: {0}', failureText(failure.error));
  }

  /** What is not on disk, also what the user ran before the first request, with which the file begins. */
  get unwritten(): readonly PiSessionEntry[] {
    return this.writer.unwritten;
  }

  /** {@link unsaved} is another. */
  get onDidChangeUnsaved(): Event<void> {
    return this.writer.onDidChange;
  }

  /** Tries again what could not be written. @throws {HumanError} when it still cannot be */
  save(): void {
    this.writer.write();
    const { unsaved } = this;
    if (unsaved) {
      throw new HumanError('not_saved', unsaved, {
        remedy: l10n.t(
          'Check the permissions and the free space of its folder; it is saved as soon as that is possible.',
        ),
      });
    }
  }

  /** What another program wrote; call while nothing runs. `undefined`: nothing. */
  findOutside(): OutsideWrites | undefined {
    return this.writer.findOutside();
  }

  dispose(): void {
    this.writer.dispose();
    this.lock?.release();
  }

  private static async own(manager: PiSessionManager, origin: Origin): Promise<ConversationFile> {
    const path = manager.getSessionFile();
    return new ConversationFile(manager, path ? await tryLock(path) : undefined, origin);
  }
}

/** The model that the conversation used last. */
export function lastModel(entries: readonly PiSessionEntry[]): ModelRef | undefined {
  const change = entries.findLast((entry) => entry.type === 'model_change');
  return change?.type === 'model_change'
    ? { provider: change.provider, id: change.modelId }
    : undefined;
}

function noteOf(origin: Origin): string | undefined {
  switch (origin) {
    case 'asked':
      return undefined;
    case 'copied':
    case 'diverged':
      return l10n.t('Another window or program has this conversation; this is a copy.');
    case 'continued':
      return l10n.t(
        'This conversation went on in another program, such as Pi in a terminal. It now includes what was said there.',
      );
  }
}

function* newestFirst(manager: PiSessionManager): Generator<PiSessionEntry> {
  let entry = manager.getLeafEntry();
  while (entry) {
    yield entry;
    entry = entry.parentId === null ? undefined : manager.getEntry(entry.parentId);
  }
}

/** What only Pi can do with the file of a conversation. Both reject when another window shows it. */
export interface ConversationFiles {
  rename(path: string, name: string): Promise<void>;
  /** @param end id of the last message that is copied; default: all. @returns the absolute path of the copy. */
  copy(path: string, name: string, end?: string): Promise<string>;
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
        remedy: l10n.t('Reload the agent; the extension log has the details.'),
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
        if (end === undefined) {
          const copy = copyWhole(managers, path, managers.open(path, sessionDir).getCwd());
          managers.open(copy, sessionDir).appendSessionInfo(name);
          return copy;
        }
        const part = managers.open(path, sessionDir);
        forkAt(part, end);
        part.appendSessionInfo(name);
        writeUnwritten(part);
        return part.getSessionFile() ?? path;
      }),
  };
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

/**
 * Pi copies line by line, so it does that apart: half a copy is none.
 * @returns the absolute path of the copy, beside the conversation
 */
function copyWhole(managers: PiModule['SessionManager'], path: string, cwd: string): string {
  const apart = mkdtempSync(join(dirname(path), 'copy-'));
  try {
    const copy = managers.forkFrom(path, cwd, apart).getSessionFile() ?? '';
    const whole = join(dirname(path), basename(copy));
    renameSync(copy, whole);
    return whole;
  } finally {
    rmSync(apart, { recursive: true, force: true });
  }
}

/** It may be brought back. */
function wasDeleted(path: string): boolean {
  return !existsSync(path) && existsSync(path + deletedEnding);
}

function failureText(error: unknown): string {
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return l10n.t('the disk is full.');
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return l10n.t('its file is read-only.');
    case 'EBUSY':
      return l10n.t('another program uses its file.');
    default:
      return errorMessage(error);
  }
}
