import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  comparableOrigin,
  type FolderFacts,
  hasIdentity,
  identityOf,
  lookAtFolder,
  lookAtFolderSync,
  originUrl,
} from '../../../src/platform/folderIdentity.js';

let root: string;
let folder: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pi-mcp-identity-'));
  folder = join(root, 'work');
  await mkdir(folder);
});

afterEach(() => rm(root, { recursive: true, force: true }));

async function repository(at: string, url: string): Promise<void> {
  await mkdir(join(at, '.git'), { recursive: true });
  await writeFile(
    join(at, '.git/config'),
    `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n`,
  );
}

/** Both ways to look find the same. */
async function factsOf(path: string): Promise<FolderFacts> {
  const facts = await lookAtFolder(path);
  expect(lookAtFolderSync(path)).toEqual(facts);
  return facts;
}

it.each([
  ['[remote "origin"]\n\turl = https://a.example/x.git\n', 'https://a.example/x.git'],
  ['[Remote "origin"]\nURL="https://a.example/x"\nurl = second', 'https://a.example/x'],
  ['[remote "other"]\nurl = b\n[remote "origin"]\nfetch = c\n', undefined],
  ['[remote "ORIGIN"]\nurl = b\n', undefined],
  ['[remote "origin"]\nurl = a\n[remote "other"]\nurl = b\n', 'a'],
  ['', undefined],
])('reads the origin of %j', (text, url) => {
  expect(originUrl(text)).toBe(url);
});

it.each([
  ['https://github.com/owner/name.git', 'github.com/owner/name'],
  ['https://user:token@GitHub.com/owner/name/', 'github.com/owner/name'],
  ['ssh://git@github.com/owner/name.git', 'github.com/owner/name'],
  ['git@github.com:owner/name.git', 'github.com/owner/name'],
  ['https://git.example:8443/a', 'git.example:8443/a'],
  ['/srv/git/name.git', '/srv/git/name.git'],
  ['C:\\git\\name', 'C:\\git\\name'],
])('compares %s as %s', (url, text) => {
  expect(comparableOrigin(url)).toBe(text);
});

it('knows a clone that was made anew, and another repository at the same path', async () => {
  await repository(folder, 'https://a.example/x.git');
  const identity = identityOf(await factsOf(folder));
  expect(identity).toBe('git:a.example/x');
  await rename(folder, join(root, 'old'));
  await repository(folder, 'git@a.example:x.git');
  expect(hasIdentity(await factsOf(folder), identity)).toBe(true);
  await repository(folder, 'https://a.example/y.git');
  expect(hasIdentity(await factsOf(folder), identity)).toBe(false);
});

it('knows a directory that is no repository by its place on the disk', async () => {
  const identity = identityOf(await factsOf(folder));
  expect(identity).toMatch(/^directory:\d+:\d+(:\d+)?$/);
  await repository(folder, 'https://a.example/x.git');
  expect(hasIdentity(await factsOf(folder), identity)).toBe(true);
  await rename(folder, join(root, 'old'));
  await mkdir(folder);
  expect(hasIdentity(await factsOf(folder), identity)).toBe(false);
  await rm(folder, { recursive: true });
  expect(hasIdentity(await factsOf(folder), identity)).toBe(false);
  expect(identityOf(await factsOf(folder))).toBeUndefined();
});

it('follows no link out of the folder, and no file in place of a directory', async () => {
  await repository(join(root, 'other'), 'https://a.example/x.git');
  await symlink(join(root, 'other/.git'), join(folder, '.git'));
  expect(identityOf(await factsOf(folder))).toMatch(/^directory:/);
  await rm(join(folder, '.git'));
  await mkdir(join(folder, '.git'));
  await symlink(join(root, 'other/.git/config'), join(folder, '.git/config'));
  expect(identityOf(await factsOf(folder))).toMatch(/^directory:/);
  await rm(join(folder, '.git'), { recursive: true });
  await writeFile(join(folder, '.git'), `gitdir: ${join(root, 'other/.git')}`);
  expect(identityOf(await factsOf(folder))).toMatch(/^directory:/);
});
