/** Contents of files by their hash, in a folder of one conversation, which is far from any workspace. */
import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { readBinaryFile } from '../../platform/boundedFile.js';
import { writeFileAtomic } from '../../platform/stores/storedFile.js';
import { absent, type Content, unread, type Version } from './version.js';

/** Bytes of a file; larger ones are only named. */
export const maxBlobBytes = 5 * 1024 * 1024;
/** Bytes on disk of one conversation. */
const maxTotalBytes = 200 * 1024 * 1024;
/** Bytes; smaller ones are stored as they are. */
const minZippedBytes = 4096;

const zip = promisify(gzip);
const unzip = promisify(gunzip);

export class BlobStore {
  private readonly known = new Set<Version>();
  private total: Promise<number> | undefined;

  /** @param directory absolute; made when it is needed */
  constructor(private readonly directory: string) {}

  /** @returns `unread` for what is too large to be kept @throws when it cannot be written */
  async store(content: Content): Promise<Version> {
    if (!Buffer.isBuffer(content)) {
      return content === 'absent' ? absent : unread;
    }
    const version = hashOf(content);
    if (content.byteLength > maxBlobBytes) {
      return unread;
    }
    if (this.known.has(version) || Buffer.isBuffer(await this.load(version))) {
      this.known.add(version);
      return version;
    }
    const isZipped = content.byteLength > minZippedBytes;
    const bytes = isZipped ? await zip(content) : content;
    this.total ??= this.sizeOnDisk();
    const total = (await this.total) + bytes.byteLength;
    if (total > maxTotalBytes) {
      return unread;
    }
    this.total = Promise.resolve(total);
    await this.write(`${version}${isZipped ? '.gz' : ''}`, bytes);
    this.known.add(version);
    return version;
  }

  /** `unread` for what is gone or damaged: a version is what its hash says, or nothing. */
  async load(version: Version): Promise<Content> {
    if (version === absent || version === unread) {
      return version === absent ? 'absent' : 'unread';
    }
    if (!/^[0-9a-f]{64}$/.test(version)) {
      return 'unread';
    }
    for (const name of [version, `${version}.gz`]) {
      const content = await this.read(name);
      if (content && hashOf(content) === version) {
        return content;
      }
    }
    return 'unread';
  }

  private async read(name: string): Promise<Buffer | undefined> {
    try {
      const bytes = await readBinaryFile(join(this.directory, name), maxBlobBytes + minZippedBytes);
      return name.endsWith('.gz') ? await unzip(bytes, { maxOutputLength: maxBlobBytes }) : bytes;
    } catch {
      // not there, or nothing that was stored
      return undefined;
    }
  }

  private async write(name: string, bytes: Buffer): Promise<void> {
    await makeOwnFolder(dirname(this.directory));
    await makeOwnFolder(this.directory);
    // takes the place of a link, too, and leaves what it led to alone
    await writeFileAtomic(join(this.directory, name), bytes);
  }

  private async sizeOnDisk(): Promise<number> {
    const names = await readdir(this.directory).catch(() => []);
    const sizes = names.map(async (name) => (await lstat(join(this.directory, name))).size);
    return (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
  }
}

/** @throws when something else is there, such as a link to elsewhere */
export async function makeOwnFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (!(await lstat(path)).isDirectory()) {
    throw new Error(`${path} is no folder of its own.`);
  }
}

function hashOf(bytes: Buffer): Version {
  return createHash('sha256').update(bytes).digest('hex');
}
