import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  readBinaryFile,
  readFileLines,
  readFileStart,
  readTextFile,
  readTextFileSync,
} from '../../../src/platform/boundedFile.js';

let root: string;
let file: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'bounded-file-'));
  file = join(root, 'file');
});
afterEach(() => rm(root, { recursive: true, force: true }));

type Reader = (path: string) => Promise<unknown>;

const readers: Readonly<Record<string, Reader>> = {
  readTextFile: (path) => readTextFile(path),
  readBinaryFile: (path) => readBinaryFile(path),
  readTextFileSync: async (path) => readTextFileSync(path),
  readFileStart: (path) => readFileStart(path, 10),
  readFileLines: async (path) => {
    for await (const line of readFileLines(path, 10)) {
      return line;
    }
    return undefined;
  },
};

const traps: Readonly<Record<string, () => Promise<void>>> = {
  'a directory': () => mkdir(file),
  'a link to a directory': () => symlink(root, file),
};
if (process.platform !== 'win32') {
  Object.assign(traps, {
    'a link to an endless device': () => symlink('/dev/zero', file),
    'a link to the null device': () => symlink('/dev/null', file),
    'a pipe that nobody writes to': async () => {
      execFileSync('mkfifo', [file]);
    },
    'a link to such a pipe': async () => {
      execFileSync('mkfifo', [join(root, 'pipe')]);
      await symlink(join(root, 'pipe'), file);
    },
  });
}

describe.each(Object.entries(readers))('%s', (_name, reader) => {
  it.each(Object.entries(traps))('refuses %s', async (_trap, lay) => {
    await lay();
    await expect(reader(file)).rejects.toMatchObject({
      code: 'not_a_file',
      message: `${file} is not a regular file.`,
      remedy: expect.any(String),
    });
  });

  it.skipIf(process.platform === 'win32')('refuses a socket', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(file, resolve));
    await expect(reader(file)).rejects.toMatchObject({ code: 'not_a_file' });
    await new Promise((resolve) => server.close(resolve));
  });

  it('tells a missing file by its code', async () => {
    await expect(reader(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe.each([
  ['readTextFile', readTextFile],
  ['readTextFileSync', async (path: string, max?: number) => readTextFileSync(path, max)],
] as const)('bounds of %s', (_name, reader) => {
  it('reads up to the bound', async () => {
    await writeFile(file, 'äbcdefghi');
    expect(await reader(file, 10)).toBe('äbcdefghi');
  });

  it('refuses one byte more', async () => {
    await writeFile(file, 'äbcdefghij');
    await expect(reader(file, 10)).rejects.toMatchObject({ code: 'file_too_large' });
  });

  it('refuses ten gigabytes without reading them', async () => {
    await writeFile(file, '');
    await truncate(file, 10 * 1024 ** 3);
    await expect(reader(file)).rejects.toMatchObject({
      code: 'file_too_large',
      message: `${file} is larger than 8192 KiB.`,
      remedy: expect.any(String),
    });
  });

  it('reads an empty file', async () => {
    await writeFile(file, '');
    expect(await reader(file)).toBe('');
  });

  it.skipIf(process.platform !== 'linux')('bounds files that say they are empty', async () => {
    expect(await reader('/proc/self/status')).toContain('Pid:');
    await expect(reader('/proc/self/status', 10)).rejects.toMatchObject({ code: 'file_too_large' });
  });
});

describe('readFileStart', () => {
  it('reads the beginning, or all there is', async () => {
    await writeFile(file, 'abcdef');
    expect((await readFileStart(file, 3)).toString()).toBe('abc');
    expect((await readFileStart(file, 30)).toString()).toBe('abcdef');
  });
});

describe('readFileLines', () => {
  const lines = async (max: number) => {
    const found: string[] = [];
    for await (const line of readFileLines(file, max)) {
      found.push(line);
    }
    return found;
  };

  it('reads lines across the pieces that the file is read in', async () => {
    const written = Array.from({ length: 4000 }, (_item, index) => 'ä'.repeat(index % 90));
    await writeFile(file, written.join('\n'));
    expect(await lines(1024 * 1024)).toEqual(written);
  });

  it('stops at the bound', async () => {
    await writeFile(file, 'one\ntwo\nthree');
    expect(await lines(6)).toEqual(['one', 'tw']);
  });
});
