import { execFileSync } from 'node:child_process';
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { draftPath, sweepDrafts } from '../../../../src/platform/stores/drafts.js';
import {
  type ReplacingFiles,
  realReplacing,
  replaceFile,
} from '../../../../src/platform/stores/replacedFile.js';
import { writeFileAtomic } from '../../../../src/platform/stores/storedFile.js';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pi-mcp-replaced-'));
  path = join(folder, 'file.txt');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const text = () => readFile(path, 'utf8');
const kept = Buffer.from('before, and longer\n');
const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

/** A disk that has room for some more bytes alone. */
function full(room: number): ReplacingFiles {
  const open = (async (...given: Parameters<typeof realReplacing.open>) => {
    const file = await realReplacing.open(...given);
    const { size } = await file.stat();
    const write = file.write.bind(file) as (
      ...args: unknown[]
    ) => Promise<{ bytesWritten: number }>;
    const refuse = failing('ENOSPC');
    file.writeFile = ((data: Buffer) =>
      data.length > room
        ? write(data, 0, room, 0).then(refuse)
        : write(data, 0, data.length, 0)) as never;
    file.write = ((data: Buffer, at: number, length: number, position: number) =>
      position + length > size + room
        ? write(data, at, Math.max(0, size + room - position), position).then(refuse)
        : write(data, at, length, position)) as never;
    return file;
  }) as typeof realReplacing.open;
  return { ...realReplacing, open };
}

it('puts another file in the place of one, with mode and owner, and leaves nothing beside it', async () => {
  await writeFile(path, kept);
  await chmod(path, 0o4751);
  if (process.getuid?.() === 0) {
    await chown(path, 1234, 4321);
    await chmod(path, 0o4751);
  }
  const before = await stat(path);
  expect(await replaceFile(path, 'after\n', { kept })).toBe(true);
  const { ino, mode, uid, gid } = await stat(path);
  expect(await text()).toBe('after\n');
  expect({ mode, uid, gid }).toEqual({ mode: before.mode, uid: before.uid, gid: before.gid });
  expect(ino).not.toBe(before.ino);
  expect(await readdir(folder)).toEqual(['file.txt']);
});

