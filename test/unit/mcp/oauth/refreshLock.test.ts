import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RefreshLock } from '../../../../src/mcp/oauth/refreshLock.js';
import { createDeferred } from '../../../helpers/fakes/deferred.js';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pi-mcp-refresh-'));
});
afterEach(() => rm(root, { recursive: true }));

describe.each([
  ['in one process', () => Array<RefreshLock>(2).fill(new RefreshLock(undefined))],
  ['in two windows', () => [1, 2].map(() => new RefreshLock(join(root, 'accounts', 'a.lock')))],
])('refreshes of one account %s', (_where, create) => {
  it('run one after another, also after one that failed', async () => {
    const [first = never(), second = never()] = create();
    const [started, failed] = [createDeferred(), createDeferred()];
    const seen: string[] = [];
    const failing = first.run(async () => {
      seen.push('first');
      started.resolve();
      await failed.promise;
    });
    await started.promise;
    const next = second.run(async (turn) => void seen.push(`second ${turn.isHeld()}`));
    await new Promise(setImmediate);
    expect(seen).toEqual(['first']);
    failed.reject(new Error('refused'));
    await expect(failing).rejects.toThrow('refused');
    await next;
    expect(seen).toEqual(['first', 'second true']);
  });

  it('need not be waited for, and are not broken off', async () => {
    const [first = never(), second = never()] = create();
    const [started, done] = [createDeferred(), createDeferred()];
    const caller = new AbortController();
    const running = first.run(async () => {
      started.resolve();
      await done.promise;
      return 'tokens';
    }, caller.signal);
    await started.promise;
    const waiting = second.run(async () => 'never', caller.signal);
    caller.abort();
    await expect(waiting).rejects.toBe(caller.signal.reason);
    done.resolve();
    expect(await running).toBe('tokens');
    expect(await second.run(async () => 'next')).toBe('next');
  });
});

it('a refresh goes on where no lock can be made', async () => {
  await writeFile(join(root, 'accounts'), '');
  const lock = new RefreshLock(join(root, 'accounts', 'a.lock'));
  expect(await lock.run(async (turn) => turn.isHeld())).toBe(true);
  expect(await readdir(root)).toEqual(['accounts']);
});

function never(): never {
  throw new Error('There are two');
}
