import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FileCalls } from '../../../../src/agent/builtIn/fileCalls.js';

let root: string;
let folder: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pi-mcp-files-')));
  folder = join(root, 'app');
  await mkdir(join(folder, 'src'), { recursive: true });
  await writeFile(join(folder, 'src/a.ts'), '');
  await writeFile(join(root, 'secret'), '');
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function pinnedPath(calls: FileCalls, tool: string, path?: string) {
  const subject = await calls.describe(tool, path === undefined ? {} : { path });
  subject?.pin?.('call');
  return subject?.pin ? calls.pins.take('call').path : subject?.refusal;
}

it.each([
  ['src/a.ts', 'src/a.ts'],
  ['./src/../src/a.ts', 'src/a.ts'],
  ['@src/a.ts', 'src/a.ts'],
  ['..well/b', '..well/b'],
  ['a\u00a0b', 'a b'],
  ['', ''],
  [undefined, ''],
])('finds %j in the folder', async (path, expected) => {
  for (const isTrusted of [true, false]) {
    const calls = new FileCalls({ folder, isTrusted });
    expect(await pinnedPath(calls, 'ls', path)).toBe(join(folder, expected));
    expect((await calls.describe('ls', { path }))?.identity.allowedBy).toEqual({ kind: 'reads' });
  }
});

it('knows a folder by its own path and by a link to it', async () => {
  const link = join(root, 'link');
  await symlink(folder, link);
  const calls = new FileCalls({ folder: link, isTrusted: true });
  for (const path of ['src/a.ts', join(link, 'src/a.ts'), join(folder, 'src/a.ts')]) {
    const subject = await calls.describe('write', { path });
    expect(subject?.identity).toEqual({
      key: 'edits of files',
      claims: [],
      isEdit: true,
      isReader: false,
      subject: { kind: 'builtIn', tool: 'edit' },
    });
    expect(await pinnedPath(calls, 'read', path)).toBe(join(folder, 'src/a.ts'));
  }
});

it('reads names that macOS spells otherwise, and no others', async () => {
  const calls = new FileCalls({ folder, isTrusted: false });
  const narrow = join(folder, 'Shot at 9.41\u202fPM.png');
  const curly = join(folder, 'd\u2019e\u0301cran');
  await writeFile(narrow, '');
  await writeFile(curly, '');
  expect(await pinnedPath(calls, 'read', 'Shot at 9.41 PM.png')).toBe(narrow);
  expect(await pinnedPath(calls, 'read', "d'\u00e9cran")).toBe(curly);
  expect(await pinnedPath(calls, 'read', 'nothing')).toBe(join(folder, 'nothing'));
});

it('refuses to leave the folder in Restricted Mode, and what is no path', async () => {
  const restricted = new FileCalls({ folder, isTrusted: false });
  const secret = join(root, 'secret');
  for (const path of [secret, '../secret', pathToFileURL(secret).href, '~', folder.slice(0, -1)]) {
    for (const tool of ['read', 'ls', 'grep', 'find', 'write', 'edit']) {
      expect(await pinnedPath(restricted, tool, path)).toContain('Restricted Mode');
    }
  }
  const trusted = new FileCalls({ folder, isTrusted: true });
  expect((await trusted.describe('read', { path: 'file://host/x' }))?.refusal).toContain('host');
});

it('leaves other tools to others', async () => {
  const calls = new FileCalls({ folder, isTrusted: true });
  expect(await calls.describe('bash', { path: '/etc' })).toBeUndefined();
});

it('sends a link in circles nowhere', async () => {
  await symlink('loop', join(folder, 'loop'));
  const calls = new FileCalls({ folder, isTrusted: true });
  const subject = await calls.describe('read', { path: 'loop' });
  expect(subject?.identity.allowedBy).toBeUndefined();
});
