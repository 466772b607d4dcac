/**
 * The one way in which an undo, a redo and a restore write files: what they hold is kept before, as a moment to which
 * they can be taken back, and a crash in between is seen.
 */
import { randomUUID } from 'node:crypto';
import { errorMessage } from '../../../base/errors.js';
import type { FileLinks, UndoneFile } from '../changeState.js';
import type { Checkpoint, Links } from '../history.js';
import { notKept, type RecordedFiles } from '../recordedFiles.js';
import { type Content, sameContent, unread } from '../version.js';

export interface FileReplacement {
  readonly path: string;
  readonly now: Content;
  readonly after: Buffer | 'absent';
  /** What is under review once the file holds that. */
  readonly linksAfter: (written: Content) => Promise<Links>;
}

export interface Replaced {
  /** Why a file was left as it was, by path. */
  readonly failures: ReadonlyMap</* path */ string, string>;
  readonly undone: readonly UndoneFile[];
  readonly files: readonly FileLinks[];
}

/** Never rejects for a file. The caller records what was done, also where that is nothing. */
export async function replaceFiles(
  recorded: RecordedFiles,
  kind: Exclude<Checkpoint['kind'], 'message'>,
  wanted: readonly FileReplacement[],
): Promise<Replaced> {
  const failures = new Map<string, string>();
  const undone: UndoneFile[] = [];
  const files: FileLinks[] = [];
  const safe: (FileReplacement & UndoneFile)[] = [];
  for (const one of wanted) {
    const [from, to] = [await recorded.store(one.now), await recorded.store(one.after)];
    if (from === unread || to === unread) {
      failures.set(one.path, notKept());
    } else {
      safe.push({ ...one, from, to, links: recorded.state?.files.get(one.path) ?? [] });
    }
  }
  if (safe.length > 0 && !(await begin(recorded, kind, safe))) {
    return { failures: new Map(wanted.map(({ path }) => [path, notKept()])), undone, files };
  }
  for (const { path, now, after, from, to, links, linksAfter } of safe) {
    const reason = await write(recorded, { path, now, after });
    const written = await recorded.files.read(path);
    // what else it holds after a failure is of somebody else; an editor may change further what it saves
    const isWritten =
      reason === undefined ? !sameContent(written, now) : sameContent(written, after);
    if (isWritten) {
      const left = written === 'unread' ? to : await recorded.store(written);
      undone.push({ path, from, to: left, links });
      files.push({ path, links: await linksAfter(written) });
    }
    if (reason !== undefined) {
      failures.set(path, reason);
    }
  }
  return { failures, undone, files };
}

/** @returns whether the disk has what is about to be done */
async function begin(
  recorded: RecordedFiles,
  kind: Exclude<Checkpoint['kind'], 'message'>,
  safe: readonly UndoneFile[],
): Promise<boolean> {
  const files = safe.map(({ path, from, to, links }) => ({ path, from, to, links }));
  const moment = { id: randomUUID(), time: Date.now() };
  return await recorded.add({ type: 'restore', by: kind, ...moment, files });
}

/** @returns why it failed, if it did */
async function write(
  recorded: RecordedFiles,
  { path, now, after }: Pick<FileReplacement, 'path' | 'now' | 'after'>,
): Promise<string | undefined> {
  try {
    await recorded.files.write(path, after, now);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/**
 * What a redo brings back after another undo: what that one took away, and what earlier ones did. A file that was undone
 * twice in a row is brought back to before the first time.
 */
export function withUndone(
  before: readonly UndoneFile[],
  fresh: readonly UndoneFile[],
): readonly UndoneFile[] {
  const joined = fresh.map((file) => {
    const earlier = before.find(({ path }) => path === file.path);
    return earlier?.to === file.from ? { ...file, from: earlier.from, links: earlier.links } : file;
  });
  const paths = new Set(fresh.map(({ path }) => path));
  return [...before.filter(({ path }) => !paths.has(path)), ...joined];
}
