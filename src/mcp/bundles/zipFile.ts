/**
 * Reads a zip archive that somebody else has packed, and refuses every one that two programs could read in two ways:
 * what is listed, in its order, without gaps, is all that there is. Nothing is written.
 */
import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { hidesText } from '../../base/text/showHidden.js';

export interface ZipEntry {
  /** With `/`, relative, without `.` and `..`. */
  readonly path: string;
  /** Bytes, unpacked. */
  readonly size: number;
  readonly isProgram: boolean;
  /** @throws {HumanError} when it is not what the archive says. */
  read(): Promise<Buffer>;
}

const maxFiles = 20_000;
const maxUnpackedBytes = 512 * 1024 * 1024;
/** Times that a file may be larger than what is packed of it; small ones may be anything. */
const maxRatio = 200;
const smallBytes = 1024 * 1024;
const maxPathBytes = 512;
const maxPartBytes = 200;

const endSize = 22;
const centralSize = 46;
const localSize = 30;
/** Level of compression, sizes behind the data, names in UTF-8. */
const knownFlags = 0b1000_0000_1110;
const sizesBehind = 0b1000;

const inflate = promisify(inflateRaw);

/**
 * The files of the archive; folders are those that they are in.
 * @param end where it ends in `bytes`
 * @throws {HumanError} `bundle_archive`
 */
export function readZip(bytes: Buffer, end = bytes.byteLength): readonly ZipEntry[] {
  const at = end - endSize;
  if (at < 0 || bytes.readUInt32LE(at) !== 0x06054b50) {
    throw noArchive();
  }
  const count = bytes.readUInt16LE(at + 10);
  const start = bytes.readUInt32LE(at + 16);
  // what a signature behind the archive adds is said as a comment by some
  const comment = bytes.readUInt16LE(at + 20);
  if (
    bytes.readUInt32LE(at + 4) !== 0 ||
    bytes.readUInt16LE(at + 8) !== count ||
    count === 0xffff ||
    start + bytes.readUInt32LE(at + 12) !== at ||
    (comment !== 0 && comment !== bytes.byteLength - end)
  ) {
    throw noArchive();
  }
  if (count > maxFiles) {
    throw tooLarge();
  }
  const headers = readHeaders(bytes, { start, end: at, count });
  assertGapless(bytes, headers, start);
  assertNames(headers);
  const total = headers.reduce((sum, { size }) => sum + size, 0);
  if (total > maxUnpackedBytes) {
    throw tooLarge();
  }
  return headers
    .filter(({ isFolder }) => !isFolder)
    .map((header) => ({
      path: header.path,
      size: header.size,
      isProgram: header.isProgram,
      read: () => unpack(bytes, header),
    }));
}

interface Header {
  readonly path: string;
  readonly isFolder: boolean;
  readonly isProgram: boolean;
  readonly flags: number;
  readonly isPacked: boolean;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
  /** Where its data begins. */
  readonly data: number;
}

function readHeaders(
  bytes: Buffer,
  { start, end, count }: { readonly start: number; readonly end: number; readonly count: number },
): readonly Header[] {
  const headers: Header[] = [];
  let at = start;
  while (headers.length < count) {
    if (at + centralSize > end || bytes.readUInt32LE(at) !== 0x02014b50) {
      throw noArchive();
    }
    const lengths = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field));
    const next = lengths.reduce((sum, length) => sum + length, at + centralSize);
    if (next > end) {
      throw noArchive();
    }
    headers.push(readHeader(bytes, at, start));
    at = next;
  }
  if (at !== end) {
    throw noArchive();
  }
  return headers;
}

function readHeader(bytes: Buffer, at: number, directory: number): Header {
  const name = bytes.subarray(at + centralSize, at + centralSize + bytes.readUInt16LE(at + 28));
  const path = pathFrom(name);
  const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)];
  const mode = bytes.readUInt16LE(at + 40);
  const [packed, size] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
  const offset = bytes.readUInt32LE(at + 42);
  const extra = at + centralSize + name.byteLength;
  const kind = mode & 0o170000;
  const isFolder = path.endsWith('/');
  const isOther = kind !== 0 && kind !== (isFolder ? 0o040000 : 0o100000);
  if (isOther || (flags & ~knownFlags) !== 0 || (method !== 0 && method !== 8)) {
    throw refused(l10n.t('"{0}" is a link, encrypted, or packed in a way that is not read', path));
  }
  const fits = !isFolder || (size === 0 && packed <= 2);
  if (
    !fits ||
    bytes.readUInt16LE(at + 34) !== 0 ||
    (method === 0 && packed !== size) ||
    [packed, size, offset].includes(0xffffffff) ||
    hasOtherMeaning(bytes.subarray(extra, extra + bytes.readUInt16LE(at + 30)))
  ) {
    throw contradicted(path);
  }
  if (size > smallBytes && size > packed * maxRatio) {
    throw tooLarge();
  }
  return {
    path: isFolder ? path.slice(0, -1) : path,
    isFolder,
    isProgram: (mode & 0o100) !== 0,
    flags,
    isPacked: method === 8,
    crc: bytes.readUInt32LE(at + 16),
    packed,
    size,
    offset,
    data: dataStart(bytes, { at, offset, name, directory, path }),
  };
}

