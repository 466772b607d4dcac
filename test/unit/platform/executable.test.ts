import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  inspectFile,
  isWindowsProgram,
  resolveExecutable,
} from '../../../src/platform/executable.js';

let root: string;
const at = (...parts: string[]) => path.join(root, ...parts);

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'executable-'));
  for (const folder of ['a', 'b', 'a/tool']) {
    await mkdir(at(folder));
  }
  await writeFile(at('a', 'data'), '');
  await chmod(at('a', 'data'), 0o644);
  for (const file of ['b/tool', 'b/data', 'run.sh']) {
    await writeFile(at(file), '');
    await chmod(at(file), 0o755);
  }
});

afterAll(() => rm(root, { recursive: true }));

describe('on POSIX', () => {
  const resolve = (command: string) =>
    resolveExecutable(command, {
      path: [at('a'), '', at('missing'), at('b')].join(':'),
      cwd: root,
      platform: 'linux',
    });

  it('takes the first executable file, not a folder of that name', async () => {
    expect(await resolve('tool')).toEqual({ kind: 'found', path: at('b', 'tool') });
  });

  it('passes over a file that may not be executed', async () => {
    expect(await resolve('data')).toEqual({ kind: 'found', path: at('b', 'data') });
  });

  it('takes a command with a slash relative to the working folder', async () => {
    expect(await resolve('./run.sh')).toEqual({ kind: 'found', path: at('run.sh') });
    expect(await resolve('./tool')).toEqual({ kind: 'not_found', searched: [root] });
  });

  it('says that a file may not be executed', async () => {
    expect(await resolve('./a/data')).toEqual({ kind: 'not_executable', path: at('a', 'data') });
  });

  it('lists the folders that were searched', async () => {
    expect(await resolve('nothing')).toEqual({
      kind: 'not_found',
      searched: [at('a'), at('missing'), at('b')],
    });
  });
});

describe('on Windows', () => {
  /** What a disk of Windows holds, by paths in lower case. */
  const resolve = (
    command: string,
    path: string,
    { pathExt, files }: { readonly pathExt?: string; readonly files: readonly string[] },
  ) =>
    resolveExecutable(command, {
      path,
      pathExt,
      cwd: 'C:\\work',
      platform: 'win32',
      inspect: async (file) => (files.includes(file.toLowerCase()) ? 'executable' : 'nothing'),
    });

  it('takes the endings of PATHEXT in their order, and never a script of another shell', async () => {
    const files = ['c:\\bin\\npx', 'c:\\bin\\npx.ps1', 'c:\\bin\\npx.cmd', 'c:\\bin\\npx.bat'];
    expect(await resolve('npx', 'C:\\none;C:\\bin', { files })).toEqual({
      kind: 'found',
      path: 'C:\\bin\\npx.bat',
    });
    expect(await resolve('npx', 'C:\\bin', { files, pathExt: '.EXE;.CMD' })).toEqual({
      kind: 'found',
      path: 'C:\\bin\\npx.cmd',
    });
    expect((await resolve('npx.CMD', 'C:\\bin', { files })).kind).toBe('found');
  });

  it('takes the quotation marks away that stand around a folder', async () => {
    const files = ['c:\\program files\\node\\node.exe'];
    expect(await resolve('node', 'C:\\a;"C:\\Program Files\\node";', { files })).toEqual({
      kind: 'found',
      path: 'C:\\Program Files\\node\\node.exe',
    });
  });

  it('takes a program of the store, which is a link that only the system follows', async () => {
    const error = (code: string) => Object.assign(new Error(code), { code });
    const disk = (code: string, isSymbolicLink: boolean) => ({
      stat: () => Promise.reject(error(code)),
      lstat: async () => ({ isSymbolicLink: () => isSymbolicLink }),
      access: async () => undefined,
    });
    const look = (platform: NodeJS.Platform, code: string, isLink: boolean) =>
      inspectFile('python.exe', platform, disk(code, isLink) as never);
    expect(await look('win32', 'EACCES', true)).toBe('executable');
    expect(await look('win32', 'EACCES', false)).toBe('nothing');
    // a link that leads nowhere
    expect(await look('win32', 'ENOENT', true)).toBe('nothing');
    expect(await look('linux', 'EACCES', true)).toBe('nothing');
  });

  it('knows what it starts without a shell', () => {
    expect(['a.exe', 'A.COM'].every(isWindowsProgram)).toBe(true);
    expect(['a.cmd', 'a.exe ', 'a.exe.', 'a'].some(isWindowsProgram)).toBe(false);
  });
});
