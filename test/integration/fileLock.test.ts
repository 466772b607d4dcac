import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bootSession } from '../../src/platform/bootSession.js';
import {
  acquireFileLock,
  type LockFiles,
  realLockFiles,
  underFileLock,
} from '../../src/platform/stores/fileLock.js';

const run = promisify(execFile);
let root: string;
let path: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pi-mcp-lock-'));
  path = join(root, 'lock');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const token = (pid: number, session = bootSession()) => `${pid}-${session}-${randomUUID()}`;

async function hold(name: string): Promise<void> {
  await mkdir(path);
  await writeFile(join(path, name), '');
}

async function deadPid(): Promise<number> {
  const ended = run(process.execPath, ['-e', '']);
  const { pid = 0 } = ended.child;
  await ended;
  return pid;
}

it('of a holder that crashed is taken over at once', async () => {
  await hold(token(await deadPid()));
  const lock = await acquireFileLock(path, { waitMs: 5000, staleMs: 60_000 });
  expect(lock.isHeld()).toBe(true);
  lock.release();
  expect(await readdir(root)).toEqual([]);
});

it('of a crash between its two steps is taken over', async () => {
  await mkdir(path);
  const lock = await acquireFileLock(path, { waitMs: 5000, staleMs: 60_000 });
  expect(lock.isHeld()).toBe(true);
  lock.release();
});

it('of a living holder is respected for as long as it may take', async () => {
  await hold(token(process.pid));
  await expect(acquireFileLock(path, { waitMs: 50 })).rejects.toMatchObject({
    code: 'config_locked',
  });
  const lock = await acquireFileLock(path, { waitMs: 5000, staleMs: 100 });
  lock.release();
});

it('is waited for only as long as anybody wants it', async () => {
  const first = await acquireFileLock(path);
  const caller = new AbortController();
  const waiting = acquireFileLock(path, { signal: caller.signal });
  caller.abort();
  await expect(waiting).rejects.toBe(caller.signal.reason);
  expect(first.isHeld()).toBe(true);
  first.release();
  await expect(acquireFileLock(path, { signal: caller.signal })).rejects.toBe(caller.signal.reason);
  expect(await readdir(root)).toEqual([]);
});

it('that is kept is never stale by time, but ends with its holder and with the session of the machine', async () => {
  await hold(token(process.pid));
  const kept = { isKept: true, waitMs: 200, staleMs: 1 };
  await expect(acquireFileLock(path, kept)).rejects.toMatchObject({ code: 'config_locked' });
  for (const name of [token(await deadPid()), token(process.pid, '0123456789abcdef')]) {
    await rm(path, { recursive: true });
    await hold(name);
    (await acquireFileLock(path, { ...kept, waitMs: 5000 })).release();
    await mkdir(path);
  }
});

it('of a session that is known by the name of the machine alone ends with its holder only', async () => {
  const named = createHash('sha256').update(hostname()).digest('hex').slice(0, 16);
  const kept = { isKept: true, waitMs: 200 };
  await hold(token(process.pid, named));
  await expect(acquireFileLock(path, kept)).rejects.toMatchObject({ code: 'config_locked' });
  await rm(path, { recursive: true });
  await hold(token(await deadPid(), named));
  (await acquireFileLock(path, { ...kept, waitMs: 5000 })).release();
});

it('of another machine or container is respected although nothing here has its pid', async () => {
  await hold(token(await deadPid(), '0123456789abcdef'));
  await expect(acquireFileLock(path, { waitMs: 50 })).rejects.toMatchObject({
    code: 'config_locked',
  });
});

it.each([
  ['far in the past', new Date(0)],
  ['in the future', new Date(Date.now() + 1e9)],
])('with a time %s is neither taken early nor kept for ever', async (_when, time) => {
  await hold(token(process.pid));
  await utimes(path, time, time);
  await expect(acquireFileLock(path, { waitMs: 50 })).rejects.toMatchObject({
    code: 'config_locked',
  });
  const lock = await acquireFileLock(path, { waitMs: 5000, staleMs: 100 });
  expect(lock.isHeld()).toBe(true);
  lock.release();
});

it('is known to be lost by the one that lost it, who then removes nothing', async () => {
  const first = await acquireFileLock(path);
  const second = await acquireFileLock(path, { staleMs: 100 });
  expect([first.isHeld(), second.isHeld()]).toEqual([false, true]);
  first.release();
  expect(second.isHeld()).toBe(true);
  second.release();
  expect(await readdir(root)).toEqual([]);
});

it('is taken anew for work that lost it, five times at most', async () => {
  let tries = 0;
  const work = async () => {
    tries += 1;
    return undefined;
  };
  await expect(underFileLock(path, work)).rejects.toMatchObject({ code: 'config_locked' });
  expect([tries, await readdir(root)]).toEqual([5, []]);
});

it('that is a link is replaced, and what it leads to is left alone', async () => {
  const victim = join(root, 'victim');
  await mkdir(victim);
  const planted = token(await deadPid());
  await writeFile(join(victim, planted), 'precious');
  await symlink(victim, path);
  const lock = await acquireFileLock(path, { waitMs: 5000 });
  expect(lock.isHeld()).toBe(true);
  lock.release();
  expect(await readdir(victim)).toEqual([planted]);
  expect(await readdir(root)).toEqual(['victim']);
});

it('that is a file, as of an earlier version, is replaced', async () => {
  await writeFile(path, '{"id":"x","pid":1}');
  const lock = await acquireFileLock(path, { waitMs: 5000 });
  expect(lock.isHeld()).toBe(true);
  lock.release();
  expect(await readdir(root)).toEqual([]);
});

it('never removes files that are not its own', async () => {
  await mkdir(path);
  await writeFile(join(path, 'notes.txt'), 'mine');
  await expect(acquireFileLock(path, { waitMs: 50, staleMs: 0 })).rejects.toMatchObject({
    code: 'config_locked',
  });
  expect(await readdir(path)).toEqual(['notes.txt']);
});

it.each(['ENOSPC', 'EMFILE', 'EACCES'])(
  'that cannot be made (%s) fails at once and is left to others',
  async (code) => {
    const files: LockFiles = {
      ...realLockFiles,
      platform: 'linux',
      writeFileSync: () => {
        throw Object.assign(new Error(code), { code });
      },
    };
    await expect(acquireFileLock(path, { files })).rejects.toMatchObject({ code });
    expect(await readdir(root)).toEqual([]);
  },
);

it.each(['EPERM', 'EBUSY'])(
  'is waited for on Windows while the last one is not quite gone (%s)',
  async (code) => {
    let left = 3;
    const files: LockFiles = {
      ...realLockFiles,
      platform: 'win32',
      mkdirSync: (place, mode) => {
        if (left-- > 0) {
          throw Object.assign(new Error(code), { code });
        }
        return realLockFiles.mkdirSync(place, mode);
      },
    };
    const lock = await acquireFileLock(path, { files });
    expect(lock.isHeld()).toBe(true);
    lock.release();
  },
);
