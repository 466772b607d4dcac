/** What Pi's tools do with the one file or directory that was approved, and no other that may have come into its way. */
import { constants, type Stats } from 'node:fs';
import { access, lstat, mkdir, open, readdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../../base/errors.js';
import { assertRegularFile, readBinaryFile } from '../../platform/boundedFile.js';
import { pathInFolder } from '../../platform/folderPath.js';
import { type FileBoundary, type FilePlace, locate } from './filePlace.js';

/** Bytes. Models read parts; the whole is only in memory. */
const maxReadBytes = 64 * 1024 * 1024;

/** Bytes of a file that is kept for an undo. */
const maxKeptBytes = 5 * 1024 * 1024;

const writeFlags =
  constants.O_WRONLY |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/** What a call made of a file. */
export interface WrittenFile {
  /** `unread`: too large to be kept, or not readable. */
  readonly before: Buffer | 'absent' | 'unread';
  readonly after: Buffer;
}

/** The methods take the paths that Pi makes of the arguments, which must still lead to the approved place. */
export class PinnedFile {
  private writing: WrittenFile | undefined;

  constructor(
    private readonly boundary: FileBoundary,
    readonly place: FilePlace,
  ) {}

  /** @param opened what was opened at the place @throws when the path leads elsewhere by now */
  async assertUnchanged(path: string, opened?: Stats): Promise<void> {
    const { path: real } = await locate(this.boundary, path);
    const now = opened && (await lstat(real));
    const isSame = !now || (now.dev === opened.dev && now.ino === opened.ino);
    if (real !== this.place.path || !isSame) {
      throw changed(path);
    }
  }

  async assertRegular(): Promise<void> {
    await assertRegularFile(this.place.path);
  }

  async isThere(path: string): Promise<boolean> {
    return await this.access(path, constants.F_OK).then(
      () => true,
      () => false,
    );
  }

  async access(path: string, mode: number): Promise<void> {
    await this.assertUnchanged(path);
    await access(this.place.path, mode);
  }

  async read(path: string): Promise<Buffer> {
    return await readBinaryFile(this.place.path, maxReadBytes, (opened) =>
      this.assertUnchanged(path, opened),
    );
  }

  /** For a file that is to be written. */
  async makeFolder(): Promise<void> {
    const parent = dirname(this.place.path);
    if ((await locate(this.boundary, parent)).path !== parent) {
      throw changed(parent);
    }
    await mkdir(parent, { recursive: true });
  }

  /** What {@link write} found and wrote; `undefined` before. */
  get written(): WrittenFile | undefined {
    return this.writing;
  }

  async write(path: string, content: string): Promise<void> {
    await assertRegularFile(this.place.path).catch(allowMissing);
    const before = await this.readBefore(path);
    const file = await open(this.place.path, writeFlags, 0o666);
    try {
      // before anything is changed
      await this.assertUnchanged(path, await file.stat());
      await file.truncate(0);
      this.writing = { before, after: Buffer.from(content) };
      await file.writeFile(content);
    } finally {
      await file.close();
    }
  }

  private async readBefore(path: string): Promise<WrittenFile['before']> {
    try {
      return await readBinaryFile(this.place.path, maxKeptBytes, (opened) =>
        this.assertUnchanged(path, opened),
      );
    } catch (error) {
      // whether it may be written is seen when it is opened for that
      return errorCode(error) === 'ENOENT' ? 'absent' : 'unread';
    }
  }

  /** Of a file that a search found below the place. */
  async readFound(path: string): Promise<string> {
    const below = await readBinaryFile(path, maxReadBytes, async (opened) => {
      const { path: real } = await locate(this.boundary, path);
      const { dev, ino } = await lstat(real);
      if (real !== path || dev !== opened.dev || ino !== opened.ino) {
        throw changed(path);
      }
    });
    return below.toString('utf8');
  }

  async list(path: string): Promise<string[]> {
    const before = await lstat(this.place.path);
    const names = await readdir(this.place.path);
    await this.assertUnchanged(path, before);
    return names;
  }

  /** Of the place or an entry in it. What a link of the folder leads to is not looked at outside. */
  async look(path: string): Promise<Stats> {
    const found = await pathInFolder(this.boundary.folder, path);
    if (found.kind === 'inside') {
      return await stat(found.path);
    }
    return this.boundary.mayLookOutside ? await stat(path) : await lstat(path);
  }
}

function changed(path: string): Error {
  return new Error(`${path} leads elsewhere than when it was approved. Call the tool again.`);
}

function allowMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') {
    throw error;
  }
}