interface LocalPlace {
  readonly at: number;
  readonly offset: number;
  readonly name: Buffer;
  readonly directory: number;
  readonly path: string;
}

/** Behind the second header of the file, which has to say the same as the first one. */
function dataStart(bytes: Buffer, { at, offset, name, directory, path }: LocalPlace): number {
  if (
    offset + localSize + name.byteLength > directory ||
    bytes.readUInt32LE(offset) !== 0x04034b50
  ) {
    throw contradicted(path);
  }
  const extra = offset + localSize + name.byteLength;
  const data = extra + bytes.readUInt16LE(offset + 28);
  const isBehind = (bytes.readUInt16LE(at + 8) & sizesBehind) !== 0;
  // crc, packed and unpacked size, which may be left to what stands behind the data
  const same = [14, 18, 22].every((field) => {
    const value = bytes.readUInt32LE(offset + field);
    return value === bytes.readUInt32LE(at + field + 2) || (isBehind && value === 0);
  });
  if (
    !same ||
    bytes.readUInt16LE(offset + 6) !== bytes.readUInt16LE(at + 8) ||
    bytes.readUInt16LE(offset + 8) !== bytes.readUInt16LE(at + 10) ||
    bytes.readUInt16LE(offset + 26) !== name.byteLength ||
    !bytes.subarray(offset + localSize, extra).equals(name) ||
    data > directory ||
    hasOtherMeaning(bytes.subarray(extra, data))
  ) {
    throw contradicted(path);
  }
  return data;
}

/** Other sizes (zip64) or another name in the fields beside; what is no field at all, too. */
function hasOtherMeaning(extra: Buffer): boolean {
  for (let at = 0; at < extra.byteLength; ) {
    if (at + 4 > extra.byteLength || [0x0001, 0x7075].includes(extra.readUInt16LE(at))) {
      return true;
    }
    at += 4 + extra.readUInt16LE(at + 2);
    if (at > extra.byteLength) {
      return true;
    }
  }
  return false;
}

function assertGapless(bytes: Buffer, headers: readonly Header[], directory: number): void {
  const sorted = headers.toSorted((a, b) => a.offset - b.offset);
  let at = 0;
  for (const { offset, data, packed, flags, path } of sorted) {
    if (offset !== at) {
      throw contradicted(path);
    }
    at = data + packed;
    if ((flags & sizesBehind) !== 0 && at + 12 <= directory) {
      at += bytes.readUInt32LE(at) === 0x08074b50 ? 16 : 12;
    }
  }
  if (at !== directory) {
    throw noArchive();
  }
}

/** No two names are one in some file system, and no file is a folder, too. */
function assertNames(headers: readonly Header[]): void {
  const known = new Map</* as every system reads it */ string, { name: string; isFile: boolean }>();
  for (const { path, isFolder } of headers) {
    const parts = path.split('/');
    for (const [index] of parts.entries()) {
      const name = parts.slice(0, index + 1).join('/');
      const key = name.normalize('NFKC').toUpperCase().toLowerCase();
      const isFile = index === parts.length - 1 && !isFolder;
      const before = known.get(key);
      if (before && (before.name !== name || before.isFile || isFile)) {
        throw refused(l10n.t('"{0}" is in it twice, or differs by case alone', path));
      }
      known.set(key, { name, isFile });
    }
  }
}

const reserved = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?:\..*)?$/i;

function pathFrom(name: Buffer): string {
  let path: string;
  try {
    path = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(name);
  } catch {
    throw noArchive();
  }
  const parts = path.replace(/\/$/, '').split('/');
  const isOdd = (part: string) =>
    part === '' ||
    /^\.{1,2}$|[. ]$|[\\<>:"|?*]/.test(part) ||
    reserved.test(part) ||
    Buffer.byteLength(part) > maxPartBytes;
  if (parts.some(isOdd) || hidesText(path) || name.byteLength > maxPathBytes) {
    throw refused(l10n.t('it holds a file of the name {0}', JSON.stringify(path.slice(0, 200))));
  }
  return path;
}

async function unpack(bytes: Buffer, header: Header): Promise<Buffer> {
  const { path, data, packed, size, isPacked, crc } = header;
  const raw = bytes.subarray(data, data + packed);
  let content = raw;
  if (isPacked) {
    try {
      // one more than it says, so that more is noticed; 0 would mean no limit
      content = (await inflate(raw, { maxOutputLength: size + 1 })) as Buffer;
    } catch {
      throw contradicted(path);
    }
  }
  if (content.byteLength !== size || crc32(content) !== crc) {
    throw contradicted(path);
  }
  return content;
}

function noArchive(): HumanError {
  return refused(l10n.t('it is no whole zip archive, or one of a kind that is not read'));
}

function tooLarge(): HumanError {
  return refused(l10n.t('it holds too many files, or unpacks to too much'));
}

function contradicted(path: string): HumanError {
  return refused(l10n.t('"{0}" is not what the archive says', path));
}

function refused(reason: string): HumanError {
  return new HumanError('bundle_archive', l10n.t('The bundle is refused: {0}.', reason), {
    remedy: l10n.t('Get it again, or ask its publisher for one that is whole.'),
  });
}
