import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveExecutable } from '../../../src/platform/executable.js';

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
