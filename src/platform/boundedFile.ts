/**
 * The only code that reads files. What stands under a path may be a link to an endless device, a pipe that nobody
 * writes to, or larger than the memory: only regular files are read, and never more than the bound and one byte.
 *
 * Everything here throws Node's own error when there is no such file or it may not be read, and {@link HumanError}
 * `not_a_file` or `file_too_large`.
 */
import {
  close,
  closeSync,
  constants,
  fstat,
  fstatSync,
  open,
  openSync,
  read,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as l10n from '@vscode/l10n';
import type { ErrorCode } from '../base/errorCodes.js';
import { HumanError } from '../base/errors.js';

/** Bytes. Nothing that people write by hand, nor a small file of ours, comes near. */
const defaultMaxFileBytes = 8 * 1024 * 1024;

// a pipe without a writer would keep the opening waiting, and a terminal would become ours (neither is on Windows)
const openFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

const chunkBytes = 64 * 1024;

/** For whoever leaves the reading to others. */
export async function assertRegularFile(path: string): Promise<void> {
  refuseSpecial(await stat(path), path);
}

/** UTF-8; what is not becomes U+FFFD. */
export async function readTextFile(path: string, maxBytes = defaultMaxFileBytes): Promise<string> {
  return (await readBinaryFile(path, maxBytes)).toString('utf8');
}

/** @param accept rejects for another file than was meant; nothing was read then */
export async function readBinaryFile(
  path: string,
  maxBytes = defaultMaxFileBytes,
  accept?: (opened: Stats) => Promise<void>,
): Promise<Buffer> {
  return await withRegularFile(path, async (file, stats) => {
    await accept?.(stats);
    const { size } = stats;
    refuseLarger(size, maxBytes, path);
    const bytes = await readUpTo(file, maxBytes + 1, size);
    refuseLarger(bytes.byteLength, maxBytes, path);
    return bytes;
  });
}

/** For callers that cannot wait; see {@link readTextFile}. */
export function readTextFileSync(path: string, maxBytes = defaultMaxFileBytes): string {
  // opening a device can already change it, so it is looked at before and, as it may be another one then, behind
  refuseSpecial(statSync(path), path);
  const file = openSync(path, openFlags);
  try {
    const stats = fstatSync(file);
    refuseSpecial(stats, path);
    refuseLarger(stats.size, maxBytes, path);
    const bytes = readUpToSync(file, maxBytes + 1, stats.size);
    refuseLarger(bytes.byteLength, maxBytes, path);
    return bytes.toString('utf8');
  } finally {
    closeSync(file);
  }
}

const kernelBuffer = Buffer.allocUnsafe(chunkBytes);

/** A file below `/proc`, where no devices and pipes are and no size is known: hundreds are read in one go. */
export function readKernelFileSync(path: string): string {
  const file = openSync(path, openFlags);
  try {
    let used = 0;
    while (used < chunkBytes) {
      const bytesRead = readSync(file, kernelBuffer, used, chunkBytes - used, null);
      if (bytesRead === 0) {
        return kernelBuffer.toString('utf8', 0, used);
      }
      used += bytesRead;
    }
    const rest = readUpToSync(file, defaultMaxFileBytes, 0);
    return Buffer.concat([kernelBuffer, rest]).toString('utf8');
  } finally {
    closeSync(file);
  }
}

/** The first `length` bytes, or the whole file when it is shorter. */
export async function readFileStart(path: string, length: number): Promise<Buffer> {
  return await withRegularFile(path, (file, { size }) => readUpTo(file, length, size));
}

/** The lines among the first `maxBytes` of the file, read no further than they are taken. */
export async function* readFileLines(path: string, maxBytes: number): AsyncGenerator<string> {
  const { file } = await openRegular(path);
  try {
    const decoder = new TextDecoder();
    const buffer = Buffer.allocUnsafe(chunkBytes);
    const pending: string[] = [];
    let left = maxBytes;
    let bytesRead = 0;
    do {
      ({ bytesRead } = await readInto(file, buffer, 0, Math.min(chunkBytes, left), null));
      left -= bytesRead;
      const [first = '', ...others] = decoder
        .decode(buffer.subarray(0, bytesRead), { stream: bytesRead > 0 })
        .split('\n');
      pending.push(first);
      for (const next of others) {
        yield pending.splice(0).join('');
        pending.push(next);
      }
    } while (bytesRead > 0 && left > 0);
    yield pending.join('');
  } finally {
    await closeFile(file);
  }
}

// callbacks cost less than file handles: a window reads hundreds of files before it shows anything
const openFile = promisify(open);
const statFile = promisify(fstat);
const closeFile = promisify(close);
const readInto = promisify(read);

async function withRegularFile<T>(
  path: string,
  use: (file: number, stats: Stats) => Promise<T>,
): Promise<T> {
  const { file, stats } = await openRegular(path);
  try {
    return await use(file, stats);
  } finally {
    await closeFile(file);
  }
}

async function openRegular(path: string): Promise<{ file: number; stats: Stats }> {
  refuseSpecial(await stat(path), path);
  const file = await openFile(path, openFlags);
  try {
    const stats = await statFile(file);
    refuseSpecial(stats, path);
    return { file, stats };
  } catch (error) {
    await closeFile(file);
    throw error;
  }
}

/** @param size as the system says; files of the kernel say 0 whatever they hold */
async function readUpTo(file: number, maxBytes: number, size: number): Promise<Buffer> {
  let buffer = firstBuffer(maxBytes, size);
  for (let used = 0; ; buffer = withRoom(buffer, used, maxBytes)) {
    const { bytesRead } = await readInto(file, buffer, used, buffer.byteLength - used, null);
    used += bytesRead;
    if (bytesRead === 0 || used === maxBytes || used === size) {
      return buffer.subarray(0, used);
    }
  }
}

/** See {@link readUpTo}. */
function readUpToSync(file: number, maxBytes: number, size: number): Buffer {
  let buffer = firstBuffer(maxBytes, size);
  for (let used = 0; ; buffer = withRoom(buffer, used, maxBytes)) {
    const bytesRead = readSync(file, buffer, used, buffer.byteLength - used, null);
    used += bytesRead;
    if (bytesRead === 0 || used === maxBytes || used === size) {
      return buffer.subarray(0, used);
    }
  }
}

function firstBuffer(maxBytes: number, size: number): Buffer {
  return Buffer.allocUnsafe(Math.min(maxBytes, size || chunkBytes));
}

function withRoom(buffer: Buffer, used: number, maxBytes: number): Buffer {
  if (used < buffer.byteLength) {
    return buffer;
  }
  const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(chunkBytes, used * 2)));
  buffer.copy(larger);
  return larger;
}

function refuseSpecial(stats: Stats, path: string): void {
  if (!stats.isFile()) {
    throw refused('not_a_file', l10n.t('{0} is not a regular file.', path));
  }
}

function refuseLarger(bytes: number, maxBytes: number, path: string): void {
  if (bytes > maxBytes) {
    const most = Math.floor(maxBytes / 1024);
    throw refused('file_too_large', l10n.t('{0} is larger than {1}.', path, `${most} KiB`));
  }
}

function refused(code: ErrorCode, message: string): HumanError {
  const remedy = l10n.t('Put another file in its place, or remove it.');
  return new HumanError(code, message, { remedy });
}
