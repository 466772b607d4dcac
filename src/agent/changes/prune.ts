/** Keeps what is stored of changes within bounds. */

import { lstat, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { largest } from '../../base/lists.js';
import { changesFolder } from './changeLog.js';

/** Bytes of all conversations together. */
const maxTotalBytes = 500 * 1024 * 1024;

/** Milliseconds after the last change of a conversation. */
const maxAgeMs = 30 * 24 * 60 * 60 * 1000;

const suffix = '.changes';

/**
 * See {@link pruneFolders}.
 * @param kept conversations that are open, as absolute paths of their files
 * @param now milliseconds since the epoch
 */
export async function pruneChanges(
  directories: readonly string[],
  kept: ReadonlySet<string>,
  { maxBytes = maxTotalBytes, now = Date.now() } = {},
): Promise<void> {
  const open = new Set([...kept].map(changesFolder));
  await pruneFolders(directories, open, { suffix, maxBytes, touchedAfter: now - maxAgeMs });
}

export interface FolderBounds {
  /** What names of such folders have behind that of their conversation. */
  readonly suffix: string;
  /** Of all together. */
  readonly maxBytes: number;
  /** Milliseconds since the epoch. */
  readonly touchedAfter: number;
}

/**
 * Deletes folders whose conversation is gone or that are too old, then those that were not touched for longest, beyond
 * the total. What stays for sure is counted first, so that it is part of the total.
 * @param directories of conversations
 * @param open absolute paths of folders that stay
 */
export async function pruneFolders(
  directories: readonly string[],
  open: ReadonlySet<string>,
  { suffix, maxBytes, touchedAfter }: FolderBounds,
): Promise<void> {
  const found = await Promise.all(directories.map((one) => foldersIn(one, suffix)));
  let total = 0;
  const isOpen = ({ path }: { readonly path: string }) => Number(open.has(path));
  for (const folder of found
    .flat()
    .sort((a, b) => isOpen(b) - isOpen(a) || b.touched - a.touched)) {
    const { path, hasConversation, bytes, touched } = folder;
    total += bytes;
    const isOver = !hasConversation || touched < touchedAfter || total > maxBytes;
    if (isOver && !open.has(path)) {
      total -= bytes;
      await rm(path, { recursive: true, force: true });
    }
  }
}

/** Bytes on disk that the changes of a conversation take up. Never rejects. @param conversationFile absolute */
export async function changesSize(conversationFile: string): Promise<number> {
  return (await sizeOf(changesFolder(conversationFile))).bytes;
}

async function foldersIn(directory: string, suffix: string) {
  const names: readonly string[] = await readdir(directory).catch(() => []);
  // one that was deleted may be brought back
  const files = names.filter((name) => /\.jsonl(?:\.deleted)?$/.test(name));
  const conversations = new Set(files.map((name) => name.replace(/\.jsonl(?:\.deleted)?$/, '')));
  const folders = names.filter((name) => name.endsWith(suffix));
  return await Promise.all(
    folders.map(async (name) => ({
      path: join(directory, name),
      hasConversation: conversations.has(basename(name, suffix)),
      ...(await sizeOf(join(directory, name))),
    })),
  );
}

async function sizeOf(
  folder: string,
): Promise<{ readonly bytes: number; readonly touched: number }> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const stats = await Promise.all(
    names.map((name) => lstat(join(folder, name)).catch(() => undefined)),
  );
  const files = stats.filter((one) => one?.isFile());
  return {
    bytes: files.reduce((sum, one) => sum + (one?.size ?? 0), 0),
    touched: largest(
      files.map((one) => one?.mtimeMs ?? 0),
      0,
    ),
  };
}
