import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, symlink, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BlobStore, makeOwnFolder } from '../../../../src/agent/changes/blobs.js';

// else a file before it in the same worker has loaded what is put in place here
vi.hoisted(() => vi.resetModules());
/** Path of what another window deletes as soon as somebody asks about it. */
const deleted = vi.hoisted(() => ({ path: '' }));
vi.mock('node:fs/promises', async (load) => {
  const real = await load<typeof import('node:fs/promises')>();
  const lstat = async (path: string) => {
    if (path === deleted.path) {
      await real.rm(path);
    }
    return await real.lstat(path);
  };
  return { ...real, lstat };
});

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pi-mcp-blobs-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const content = (letter: string) => Buffer.from(letter.repeat(1000));
const needed = new Set<string>();
/** Of another window: it knows nothing of what was stored before. */
const openStore = () => new BlobStore(root, () => needed, 3000);

async function age(version: string, days: number): Promise<void> {
  const time = new Date(Date.now() - days * 24 * 60 * 60 * 1000);
  await utimes(join(root, version), time, time);
}

it('gives up the oldest contents for new ones, but none that an undo needs', async () => {
  const store = openStore();
  const [a = '', b = '', c = ''] = await Promise.all(
    ['a', 'b', 'c'].map((letter) => store.store(content(letter))),
  );
  await age(a, 3);
  await age(b, 2);
  await age(c, 1);
  needed.add(a);
  const next = openStore();
  const d = await next.store(content('d'));
  expect((await readdir(root)).sort()).toEqual([a, c, d].sort());
  expect(await next.load(b)).toBe('unread');
  expect(await next.load(d)).toEqual(content('d'));
  needed.clear();
});

it('makes room where another window gives up the same contents at that moment', async () => {
  const old = await openStore().store(content('a'));
  await age(old, 1);
  const askedInBetween = () => {
    rmSync(join(root, old));
    return needed;
  };
  const version = await new BlobStore(root, askedInBetween, 1000).store(content('b'));
  expect(await readdir(root)).toEqual([version]);
});

it('makes room where another window deletes something while this one looks', async () => {
  const old = await openStore().store(content('a'));
  deleted.path = join(root, old);
  const version = await openStore().store(content('b'));
  expect(await readdir(root)).toEqual([version]);
});

it('gives up nothing that was stored a moment ago, be it new or known before', async () => {
  const old = await openStore().store(content('a'));
  await age(old, 3);
  const store = openStore();
  // it may be about to be written over in its file
  expect(await store.store(content('a'))).toBe(old);
  await store.store(content('b'));
  await store.store(content('c'));
  expect(await store.store(content('d'))).toBe('unread');
  expect(await store.load(old)).toEqual(content('a'));
});

it('stores again what was deleted to make room for other conversations, and counts it no more', async () => {
  const store = openStore();
  const version = await store.store(content('a'));
  await store.store(content('b'));
  await store.store(content('c'));
  for (const name of await readdir(root)) {
    await rm(join(root, name));
  }
  // what another window counts as room is room here, too
  await store.store(content('d'));
  expect(await store.store(content('a'))).toBe(version);
  expect(await store.load(version)).toEqual(content('a'));
});

it('makes folders that nobody else can look into, and takes no link for one', async () => {
  const [folder, planted] = [join(root, 'a', 'b'), join(root, 'link')];
  await makeOwnFolder(folder);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  await makeOwnFolder(folder);
  await symlink(folder, planted);
  await expect(makeOwnFolder(planted)).rejects.toThrow(`${planted} is no folder of its own`);
});
