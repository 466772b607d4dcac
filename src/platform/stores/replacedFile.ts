/**
 * Writes files of the user so that a crash at any moment leaves them whole, as they were or as they are to be: beside
 * them, and then renamed. What a rename would change is looked at first: owner, mode, further names, access lists and
 * other attributes. Where it would, the file itself is written, and only if somebody has kept what it holds.
 */
import { execFile } from 'node:child_process';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { errorCode, ignoreMissing } from '../../base/errors.js';
import { assertRegularFile } from '../boundedFile.js';
import { draftPath, sweepDrafts } from './drafts.js';
import { renameOver } from './storedFile.js';

/** What replacing needs from the operating system; tests replace it. */
export interface ReplacingFiles {
  readonly platform: NodeJS.Platform;
  readonly link: typeof link;
  readonly open: typeof open;
  readonly rename: typeof rename;
  /** Makes the mode, owner and attributes of the first file those of the second. @throws when it cannot */
  readonly copyAttributes: (from: string, to: string) => Promise<void>;
}

export interface Replacement {
  /** Asked right before the content takes its place, with what stands there. Default: yes. */
  readonly isWanted?: (now: Stats | undefined) => Promise<boolean>;
  /** Of a new file. Default: as the process mask says. */
  readonly newMode?: number | undefined;
  /** What the mode of a file that is there is cut to. Default: it stays. */
  readonly modeMask?: number | undefined;
  /**
   * What the file holds, which the caller has kept elsewhere, so that the file itself may be written where none can take
   * its place. Default: it is not written then.
   */
  readonly kept?: Buffer | undefined;
  readonly files?: ReplacingFiles;
}

const noFollow = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** A mount point, another file system, or a folder that takes no other file. */
const unmovable = new Set(['EBUSY', 'EXDEV', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP']);

/**
 * The folder exists. @param path absolute, and no link
 * @returns whether it was still wanted and is written. @throws with the file as it was
 */
export async function replaceFile(
  path: string,
  content: string | Buffer,
  replacement: Replacement = {},
): Promise<boolean> {
  const {
    isWanted = async () => true,
    newMode,
    modeMask,
    kept,
    files = realReplacing,
  } = replacement;
  const bytes = Buffer.from(content);
  const before = await lookAt(path);
  if (before) {
    await assertWritable(path, files);
  }
  await sweepDrafts(dirname(path));
  const draft = draftPath(path);
  try {
    const isAlike = await writeDraft(draft, bytes, { path, before, newMode, modeMask, files });
    if (before && kept && !isAlike) {
      await rm(draft, { force: true });
      return await writeItself(path, bytes, { kept, isWanted, files });
    }
    if (!(await isWanted(await lookAt(path)))) {
      await rm(draft, { force: true });
      return false;
    }
    await place(draft, path, { isNew: !before, files });
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    if (before && kept && unmovable.has(errorCode(error) ?? '')) {
      return await writeItself(path, bytes, { kept, isWanted, files });
    }
    throw error;
  }
  await syncFolder(dirname(path));
  return true;
}

/** `undefined`: there is none. @throws for what is no file */
async function lookAt(path: string): Promise<Stats | undefined> {
  const look = assertRegularFile(path).then(() => lstat(path));
  return look.catch(ignoreMissing);
}

/** A file that must not be written must not be replaced either. */
async function assertWritable(path: string, files: ReplacingFiles): Promise<void> {
  const file = await files.open(path, constants.O_WRONLY | noFollow);
  await file.close();
}

/** @returns whether nothing but the content tells it from the file before */
async function writeDraft(
  draft: string,
  bytes: Buffer,
  {
    path,
    before,
    newMode,
    modeMask,
    files,
  }: Pick<Replacement, 'newMode' | 'modeMask'> & {
    readonly path: string;
    readonly before: Stats | undefined;
    readonly files: ReplacingFiles;
  },
): Promise<boolean> {
  const file = await files.open(draft, 'wx', before ? 0o600 : (newMode ?? 0o666));
  try {
    const isAlike = !before || (await makeAlike(file, draft, { path, before, files }));
    if (before && modeMask !== undefined && files.platform !== 'win32') {
      await file.chmod(before.mode & modeMask);
    }
    await file.truncate(0);
    await file.writeFile(bytes);
    await file.sync();
    return isAlike;
  } finally {
    await file.close();
  }
}

async function makeAlike(
  file: FileHandle,
  draft: string,
  {
    path,
    before,
    files,
  }: { readonly path: string; readonly before: Stats; readonly files: ReplacingFiles },
): Promise<boolean> {
  const hasAttributes = await files.copyAttributes(path, draft).then(
    () => true,
    () => false,
  );
  if (files.platform === 'win32') {
    return hasAttributes && before.nlink === 1;
  }
  await file.chown(before.uid, before.gid).catch(() => undefined);
  await file.chmod(before.mode & 0o7777);
  const [{ uid, gid, mode }, folder] = [await file.stat(), await lstat(dirname(path))];
  return (
    hasAttributes &&
    before.nlink === 1 &&
    before.dev === folder.dev &&
    uid === before.uid &&
    gid === before.gid &&
    mode === before.mode
  );
}

async function place(
  draft: string,
  path: string,
  { isNew, files }: { readonly isNew: boolean; readonly files: ReplacingFiles },
): Promise<void> {
  if (isNew) {
    try {
      // takes the place of nothing that came meanwhile
      await files.link(draft, path);
      await rm(draft, { force: true });
      return;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') {
        throw error;
      }
      // a file system without further names
    }
  }
  await renameOver(draft, path, files);
}

/** Its end first, so that a disk without room for it leaves everything as it is. */
async function writeItself(
  path: string,
  bytes: Buffer,
  {
    kept,
    isWanted,
    files,
  }: Required<Pick<Replacement, 'isWanted'>> & {
    readonly kept: Buffer;
    readonly files: ReplacingFiles;
  },
): Promise<boolean> {
  const file = await files.open(path, constants.O_WRONLY | noFollow);
  try {
    if (!(await isWanted(await file.stat()))) {
      return false;
    }
    const { length } = kept;
    try {
      await writeAt(file, bytes.subarray(length), length);
    } catch (error) {
      await file.truncate(length).catch(() => undefined);
      throw error;
    }
    try {
      await writeAt(file, bytes.subarray(0, length), 0);
      await file.truncate(bytes.length);
      await file.sync();
      return true;
    } catch (error) {
      await writeAt(file, kept, 0)
        .then(() => file.truncate(length))
        .catch(() => undefined);
      throw error;
    }
  } finally {
    await file.close();
  }
}

async function writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at);
    at += bytesWritten;
  }
}

/** The rename itself has happened; not every system can say that the disk has it. */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r');
    await folder.sync().finally(() => folder.close());
  } catch {
    // Windows
  }
}

const run = promisify(execFile);

/** Node reads no access lists and attributes, so the system's own program copies them; Windows keeps none here. */
async function copyAttributes(from: string, to: string): Promise<void> {
  const options = { env: { LC_ALL: 'C' }, timeout: 10_000 };
  // not by PATH, which may lead into the folder of a project
  if (process.platform === 'linux') {
    const kept = '--preserve=mode,ownership,xattr';
    await run('/bin/cp', ['--attributes-only', kept, '--', from, to], options);
  } else if (process.platform !== 'win32') {
    await run('/bin/cp', ['-p', from, to], options);
  }
}

export const realReplacing: ReplacingFiles = {
  platform: process.platform,
  link,
  open,
  rename,
  copyAttributes,
};
