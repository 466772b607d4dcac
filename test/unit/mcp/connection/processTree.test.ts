import { describe, expect, it } from 'vitest';
import type { MarkedProcess } from '../../../../src/mcp/connection/processMarker.js';
import type { ProcessRow } from '../../../../src/mcp/connection/processTable.js';
import {
  createProcessTree,
  type ProcessSystem,
} from '../../../../src/mcp/connection/processTree.js';

class FakeSystem implements ProcessSystem {
  readonly calls: unknown[] = [];
  failure: string | undefined;
  rows: readonly ProcessRow[] = [];
  readonly processes = new Map<string, readonly MarkedProcess[]>();
  readonly starts = new Map<number, string>();

  kill(pid: number, signal: NodeJS.Signals | 0): void {
    this.calls.push([pid, signal]);
    if (this.failure) {
      throw Object.assign(new Error(this.failure), { code: this.failure });
    }
  }

  async run(file: string, args: readonly string[]): Promise<void> {
    this.calls.push([file, ...args]);
  }

  async table(): Promise<readonly ProcessRow[]> {
    return this.rows;
  }

  async marked(): Promise<ReadonlyMap<string, readonly MarkedProcess[]>> {
    return this.processes;
  }

  async startTime(pid: number): Promise<string | undefined> {
    return this.starts.get(pid);
  }

  /** Everything that was sent, questions left out. */
  get signals(): readonly unknown[] {
    return this.calls.filter((call) => Array.isArray(call) && call[1] !== 0);
  }
}

function row(pid: number, parent: number, group: number): ProcessRow {
  return { pid, parent, group, rssBytes: 0 };
}

describe('on POSIX', () => {
  it('addresses the whole group, and wakes who is suspended', async () => {
    const system = new FakeSystem();
    const tree = createProcessTree('darwin', system);
    const root = { pid: 42 };
    expect(tree.detached).toBe(true);
    expect(await tree.isAlive(root)).toBe(true);
    await tree.signal(root, 'SIGTERM');
    await tree.signal(root, 'SIGKILL');
    expect(system.signals).toEqual([
      [-42, 'SIGTERM'],
      [-42, 'SIGCONT'],
      [-42, 'SIGKILL'],
    ]);
  });

  it.each([
    ['ESRCH', false],
    ['EPERM', true],
  ])('takes %s for alive: %s', async (code, expected) => {
    const system = new FakeSystem();
    system.failure = code;
    const tree = createProcessTree('darwin', system);
    expect(await tree.isAlive({ pid: 42 })).toBe(expected);
    await tree.signal({ pid: 42 }, 'SIGKILL');
  });

  it('never signals a group of that number that comes after', async () => {
    const system = new FakeSystem();
    const tree = createProcessTree('darwin', system);
    const root = { pid: 42 };
    system.failure = 'ESRCH';
    expect(await tree.isAlive(root)).toBe(false);
    system.failure = undefined;
    expect(await tree.isAlive(root)).toBe(false);
    await tree.signal(root, 'SIGKILL');
    expect(system.signals).toEqual([]);
  });

  it('finds who left the group by their parents', async () => {
    const system = new FakeSystem();
    system.rows = [row(42, 1, 42), row(43, 42, 42), row(44, 43, 44), row(99, 1, 99)];
    system.starts.set(44, 'then').set(99, 'ever');
    const tree = createProcessTree('darwin', system);
    const strays = await tree.findStrays({ pid: 42, marker: 'm' });
    expect(strays).toEqual([{ pid: 44, start: 'then' }]);
    await tree.signal({ pid: 42, strays }, 'SIGKILL');
    expect(system.signals).toEqual([
      [-42, 'SIGKILL'],
      [44, 'SIGKILL'],
    ]);
  });

  it('leaves a stranger alone that has the pid of one who left', async () => {
    const system = new FakeSystem();
    system.starts.set(44, 'later');
    const root = { pid: 42, strays: [{ pid: 44, start: 'then' }], hasGroup: false };
    const tree = createProcessTree('darwin', system);
    expect(await tree.isAlive(root)).toBe(false);
    await tree.signal(root, 'SIGKILL');
    expect(system.signals).toEqual([]);
  });

  it('signals who carries the mark once, inside the group and outside', async () => {
    const system = new FakeSystem();
    system.processes.set('m', [
      { pid: 42, group: 42, start: 'a' },
      { pid: 50, group: 50, start: 'b' },
      { pid: 51, group: 50, start: 'gone' },
    ]);
    system.starts.set(42, 'a').set(50, 'b');
    const tree = createProcessTree('linux', system);
    await tree.signal({ pid: 42, marker: 'm' }, 'SIGKILL');
    expect(system.signals).toEqual([
      [-42, 'SIGKILL'],
      [50, 'SIGKILL'],
    ]);
  });

  it('looks for nobody outside the group when the entry wants them to stay', async () => {
    const system = new FakeSystem();
    system.rows = [row(42, 1, 42), row(44, 42, 44)];
    system.starts.set(44, 'then');
    const tree = createProcessTree('darwin', system);
    expect(await tree.findStrays({ pid: 42 })).toEqual([]);
  });
});

it('lets taskkill end the tree on Windows', async () => {
  const system = new FakeSystem();
  const tree = createProcessTree('win32', system);
  expect(tree.detached).toBe(false);
  expect(await tree.isAlive({ pid: 42 })).toBe(true);
  expect(await tree.isSuspended({ pid: 42 })).toBe(false);
  expect(await tree.findStrays({ pid: 42, marker: 'm' })).toEqual([]);
  await tree.signal({ pid: 42 }, 'SIGTERM');
  expect(system.signals).toEqual([['taskkill', '/pid', '42', '/T', '/F']]);
  system.failure = 'ESRCH';
  expect(await tree.isAlive({ pid: 42 })).toBe(false);
});
