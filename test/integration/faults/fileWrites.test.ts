/** The extension host ends at once while the agent writes a large file: it holds what it held, or what it is to hold. */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useProgram } from '../../helpers/script.js';

const program = useProgram('test/fixtures/crash/fileWriter.ts');
let root: string;
let path: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pi-mcp-large-'));
  path = join(root, 'app', 'large.txt');
  await mkdir(join(root, 'app'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** @returns whether it was killed before it had written */
async function write(...args: readonly (string | number)[]): Promise<boolean> {
  const child = spawn(process.execPath, [program.path, root, ...args.map(String)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code, signal] = await new Promise<[unknown, unknown]>((resolve) =>
    child.once('exit', (...ended) => resolve(ended)),
  );
  expect(signal ?? code).toBe(signal ? 'SIGKILL' : 0);
  return signal !== null;
}

const bytesOf = (megabytes: number, word: string) => Buffer.alloc(megabytes * 1024 * 1024, word);
const drafts = async () =>
  (await readdir(join(root, 'app'))).filter((name) => name.endsWith('.tmp'));

it.each([6, 20])(
  'is whole after a crash at any moment: %i MB',
  async (megabytes) => {
    const before = bytesOf(megabytes, 'before ');
    const after = bytesOf(megabytes, 'after ');
    const seen = new Set<string>();
    let left = 0;
    for (let number = 0, isKilled = true; isKilled; number++) {
      await writeFile(path, before, { mode: 0o640 });
      await rm(join(root, 'conversation.changes'), { recursive: true, force: true });
      isKilled = await write(megabytes, number);
      const now = await readFile(path);
      seen.add(now.equals(before) ? 'before' : now.equals(after) ? 'after' : 'neither');
      expect((await stat(path)).mode & 0o777).toBe(0o640);
      left = Math.max(left, (await drafts()).length);
      expect(left).toBeLessThan(2);
    }
    expect([...seen]).toEqual(['before', 'after']);
    // a killed one left something, and the next one swept it
    expect([left, await drafts()]).toEqual([1, []]);
  },
  300_000,
);

it('would notice a file that is emptied before it is written', async () => {
  await writeFile(path, bytesOf(6, 'before '));
  expect(await write(6, 1, 'plain')).toBe(true);
  const { size } = await stat(path);
  expect(size).toBe(3 * 1024 * 1024);
});
