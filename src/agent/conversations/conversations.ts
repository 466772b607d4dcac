/** Stored conversations as files: which there are, what they are called, and which have to go. Needs no Pi. */
import { createHash } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { errorCode, HumanError } from '../../base/errors.js';
import { deleteChanges } from '../changes/changeLog.js';
import { pruneChanges } from '../changes/prune.js';
import { queuePath } from '../queue/queueFile.js';
import { draftPath } from './draftFile.js';
import { deleteResults, pruneResults } from './resultFiles.js';
import { readSummary } from './storedConversation.js';
import { conversationTitle } from './title.js';

export interface ConversationInfo {
  /** Name of its file, unique within its folder. */
  readonly id: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

export interface ConversationLimits {
  /** Per folder; 0 = no limit. */
  readonly maxCount: number;
  /** 0 = no limit. */
  readonly maxAgeDays: number;
}

const dayMs = 24 * 60 * 60 * 1000;
const ending = '.jsonl';
/** Behind the name of a conversation that may still be brought back. */
export const deletedEnding = '.deleted';
/** Of deleted conversations. */
const keptMs = dayMs;
/** Files that are being written, and folders in which Pi copies. */
const leftover = /\.tmp$|\.whole$|^copy-/;

/** Titles of files that have not changed since. */
const titles = new Map<
  /* absolute path */ string,
  { readonly size: number; readonly modifiedAt: number; readonly title: string }
>();

/** Where the conversations of a workspace folder are kept. */
export function conversationDir(storageDir: string, folderKey: string): string {
  return join(storageDir, createHash('sha256').update(folderKey).digest('hex').slice(0, 16));
}

/** @throws {HumanError} for anything but the id of a conversation. */
export function conversationPath(dir: string, id: string): string {
  if (!/^[\w.-]+\.jsonl$/.test(id)) {
    throw new HumanError('no_conversation', l10n.t('This conversation does not exist any more.'), {
      remedy: l10n.t('Choose another one, or start a new one.'),
    });
  }
  return join(dir, id);
}

/** Newest first. */
export async function listConversations(dir: string): Promise<readonly ConversationInfo[]> {
  const listed: ConversationInfo[] = [];
  // one after the other: each may be long
  for (const file of await conversationFiles(dir)) {
    listed.push({ id: file.id, modifiedAt: file.modifiedAt, title: await titleOf(dir, file) });
  }
  return listed;
}

/** What waits to be sent in it stays beside it. {@link restoreConversation} brings both back until they are pruned. */
export async function deleteConversation(path: string): Promise<void> {
  await rename(path, path + deletedEnding).catch(ignoreMissing);
}

export async function restoreConversation(path: string): Promise<void> {
  await rename(path + deletedEnding, path);
}

/**
 * Deletes what is beyond the limits, in the conversations of every folder.
 * @param kept absolute paths that stay in any case
 */
export async function pruneConversations(
  storageDir: string,
  { maxCount, maxAgeDays }: ConversationLimits,
  kept: ReadonlySet<string>,
  now = Date.now(),
): Promise<void> {
  const oldest = maxAgeDays > 0 ? now - maxAgeDays * dayMs : 0;
  const most = maxCount > 0 ? maxCount : Number.POSITIVE_INFINITY;
  const dirs = (await readNames(storageDir)).map((name) => join(storageDir, name));
  for (const dir of dirs) {
    const files = await conversationFiles(dir);
    const gone = files.filter(({ modifiedAt }, index) => index >= most || modifiedAt < oldest);
    for (const { id } of gone) {
      if (!kept.has(join(dir, id))) {
        await removeForGood(join(dir, id));
      }
    }
    for (const id of (await readNames(dir)).filter((file) => file.endsWith(deletedEnding))) {
      // the time of its deletion; that of its last change is older
      const stats = await stat(join(dir, id)).catch(() => undefined);
      if (stats && now - stats.ctimeMs > keptMs) {
        await removeForGood(join(dir, id.slice(0, -deletedEnding.length)));
      }
    }
  }
  await pruneChanges(dirs, kept);
  await pruneResults(dirs, kept, now);
  for (const dir of dirs) {
    await removeLeftovers(dir, kept, now);
  }
}

/** What a crash left in the middle of a write, and drafts of conversations that never began. */
async function removeLeftovers(dir: string, kept: ReadonlySet<string>, now: number): Promise<void> {
  const open = new Set([...kept].flatMap((path) => [queuePath(path), draftPath(path)]));
  const names = await readNames(dir);
  const isOrphan = (name: string) => {
    const [, conversation] = /^(.+\.jsonl)\.(?:draft|queue)$/.exec(name) ?? [];
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

/** With everything that is kept beside it. */
async function removeForGood(path: string): Promise<void> {
  for (const file of [path, path + deletedEnding, queuePath(path), draftPath(path)]) {
    await rm(file, { force: true });
  }
  await deleteChanges(path);
  await deleteResults(path);
}

async function titleOf(dir: string, { id, modifiedAt, size }: ConversationEntry): Promise<string> {
  const path = join(dir, id);
  const known = titles.get(path);
  if (known?.modifiedAt === modifiedAt && known.size === size) {
    return known.title;
  }
  // deleted or not readable meanwhile
  const { name, request } = await readSummary(path).catch(() => ({ name: undefined, request: '' }));
  const title = name ?? conversationTitle(request);
  titles.set(path, { size, modifiedAt, title });
  return title;
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

function ignoreMissing(error: unknown): void {
  if (errorCode(error) !== 'ENOENT') {
    throw error;
  }
}
