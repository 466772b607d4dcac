/** Contents of files by their hash, in a folder of one conversation, which is far from any workspace. */
import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Sequencer } from '../../base/async/sequencer.js';
import { readBinaryFile } from '../../platform/boundedFile.js';
import { isThere } from '../../platform/folderPath.js';
import { writeFileAtomic } from '../../platform/stores/storedFile.js';
import { absent, type Content, unread, type Version } from './version.js';

/** Bytes of a file; larger ones are only named. As much as a model can edit. */
export const maxBlobBytes = 64 * 1024 * 1024;
/** Bytes by which packing may make the largest one larger. */
const packingBytes = 64 * 1024;
/** Bytes on disk of one conversation. */
const maxTotalBytes = 200 * 1024 * 1024;
/** Milliseconds: what was stored since then is never given up, as it may be about to be written over. */
const freshMs = 10 * 60 * 1000;
/** Bytes; smaller ones are stored as they are. */
const minZippedBytes = 4096;
/** Bytes; larger ones are packed fast rather than well, since a write waits for it. */
const fastZippedBytes = 2 * 1024 * 1024;

const zip = promisify(gzip);
const unzip = promisify(gunzip);

export class BlobStore {
  private readonly known = new Map<Version, /* when it was stored last, milliseconds */ number>();
  private readonly work = new Sequencer();
  private total: number | undefined;

  /**
   * @param directory absolute; made when it is needed
   * @param needed what is given up last, for other contents; asked when there is no room left
   * @param maxBytes on disk
   */
  constructor(
    private readonly directory: string,
    private readonly needed: () => ReadonlySet<Version> = () => new Set(),
    private readonly maxBytes = maxTotalBytes,
  ) {}

  /** @returns `unread` for what is too large to be kept @throws when it cannot be written */
  store(content: Content): Promise<Version> {
    return this.work.queue(() => this.storeNow(content));
  }

  private async storeNow(content: Content): Promise<Version> {
    if (!Buffer.isBuffer(content)) {
      return content === 'absent' ? absent : unread;
    }
    const version = hashOf(content);
    if (content.byteLength > maxBlobBytes) {
      return unread;
    }
    const isZipped = content.byteLength > minZippedBytes;
    const name = `${version}${isZipped ? '.gz' : ''}`;
    // another conversation may have needed the room
    const isKept = this.known.has(version) && (await isThere(join(this.directory, name)));
    if (isKept || Buffer.isBuffer(await this.load(version))) {
      this.known.set(version, Date.now());
      return version;
    }
    const level = content.byteLength > fastZippedBytes ? 1 : 6;
    const bytes = isZipped ? await zip(content, { level }) : content;
    if (!(await this.makeRoom(bytes.byteLength))) {
      return unread;
    }
    await this.write(name, bytes);
    this.total = (this.total ?? 0) + bytes.byteLength;
    this.known.set(version, Date.now());
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
      const bytes = await readBinaryFile(join(this.directory, name), maxBlobBytes + packingBytes);
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

  /** Gives up the oldest contents. @returns whether there is room now */
  private async makeRoom(bytes: number): Promise<boolean> {
    if (this.total !== undefined && this.total + bytes <= this.maxBytes) {
      return true;
    }
    const stored = await this.stored();
    this.total = stored.reduce((total, { size }) => total + size, 0);
    const needed = this.needed();
    const fresh = Date.now() - freshMs;
    const isSpare = ({ version, touched }: StoredBlob) =>
      !needed.has(version) && touched < fresh && (this.known.get(version) ?? 0) < fresh;
    const spare = stored.filter(isSpare);
    for (const { path, version, size } of spare.sort((a, b) => a.touched - b.touched)) {
      if (this.total + bytes <= this.maxBytes) {
        break;
      }
      await rm(path, { force: true });
      this.known.delete(version);
      this.total -= size;
    }
    return this.total + bytes <= this.maxBytes;
  }

  private async stored(): Promise<readonly StoredBlob[]> {
    const names: readonly string[] = await readdir(this.directory).catch(() => []);
    const stored = names.map(async (name): Promise<StoredBlob | undefined> => {
      const path = join(this.directory, name);
      // another window may give it up at this moment
      const found = await lstat(path).catch(() => undefined);
      const version = name.replace(/\.gz$/, '');
      return found && { path, version, size: found.size, touched: found.mtimeMs };
    });
    return (await Promise.all(stored)).filter((one) => one !== undefined);
  }
}

interface StoredBlob {
  readonly path: string;
  readonly version: Version;
  /** Bytes on disk. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly touched: number;
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