/** Node has no functions for them. */
function attribute(action: string): string | undefined {
  try {
    const script = `import os, sys; p = sys.argv[1]; ${action}`;
    return execFileSync('python3', ['-c', script, path], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}

it('keeps attributes', async ({ skip }) => {
  await writeFile(path, kept);
  skip(attribute("os.setxattr(p, 'user.test', b'mine')") === undefined, 'none can be set here');
  await replaceFile(path, 'after\n', { kept });
  const told = attribute("print(os.getxattr(p, 'user.test').decode(), end='')");
  expect([told, await text()]).toEqual(['mine', 'after\n']);
});

it('makes a new file as the process mask says, and takes the place of none that came meanwhile', async () => {
  await writeFile(join(folder, 'other'), '');
  await replaceFile(path, 'new\n');
  expect((await stat(path)).mode).toBe((await stat(join(folder, 'other'))).mode);
  const late = join(folder, 'late.txt');
  const isWanted = async () => {
    await writeFile(late, 'mine\n');
    return true;
  };
  await expect(replaceFile(late, 'new\n', { isWanted })).rejects.toThrow('EEXIST');
  expect(await readFile(late, 'utf8')).toBe('mine\n');
  expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

it.each<[string, (files: ReplacingFiles) => Partial<ReplacingFiles>]>([
  ['attributes cannot be kept', () => ({ copyAttributes: failing('ENOTSUP') })],
  ['it is a mount point', () => ({ rename: failing('EBUSY') })],
  ['its folder takes no other file', () => ({ rename: failing('EPERM') })],
  ['the folder takes no other name', () => ({ rename: failing('EACCES') })],
])('writes the file itself where %s, if what it holds is kept', async (_why, change) => {
  await writeFile(path, kept);
  const { ino } = await stat(path);
  const files = { ...realReplacing, ...change(realReplacing) };
  for (const content of ['short\n', 'much longer than what was there before\n']) {
    await replaceFile(path, content, { kept: await readFile(path), files });
    expect([await text(), (await stat(path)).ino]).toEqual([content, ino]);
  }
  expect(await readdir(folder)).toEqual(['file.txt']);
});

it('says that it is written when the disk has it, be it another file or the file itself', async () => {
  const steps: string[] = [];
  const open = (async (...given: Parameters<typeof realReplacing.open>) => {
    const file = await realReplacing.open(...given);
    for (const step of ['writeFile', 'write', 'sync', 'close'] as const) {
      const real = file[step].bind(file) as (...args: unknown[]) => Promise<unknown>;
      file[step] = (async (...args: unknown[]) => {
        const result = await real(...args);
        steps.push(step.replace('writeFile', 'write'));
        return result;
      }) as never;
    }
    return file;
  }) as typeof realReplacing.open;
  const opens = 'close'; // to see whether it may be written
  await writeFile(path, kept);
  await replaceFile(path, 'after\n', { kept, files: { ...realReplacing, open } });
  expect(steps.splice(0)).toEqual([opens, 'write', 'sync', 'close']);
  await link(path, join(folder, 'name'));
  const files = { ...realReplacing, open };
  await replaceFile(path, 'again\n', { kept: Buffer.from('after\n'), files });
  expect(steps.slice(4)).toEqual(['write', 'sync', 'close']);
});

it('sets no mode and no owner on Windows, which has others', async () => {
  await writeFile(path, kept);
  await chmod(path, 0o640);
  const copyAttributes = async () => undefined;
  const files: ReplacingFiles = { ...realReplacing, platform: 'win32', copyAttributes };
  await replaceFile(path, 'after\n', { kept, files, modeMask: 0o777 });
  expect([await text(), (await stat(path)).mode & 0o777]).toEqual(['after\n', 0o600]);
  await chmod(path, 0o640);
  const there: ReplacingFiles = { ...files, platform: 'linux' };
  await replaceFile(path, 'again\n', { files: there, modeMask: 0o700 });
  expect([await text(), (await stat(path)).mode & 0o777]).toEqual(['again\n', 0o600]);
  await chmod(path, 0o640);
  await replaceFile(path, 'more\n', { files: there });
  expect((await stat(path)).mode & 0o777).toBe(0o640);
});

it('writes a file of several names itself, so that all names have it', async () => {
  await writeFile(path, kept);
  await link(path, join(folder, 'name'));
  await replaceFile(path, 'after\n', { kept });
  expect(await readFile(join(folder, 'name'), 'utf8')).toBe('after\n');
});

it('leaves everything as it is when the disk is full', async () => {
  await writeFile(path, kept);
  const content = 'x'.repeat(500);
  await expect(replaceFile(path, content, { kept, files: full(100) })).rejects.toThrow('ENOSPC');
  expect([await text(), await readdir(folder)]).toEqual([String(kept), ['file.txt']]);
  // itself, with no room for what it is to be longer
  await link(path, join(folder, 'name'));
  const roomy = full(600);
  const narrow = full(100);
  let opened = 0;
  const files = {
    ...roomy,
    open: ((...given: Parameters<typeof roomy.open>) =>
      (++opened < 3 ? roomy : narrow).open(...given)) as typeof roomy.open,
  };
  await expect(replaceFile(path, content, { kept, files })).rejects.toThrow('ENOSPC');
  expect([opened, await text()]).toEqual([3, String(kept)]);
});

it('neither writes nor replaces what is read-only, no file, or not wanted any more', async () => {
  await writeFile(path, kept);
  expect(await replaceFile(path, 'x', { kept, isWanted: async () => false })).toBe(false);
  const files = { ...realReplacing, open: failing('EACCES') };
  await expect(replaceFile(path, 'x', { kept, files })).rejects.toThrow('EACCES');
  expect(await text()).toBe(String(kept));
  await expect(replaceFile(folder, 'x', { kept })).rejects.toThrow();
  expect(await readdir(folder)).toEqual(['file.txt']);
});

const gone = 0x3fffff;
const named = (change: (name: string) => string) => {
  const draft = draftPath(path);
  return join(folder, change(draft.slice(folder.length + 1)));
};

it('sweeps what writers left that are gone, and nothing else', async () => {
  const ours = /\.(\d+)-(\d+)-([\da-f]+)-/;
  const dead = named((name) => name.replace(ours, `.${gone}-1-$3-`));
  const reused = named((name) => name.replace(ours, '.$1-1-$3-'));
  const alive = draftPath(path);
  const otherMachine = named((name) => name.replace(ours, `.${gone}-1-${'0'.repeat(16)}-`));
  const otherOld = named((name) => name.replace(ours, `.${gone}-1-${'1'.repeat(16)}-`));
  const stranger = join(folder, `.file.txt.${gone}.tmp`);
  for (const one of [dead, reused, alive, otherMachine, otherOld, stranger]) {
    await writeFile(one, 'half');
  }
  const hour = 60 * 60 * 1000;
  const [before, after] = [25, 23].map((hours) => new Date(Date.now() - hours * hour)) as [
    Date,
    Date,
  ];
  await utimes(otherOld, before, before);
  await utimes(otherMachine, after, after);
  const isKnown = /-0-/.test(alive) ? [reused] : [];
  await sweepDrafts(folder);
  const left = (await readdir(folder)).map((name) => join(folder, name));
  expect(left.sort()).toEqual([alive, otherMachine, stranger, ...isKnown].sort());
});

it('follows no link, and deletes no folder, that has such a name', async () => {
  const ours = /\.(\d+)-(\d+)-([\da-f]+)-/;
  const [one, two] = [1, 2].map(() => named((name) => name.replace(ours, `.${gone}-1-$3-`)));
  await writeFile(path, 'of the user\n');
  await symlink(path, one ?? '');
  await mkdir(two ?? '');
  await sweepDrafts(folder);
  expect((await lstat(one ?? '')).isSymbolicLink()).toBe(true);
  expect((await lstat(two ?? '')).isDirectory()).toBe(true);
  expect(await text()).toBe('of the user\n');
});

it.each([
  ['a store', () => writeFileAtomic(path, '{}')],
  ['a file of the user', () => replaceFile(path, '{}')],
])('sweeps with the next write of %s', async (_what, write) => {
  await writeFile(
    named((name) => name.replace(/\.(\d+)-(\d+)-([\da-f]+)-/, `.${gone}-1-$3-`)),
    'half',
  );
  await write();
  expect(await readdir(folder)).toEqual(['file.txt']);
});
