import { chmod, chown, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ChangedFiles } from '../../../../src/agent/builtIn/changedFiles.js';

let folder: string;
beforeEach(async () => {
  // the temporary folder of a run of tests is closed to other users
  const open = process.platform === 'win32' ? tmpdir() : '/tmp';
  folder = await realpath(await mkdtemp(join(open, 'pi-mcp-changed-')));
});
afterEach(() => rm(folder, { recursive: true }));

const nobody = 65_534;
/** Whoever may write everything writes read-only files, too. */
async function asUser<T>(work: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) {
    process.seteuid?.(nobody);
  }
  try {
    return await work();
  } finally {
    if (isRoot) {
      process.seteuid?.(0);
    }
  }
}

it.skipIf(process.platform === 'win32')(
  'leaves a file that was made read-only as it is, and says so in words',
  async () => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'new\n');
    if (process.geteuid?.() === 0) {
      await chown(path, nobody, nobody);
      await chown(folder, nobody, nobody);
    }
    await chmod(path, 0o444);
    const files = new ChangedFiles({ folder, mayLookOutside: false } as never, undefined);
    await asUser(async () => {
      const now = await files.read(path);
      await expect(files.write(path, Buffer.from('old\n'), now)).rejects.toThrow(
        'its file is read-only.',
      );
    });
    expect(await readFile(path, 'utf8')).toBe('new\n');
    // control
    await chmod(path, 0o644);
    await asUser(async () => files.write(path, Buffer.from('old\n'), await files.read(path)));
    expect(await readFile(path, 'utf8')).toBe('old\n');
  },
);
