/**
 * Files that are being written, beside those whose place they are to take. Their names tell who writes them, so that
 * what a killed writer left goes with the next one in the same folder, and nothing else does.
 */
import { randomUUID } from 'node:crypto';
import { lstat, readdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { bootSession, isUnusedPid } from '../bootSession.js';
import { readKernelFileSync } from '../boundedFile.js';

/** Characters of the name of the other file; the whole must fit into a name. */
const maxNameLength = 40;
/** Milliseconds after which one of another session of the machine counts as left behind: nobody writes for that long. */
const foreignMs = 24 * 60 * 60 * 1000;

const shape = /^\..*\.(\d+)-(\d+)-([\da-f]{16})-[\da-f]{8}\.tmp$/;

/** Another one for each call. @param path absolute; of the file that is to be replaced */
export function draftPath(path: string): string {
  const { pid } = process;
  const writer = `${pid}-${startOf(pid)}-${bootSession()}`;
  const name = basename(path).slice(0, maxNameLength);
  return join(dirname(path), `.${name}.${writer}-${randomUUID().slice(0, 8)}.tmp`);
}

/** Deletes what writers that are gone left in the folder. Never rejects. */
export async function sweepDrafts(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    const [, pid, start, session] = shape.exec(name) ?? [];
    if (pid !== undefined && session !== undefined) {
      await sweep(join(directory, name), { pid: Number(pid), start: start ?? '', session });
    }
  }
}

interface Writer {
  readonly pid: number;
  readonly start: string;
  readonly session: string;
}

async function sweep(path: string, writer: Writer): Promise<void> {
  try {
    const stats = await lstat(path);
    const isLeft =
      writer.session === bootSession() ? isGone(writer) : Date.now() - stats.mtimeMs > foreignMs;
    if (stats.isFile() && isLeft) {
      await unlink(path);
    }
  } catch {
    // gone already, or not ours to delete
  }
}

function isGone({ pid, start }: Writer): boolean {
  const now = startOf(pid);
  const isOther = start !== unknownStart && now !== unknownStart && now !== start;
  return isOther || isUnusedPid(pid);
}

const unknownStart = '0';

/** When a process started, as Linux counts it; elsewhere it is not known without asking another program. */
function startOf(pid: number): string {
  try {
    const stat = readKernelFileSync(`/proc/${pid}/stat`);
    // the name in parentheses may hold anything; what follows begins with the 3rd field, and this is the 22nd
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? unknownStart;
  } catch {
    return unknownStart;
  }
}
