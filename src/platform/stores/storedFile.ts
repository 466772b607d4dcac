/** Small files of our own that several windows share: written whole, read tolerantly. */
import { constants } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { delay } from '../../base/async/cancellation.js';
import { errorCode, ignoreMissing } from '../../base/errors.js';
import { readTextFile } from '../boundedFile.js';
import { draftPath, sweepDrafts } from './drafts.js';

/** What stored files need from the operating system; tests replace it. */
export interface StoredFiles {
  readonly platform: NodeJS.Platform;
  readonly mkdir: typeof mkdir;
  readonly open: typeof open;
  readonly rename: typeof rename;
  readonly rm: typeof rm;
  readonly readTextFile: (path: string) => Promise<string>;
}

export const realFiles: StoredFiles = {
  platform: process.platform,
  mkdir,
  open,
  rename,
  rm,
  readTextFile,
};

export interface AtomicWrite {
  /** Asked right before the new content takes the place of the old one. Default: yes. */
  readonly isWanted?: () => boolean;
  readonly files?: StoredFiles;
}

/**
 * Temp file, fsync, rename; mode 0600. A reader sees the old or the new content, never a part.
 * @returns whether it was still wanted and is written.
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  { isWanted = () => true, files = realFiles }: AtomicWrite = {},
): Promise<boolean> {
  await files.mkdir(dirname(path), { recursive: true });
  await sweepDrafts(dirname(path));
  const draft = draftPath(path);
  try {
    const file = await files.open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    if (isWanted()) {
      await renameOver(draft, path, files);
      return true;
    }
    await files.rm(draft, { force: true });
    return false;
  } catch (error) {
    await files.rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

const appendFlags =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/** Mode 0600; the folder exists. @throws where a link stands at the path */
export async function appendToFile(path: string, text: string): Promise<void> {
  const file = await open(path, appendFlags, 0o600);
  try {
    await file.appendFile(text);
  } finally {
    await file.close();
  }
}

/** Waits until the disk has what was written. Never rejects: without it a power failure alone can lose anything. */
export async function flushFile(path: string): Promise<void> {
  try {
    const file = await open(path, 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  } catch {
    // gone already, or no disk that can be told
  }
}

/** Whether it is what Windows says while a virus scanner or a reader has the file open, or what was deleted is open elsewhere. */
export function isBusy(
  error: unknown,
  { platform }: { readonly platform: NodeJS.Platform },
): boolean {
  return platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(errorCode(error) ?? '');
}

const firstRetryMs = 10;
const maxRetries = 7;

/** Renames; on Windows again and again, for about a second, while another program has one of the files open. */
export async function renameOver(
  from: string,
  to: string,
  files: Pick<StoredFiles, 'platform' | 'rename'> = realFiles,
): Promise<void> {
  for (let retry = 0; ; retry++) {
    try {
      await files.rename(from, to);
      return;
    } catch (error) {
      if (!isBusy(error, files) || retry === maxRetries) {
        throw error;
      }
      await delay(firstRetryMs * 2 ** retry);
    }
  }
}

/** The text of a file; undefined when there is none. @throws the system error of anything else. */
export async function readFileIfAny(
  path: string,
  files: Pick<StoredFiles, 'readTextFile'> = realFiles,
): Promise<string | undefined> {
  return files.readTextFile(path).catch(ignoreMissing);
}
