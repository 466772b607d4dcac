/** Keeps the folders that stand beside conversations within bounds. */
import { lstat, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { largest } from '../../base/lists.js';

/** Bytes of all folders of one kind together. */
const maxTotalBytes = 500 * 1024 * 1024;

/** Milliseconds after the last change in a folder. */
const maxAgeMs = 30 * 24 * 60 * 60 * 1000;

/** @param suffix what the name has behind that of the conversation */
export function folderBeside(conversationFile: string, suffix: string): string {
  return conversationFile.replace(/(?:\.jsonl)?$/, suffix);
}

/**
 * Deletes folders whose conversation is gone or that are too old, then those that were not touched for longest, beyond
 * the total. What stays for sure is counted first, so that it is part of the total.
 * @param directories of conversations
 * @param kept conversations that are open, as absolute paths of their files
 * @param suffix of the kind, see {@link folderBeside}
 */
export async function pruneFolders(
  directories: readonly string[],
  kept: ReadonlySet<string>,
  suffix: string,
  { maxBytes = maxTotalBytes, now = Date.now() } = {},
): Promise<void> {
  const open = new Set([...kept].map((path) => folderBeside(path, suffix)));
  const found = await Promise.all(directories.map((one) => foldersIn(one, suffix)));
  let total = 0;
  const isOpen = ({ path }: { readonly path: string }) => Number(open.has(path));
  for (const folder of found
    .flat()
    .sort((a, b) => isOpen(b) - isOpen(a) || b.touched - a.touched)) {
    const { path, hasConversation, bytes, touched } = folder;
    total += bytes;
    const isOver = !hasConversation || touched < now - maxAgeMs || total > maxBytes;
    if (isOver && !open.has(path)) {
      total -= bytes;
      await rm(path, { recursive: true, force: true });
    }
  }
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

/** Never rejects. */
export async function sizeOf(
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
