import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  attachmentOf,
  readAttachedFile,
} from '../../../../../src/agent/panel/attachments/attachedFiles.js';
import type { AttachedFile } from '../../../../../src/agent/panel/attachments/attachment.js';
import { jpegOf, pngOf } from '../../../../helpers/pictures.js';

describe('the bytes of a file', () => {
  it('say what it is, whatever its name says', () => {
    expect(attachmentOf('photo.png', jpegOf(5, 5))).toMatchObject({ mimeType: 'image/jpeg' });
    expect(attachmentOf('notes.png', Buffer.from('only words'))).toMatchObject({
      kind: 'text',
      text: 'only words',
    });
    expect(attachmentOf('a.svg', Buffer.from('<svg/>'))).toMatchObject({ kind: 'text' });
    expect(attachmentOf('a.txt', Buffer.from('\uFEFFäöü'))).toMatchObject({ text: 'äöü' });
  });

  it.each([
    ['a.pdf', Buffer.from('%PDF-1.7\n\0\u0001'), 'neither text nor a PNG, JPEG, GIF or WebP'],
    ['bomb.png', pngOf(60_000, 60_000), 'too many pixels'],
    ['half.png', pngOf(5, 5).subarray(0, 16), 'cannot be read'],
    ['big.png', Buffer.concat([pngOf(5, 5), Buffer.alloc(11 * 1024 * 1024)]), 'larger than 10 MB'],
    ['big.txt', Buffer.alloc(11 * 1024 * 1024, 'a'), 'larger than 10 MB'],
  ])('of %s are refused in words', (name, bytes, words) => {
    expect(() => attachmentOf(name, bytes)).toThrow(words);
  });
});

describe('an attached file', () => {
  let root: string;
  let folder: string;
  let outside: string;
  const read = (path: string, unsaved?: string) => {
    const file: AttachedFile = { kind: 'file', folder: 'f', name: path, path };
    const folders = () => [{ uri: 'f', name: 'w', fsPath: folder }];
    return readAttachedFile(file, { folders, editors: { unsavedText: () => unsaved } });
  };

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'attached-')));
    folder = join(root, 'w');
    outside = join(root, 'secret.txt');
    await mkdir(join(folder, 'src'), { recursive: true });
    await writeFile(outside, 'secret');
    await writeFile(join(folder, 'src', 'my file#1.ts'), 'const a = 1;');
  });

  afterEach(() => rm(root, { recursive: true }));

  it('is read when it is sent, with what an editor has not saved', async () => {
    expect(await read('src/my file#1.ts')).toMatchObject({ text: 'const a = 1;' });
    expect(await read('src/my file#1.ts', 'unsaved')).toMatchObject({ text: 'unsaved' });
  });

  it('inside of the folder may be a link, and none that leads out', async () => {
    await symlink(join(folder, 'src', 'my file#1.ts'), join(folder, 'in.ts'));
    await symlink(outside, join(folder, 'out.txt'));
    expect(await read('in.ts')).toMatchObject({ text: 'const a = 1;' });
    await expect(read('out.txt')).rejects.toThrow('leads out of the folder');
    await expect(read('../secret.txt')).rejects.toThrow('leads out of the folder');
    await expect(read(outside)).rejects.toThrow('cannot be read');
  });

  it('that has gone, or whose folder has, is named', async () => {
    await expect(read('gone.ts')).rejects.toThrow('gone.ts cannot be read');
    await expect(
      readAttachedFile(
        { kind: 'file', folder: pathToFileURL(folder).href, name: 'a', path: 'a' },
        { folders: () => [] },
      ),
    ).rejects.toThrow('cannot be read');
  });

  it('may be anywhere when the user picked it', async () => {
    const picked: AttachedFile = { kind: 'file', name: outside, path: outside };
    expect(await readAttachedFile(picked, { folders: () => [] })).toMatchObject({ text: 'secret' });
  });
});
