/** Stored conversations as files: which there are, what they are called, and which have to go. Needs no Pi. */
import { createHash } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { HumanError, ignoreMissing, isHumanError } from '../../base/errors.js';
import { acquireFileLock, type FileLock } from '../../platform/stores/fileLock.js';
import { changesSize, changesSuffix } from '../changes/changeLog.js';
import { folderBeside, pruneFolders } from '../changes/prune.js';
import { queuePath } from '../queue/queueFile.js';
import { attachedPath } from './attachedFile.js';
import { storedChanges } from './changedFiles.js';
import type { ConversationEnd } from './conversationEnd.js';
import { conversationDraftPath } from './draftFile.js';
import { FileMemo } from './fileMemo.js';
import { resultsSuffix } from './resultFiles.js';
import { type ConversationSummary, readSummary } from './storedConversation.js';
import { conversationTitle } from './title.js';

export interface ConversationInfo {
  /** Name of its file, unique within its folder. */
  readonly id: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

export interface StoredInfo extends ConversationInfo {
  /** How its last run ended. */
  readonly end: ConversationEnd;
  /** Files that it changed. */
  readonly changedFiles: number;
  /** Bytes on disk of what those files held. */
  readonly keptBytes: number;
}

/** A directory in which conversations of a folder are kept. */
export interface ConversationPlace {
  /** Absolute; may not exist. */
  readonly directory: string;
  /** Absolute: the directory has conversations of other folders too, and only those of this one count. Default: all. */
  readonly folder?: string | undefined;
}

export interface ConversationLimits {
  /** Per folder; 0 = no limit. */
  readonly maxCount: number;
  /** 0 = no limit. */
  readonly maxAgeDays: number;
}

const dayMs = 24 * 60 * 60 * 1000;
const ending = '.jsonl';
/** Milliseconds that a window which is being closed may take to let go of its conversation. */
const releaseMs = 3000;
/** Behind the name of a conversation that may still be brought back. */
export const deletedEnding = '.deleted';
/** Of deleted conversations. */
const keptMs = dayMs;
/** Files that are being written, and folders in which Pi copies. */
const leftover = /\.tmp$|\.whole$|^copy-/;

/** What is kept beside a conversation: files, then folders by their suffixes. */
const filesBeside = [queuePath, conversationDraftPath, attachedPath];
const foldersBeside = [changesSuffix, resultsSuffix];

/** What is known of conversations by their files. */
export class KnownConversations {
  readonly summaries = new FileMemo<ConversationSummary>();
  readonly changedFiles = new FileMemo<number>();
}

/** Where the conversations of a workspace folder are kept. */
export function conversationDir(storageDir: string, folderKey: string): string {
  return join(storageDir, createHash('sha256').update(folderKey).digest('hex').slice(0, 16));
}

/**
 * Where the conversation is, or was until it was deleted, or would be in the first place.
 * @throws {HumanError} for anything but the id of a conversation.
 */
export async function conversationPath(
  places: readonly ConversationPlace[],
  id: string,
): Promise<string> {
  if (!/^[\w.-]+\.jsonl$/.test(id)) {
    throw noConversation();
  }
  const paths = places.map(({ directory }) => join(directory, id));
  for (const file of paths.flatMap((path) => [path, path + deletedEnding])) {
    if (await isStored(file)) {
      return file.endsWith(deletedEnding) ? file.slice(0, -deletedEnding.length) : file;
    }
  }
  return paths[0] ?? id;
}

function noConversation(): HumanError {
  return new HumanError('no_conversation', l10n.t('This conversation is not there any more.'), {
    remedy: l10n.t('Choose another one.'),
  });
}

/** Newest first. @param known what a list before has read, and gets what this one reads */
export async function listConversations(
  places: readonly ConversationPlace[],
  known: KnownConversations,
): Promise<readonly StoredInfo[]> {
  const listed: StoredInfo[] = [];
  for (const { directory, folder } of places) {
    // one after the other: each may be long
    for (const file of await conversationFiles(directory)) {
      const { id, modifiedAt } = file;
      const path = join(directory, id);
      const { name, request, end, cwd } = await summaryOf(path, file, known);
      if (folder === undefined || isSamePath(cwd, folder)) {
        const title = name ?? conversationTitle(request);
        const changedFiles = await storedChanges(path, known.changedFiles);
        const keptBytes = changedFiles > 0 ? await changesSize(path) : 0;
        listed.push({ id, modifiedAt, title, end, changedFiles, keptBytes });
      }
    }
  }
  return listed.sort((a, b) => b.modifiedAt - a.modifiedAt);
}

/** What waits to be sent in it stays beside it. {@link restoreConversation} brings both back until they are pruned. */
export async function deleteConversation(path: string): Promise<void> {
  await rename(path, path + deletedEnding).catch(ignoreMissing);
}

/** Leaves one that another window, which had it open, has written again meanwhile: that has more. */
export async function restoreConversation(path: string): Promise<void> {
  if (!(await isStored(path))) {
    await rename(path + deletedEnding, path);
  }
}

export interface PruneOptions {
  /** Absolute paths of those that stay in any case. */
  readonly kept: ReadonlySet<string>;
  /** Called before one is deleted. Default: nobody has it open. */
  readonly release?: (path: string) => Promise<void>;
  /** Directories in which others have conversations, too: there only what we left behind is tidied up. Default: none. */
  readonly others?: readonly string[];
  /** Milliseconds since the epoch. Default: now. */
  readonly now?: number;
}

/** Deletes what is beyond the limits, in the conversations of every folder. */
export async function pruneConversations(
  storageDir: string,
  { maxCount, maxAgeDays }: ConversationLimits,
  { kept, release, others = [], now = Date.now() }: PruneOptions,
): Promise<void> {
  const oldest = maxAgeDays > 0 ? now - maxAgeDays * dayMs : 0;
  const most = maxCount > 0 ? maxCount : Number.POSITIVE_INFINITY;
  const dirs = (await readNames(storageDir)).map((name) => join(storageDir, name));
  for (const dir of dirs) {
    const files = await conversationFiles(dir);
    const gone = files.filter(({ modifiedAt }, index) => index >= most || modifiedAt < oldest);
    for (const { id } of gone) {
      if (!kept.has(join(dir, id))) {
        await release?.(join(dir, id));
        const lock = await tryLock(join(dir, id));
        try {
          await (lock && removeForGood(join(dir, id)));
        } finally {
          lock?.release();
        }
      }
    }
  }
  const all = [...dirs, ...others];
  for (const dir of all) {
    for (const id of (await readNames(dir)).filter((file) => file.endsWith(deletedEnding))) {
      // the time of its deletion; that of its last change is older
      const stats = await stat(join(dir, id)).catch(() => undefined);
      const path = join(dir, id.slice(0, -deletedEnding.length));
      if (stats && now - stats.ctimeMs > keptMs) {
        // it may have gone on where another window had it open
        await ((await isStored(path)) ? rm(join(dir, id), { force: true }) : removeForGood(path));
      }
    }
  }
  for (const suffix of foldersBeside) {
    await pruneFolders(all, kept, suffix, { now });
  }
  for (const dir of dirs) {
    await removeLeftovers(dir, kept, now);
  }
}

/** What a crash left in the middle of a write, and drafts of conversations that never began. */
async function removeLeftovers(dir: string, kept: ReadonlySet<string>, now: number): Promise<void> {
  const open = new Set([...kept].flatMap((path) => filesBeside.map((place) => place(path))));
  const names = await readNames(dir);
  const isOrphan = (name: string) => {
    const [, conversation] = /^(.+\.jsonl)\.(?:draft|queue|attached)$/.exec(name) ?? [];
    const files = [conversation, `${conversation}${deletedEnding}`];
    return conversation !== undefined && !files.some((file) => names.includes(file ?? ''));
  };
  for (const name of names.filter((one) => leftover.test(one) || isOrphan(one))) {
    const path = join(dir, name);
    const stats = await stat(path).catch(() => undefined);
    // another window may be writing it
    if (stats && now - stats.mtimeMs > keptMs && !open.has(path)) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

/** What is kept beside a conversation becomes that of another one, which goes on in its place. */
export async function moveBelongings(from: string, to: string): Promise<void> {
  const folders = foldersBeside.map((suffix) => (path: string) => folderBeside(path, suffix));
  for (const place of [...filesBeside, ...folders]) {
    await rename(place(from), place(to)).catch(ignoreMissing);
  }
}

/** `undefined` when another window shows the conversation. */
export async function tryLock(path: string): Promise<FileLock | undefined> {
  try {
    return await acquireFileLock(`${path}.open`, { waitMs: releaseMs, isKept: true });
  } catch (error) {
    if (isHumanError(error)) {
      return undefined;
    }
    throw error;
  }
}

/** With everything that is kept beside it. */
async function removeForGood(path: string): Promise<void> {
  for (const file of [path, path + deletedEnding, ...filesBeside.map((place) => place(path))]) {
    await rm(file, { force: true });
  }
  for (const suffix of foldersBeside) {
    await rm(folderBeside(path, suffix), { recursive: true, force: true });
  }
}

async function summaryOf(
  path: string,
  { size, modifiedAt }: ConversationEntry,
  { summaries }: KnownConversations,
): Promise<ConversationSummary> {
  try {
    return await summaries.get(path, `${size} ${modifiedAt}`, () => readSummary(path));
  } catch {
    // deleted, or not to be read now
    return emptySummary;
  }
}

const emptySummary: ConversationSummary = { request: '', end: 'done' };

/** False for one that was deleted, or never written. */
export async function isStored(path: string): Promise<boolean> {
  return await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

/** Windows writes the same drive in two ways. */
function isSamePath(a: string | undefined, b: string): boolean {
  return process.platform === 'win32' ? a?.toLowerCase() === b.toLowerCase() : a === b;
}

interface ConversationEntry {
  readonly id: string;
  readonly modifiedAt: number;
  /** Bytes. */
  readonly size: number;
}

async function conversationFiles(dir: string): Promise<readonly ConversationEntry[]> {
  const names = (await readNames(dir)).filter((name) => name.endsWith(ending));
  const files = await Promise.all(
    names.map(async (id) => {
      const stats = await stat(join(dir, id)).catch(() => undefined);
      return stats?.isFile() ? [{ id, modifiedAt: stats.mtimeMs, size: stats.size }] : [];
    }),
  );
  return files.flat().sort((a, b) => b.modifiedAt - a.modifiedAt);
}

async function readNames(dir: string): Promise<readonly string[]> {
  // nothing was stored yet
  return readdir(dir).catch(() => []);
}
