/** What Pi's tools do with the one file or directory that was approved, and no other that may have come into its way. */
import { constants, type Stats } from 'node:fs';
import { access, lstat, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, ignoreMissing } from '../../base/errors.js';
import { assertRegularFile, readBinaryFile } from '../../platform/boundedFile.js';
import { pathInFolder } from '../../platform/folderPath.js';
import { replaceFile } from '../../platform/stores/replacedFile.js';
import { maxBlobBytes } from '../changes/blobs.js';
import type { OpenEditors, WriteJournal } from '../changes/ports.js';
import { type Content, sameContent } from '../changes/version.js';
import { type FileBoundary, type FilePlace, locate } from './filePlace.js';

/** Bytes. Models read parts; the whole is only in memory. */
const maxReadBytes = 64 * 1024 * 1024;

/** What a call made of a file. */
export interface WrittenFile {
  readonly before: Content;
  readonly after: Content;
  /** An editor held changes that were not saved. */
  readonly wasUnsaved: boolean;
  /** It is not what was to be written, as an editor formats what it saves. */
  readonly isChangedBySaving: boolean;
}

export interface PinnedFileParts {
  /** Default: none is open. */
  readonly editors?: OpenEditors | undefined;
  /** Default: nobody is told of what is written. */
  readonly journal?: WriteJournal | undefined;
  /** Whether what would be written now may be, by what was approved. Default: it may. */
  readonly mayWrite?: (texts: {
    readonly before: string | undefined;
    readonly after: string;
  }) => Promise<boolean>;
}

/** The methods take the paths that Pi makes of the arguments, which must still lead to the approved place. */
export class PinnedFile {
  private writing: WrittenFile | undefined;
  /** What the tool was given, and bases what it writes on. */
  private lastRead: Buffer | undefined;

  constructor(
    private readonly boundary: FileBoundary,
    readonly place: FilePlace,
    private readonly parts: PinnedFileParts = {},
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
    const unsaved = this.parts.editors?.unsavedText(this.place.path);
    if (unsaved !== undefined) {
      await this.assertUnchanged(path);
      this.lastRead = Buffer.from(unsaved);
      return this.lastRead;
    }
    this.lastRead = await readBinaryFile(this.place.path, maxReadBytes, (opened) =>
      this.assertUnchanged(path, opened),
    );
    return this.lastRead;
  }

  /** For a file that is to be written. */
  async makeFolder(): Promise<void> {
    const parent = dirname(this.place.path);
    if ((await locate(this.boundary, parent)).path !== parent) {
      throw changed(parent);
    }
    await mkdir(parent, { recursive: true });
  }

  /** What {@link write} found and left; `undefined` before. */
  get written(): WrittenFile | undefined {
    return this.writing;
  }

  /** @param expected what the file must hold; default: what was read from it. @throws otherwise */
  async write(path: string, content: string | Buffer, expected?: Content): Promise<void> {
    const { editors, journal } = this.parts;
    await assertRegularFile(this.place.path).catch(ignoreMissing);
    await this.assertUnchanged(path);
    const before = await this.current(path);
    if (before === 'unread') {
      throw new Error(`${path} was left as it is: what it holds cannot be read, or is too large.`);
    }
    assertSame(path, before, expected ?? this.lastRead);
    await this.assertApproved(path, before, content);
    await journal?.begin(this.place.path, before);
    const unsaved = editors?.unsavedText(this.place.path);
    try {
      if (unsaved === undefined) {
        await this.writeToDisk(path, content, before);
      } else {
        // what came meanwhile was not kept
        assertSame(path, await this.current(path), before);
        await editors?.replaceAndSave(this.place.path, content.toString());
      }
    } finally {
      const after = await this.onDisk(path);
      const isChangedBySaving = unsaved !== undefined && !sameContent(after, Buffer.from(content));
      this.writing = { before, after, wasUnsaved: unsaved !== undefined, isChangedBySaving };
      await journal?.end(after);
    }
  }

  /** What was approved may have come to start something, by what other calls wrote. */
  private async assertApproved(path: string, now: Content, content: string | Buffer) {
    const before = Buffer.isBuffer(now) ? now.toString() : undefined;
    // what was not read is not known, and a manifest that is nothing starts nothing
    const texts = { before: now === 'unread' ? '?' : before, after: content.toString() };
    if ((await this.parts.mayWrite?.(texts)) === false) {
      throw changed(path);
    }
  }

  /** @throws when the file does not hold `expected` any more */
  async remove(path: string, expected: Content): Promise<void> {
    await this.assertUnchanged(path);
    assertSame(path, await this.current(path), expected);
    await (this.parts.editors?.moveToTrash(this.place.path) ?? rm(this.place.path));
  }

  private async writeToDisk(path: string, content: string | Buffer, before: Content) {
    await replaceFile(this.place.path, content, {
      kept: Buffer.isBuffer(before) ? before : undefined,
      isWanted: async (now) => {
        await this.assertUnchanged(path, now);
        // what came meanwhile was not kept
        assertSame(path, await this.onDisk(path), before);
        return true;
      },
    });
  }

  /** With what an editor has not saved. */
  private async current(path: string): Promise<Content> {
    const unsaved = this.parts.editors?.unsavedText(this.place.path);
    return unsaved === undefined ? await this.onDisk(path) : Buffer.from(unsaved);
  }

  private async onDisk(path: string): Promise<Content> {
    try {
      return await readBinaryFile(this.place.path, maxBlobBytes, (opened) =>
        this.assertUnchanged(path, opened),
      );
    } catch (error) {
      // whether it may be written is seen when it is opened for that
      return ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '') ? 'absent' : 'unread';
    }
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

/** @throws when others wrote meanwhile; what is not known is not compared */
function assertSame(path: string, now: Content, expected: Content | undefined): void {
  if (expected !== undefined && now !== 'unread' && expected !== 'unread') {
    if (!sameContent(now, expected)) {
      throw new Error(`${path} was changed meanwhile. Read it again.`);
    }
  }
}

function changed(path: string): Error {
  return new Error(`${path} leads elsewhere than when it was approved. Call the tool again.`);
}
