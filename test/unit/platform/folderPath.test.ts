import { mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pathInFolder } from '../../../src/platform/folderPath.js';
import { recordFileLookups } from '../../helpers/fileLookups.js';

let root: string;
let folder: string;
let elsewhere: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pi-mcp-folder-path-')));
  folder = join(root, 'folder');
  elsewhere = join(root, 'elsewhere');
  await mkdir(join(folder, 'sub', 'deep'), { recursive: true });
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, 'secret'), '');
  await symlink(elsewhere, join(folder, 'out'));
  await symlink('../elsewhere/secret', join(folder, 'out-file'));
  await symlink('sub/deep', join(folder, 'in'));
  await symlink(join(folder, 'sub'), join(folder, 'in-absolute'));
  await symlink('../../out', join(folder, 'sub', 'deep', 'out-later'));
  await symlink('loop', join(folder, 'loop'));
  await symlink(folder, join(root, 'opened'));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

describe('pathInFolder', () => {
  it.each([
    ['.', '.'],
    ['sub/none/at/all', 'sub/none/at/all'],
    ['in/x', 'sub/deep/x'],
    ['in/../x', 'sub/x'],
    ['in-absolute/deep', 'sub/deep'],
  ])('follows %s inside', async (path, expected) => {
    const real = join(folder, expected);
    const found = { kind: 'inside', path: real };
    expect(await pathInFolder(folder, path)).toEqual(found);
    expect(await pathInFolder(folder, `${folder}/${path}`)).toEqual(found);
    expect(await pathInFolder(join(root, 'opened'), `${root}/opened/${path}`)).toEqual(found);
  });

  it.each([
    ['out', 'out'],
    ['out/secret', 'out'],
    ['out/../folder/sub', 'out'],
    ['out-file', 'out-file'],
    ['in/out-later/x', 'out'],
    ['loop', 'loop'],
  ])('stops %s at the link that leaves', async (path, link) => {
    const lookups = recordFileLookups();
    const found = await pathInFolder(folder, path).finally(() => lookups.stop());
    expect(found).toMatchObject({ kind: 'outside' });
    expect(found).toHaveProperty('link', join(folder, link));
    expect([...lookups.touched].filter((item) => item.startsWith(elsewhere))).toEqual([]);
  });

  it.each(['..', '../elsewhere', 'sub/../../elsewhere'])('refuses %s unseen', async (path) => {
    const lookups = recordFileLookups();
    const found = await pathInFolder(folder, path).finally(() => lookups.stop());
    expect(found).toMatchObject({ kind: 'outside', link: undefined });
    expect(await pathInFolder(folder, join(root, 'elsewhere'))).toMatchObject({ kind: 'outside' });
    expect([...lookups.touched].filter((item) => item.startsWith(elsewhere))).toEqual([]);
  });

  it('would be caught by the recorder if it looked', async () => {
    const lookups = recordFileLookups();
    await stat(join(folder, 'out-file')).finally(() => lookups.stop());
    expect(lookups.touched).toContain(join(elsewhere, 'secret'));
  });
});
