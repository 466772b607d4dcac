import { describe, expect, it } from 'vitest';
import type { MarkedProcess } from '../../../../src/platform/process/marker.js';
import type { ProcessSystem } from '../../../../src/platform/process/system.js';
import type { ProcessRow } from '../../../../src/platform/process/table.js';
import { createProcessTree } from '../../../../src/platform/process/tree.js';

class FakeSystem implements ProcessSystem {
  readonly calls: unknown[] = [];
  readonly showsEnvironments = true;
  failure: string | undefined;
  rows: readonly ProcessRow[] = [];
  scans = 0;
  readonly processes = new Map<string, readonly MarkedProcess[]>();
  readonly starts = new Map<number, string>();

  constructor(readonly platform: NodeJS.Platform) {}

  kill(pid: number, signal: NodeJS.Signals | 0): void {
    this.calls.push([pid, signal]);
    if (this.failure) {
      throw Object.assign(new Error(this.failure), { code: this.failure });
    }
  }

  async endTree(pid: number): Promise<boolean> {
    this.calls.push(['end', pid]);
    return true;
  }

  async table(): Promise<readonly ProcessRow[]> {
    return this.rows;
  }

  async marked(): Promise<ReadonlyMap<string, readonly MarkedProcess[]>> {
    this.scans++;
    return this.processes;
  }

  async startTime(pid: number): Promise<string | undefined> {
    return this.starts.get(pid);
  }

  startedAt(start: string): number {
    return Number(start);
  }

  argumentsOf(): readonly string[] {
    return [];
  }

  isSuspended(): boolean {
    return false;
  }

  /** Everything that was sent, questions left out. */
  get signals(): readonly unknown[] {
    return this.calls.filter((call) => Array.isArray(call) && call[1] !== 0);
  }
}

function row(pid: number, parent: number, group: number, start = '1'): ProcessRow {
  return { pid, parent, group, start, rssBytes: 0 };
}

describe('on POSIX', () => {
  it('addresses the whole group, and wakes who is suspended', async () => {
    const system = new FakeSystem('darwin');
    const tree = createProcessTree(system);
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
    const system = new FakeSystem('darwin');
    system.failure = code;
    const tree = createProcessTree(system);
    expect(await tree.isAlive({ pid: 42 })).toBe(expected);
    await tree.signal({ pid: 42 }, 'SIGKILL');
  });

  it('never signals a group of that number that comes after', async () => {
    const system = new FakeSystem('darwin');
    const tree = createProcessTree(system);
    const root = { pid: 42 };
    system.failure = 'ESRCH';
    expect(await tree.isAlive(root)).toBe(false);
    system.failure = undefined;
    expect(await tree.isAlive(root)).toBe(false);
    await tree.signal(root, 'SIGKILL');
    expect(system.signals).toEqual([]);
  });

  it('finds who left the group by their parents', async () => {
    const system = new FakeSystem('darwin');
    system.rows = [row(42, 1, 42), row(43, 42, 42), row(44, 43, 44, '2'), row(99, 1, 99)];
    system.starts.set(44, '2').set(99, '1');
    const tree = createProcessTree(system);
    const strays = await tree.findStrays({ pid: 42, marker: 'm' });
    expect(strays).toEqual([{ pid: 44, start: '2' }]);
    await tree.signal({ pid: 42, strays }, 'SIGKILL');
    expect(system.signals).toEqual([
      [-42, 'SIGKILL'],
      [44, 'SIGKILL'],
    ]);
  });

  it('leaves a stranger alone that has the pid of one who left', async () => {
    const system = new FakeSystem('linux');
    system.starts.set(44, 'later');
    const root = { pid: 42, strays: [{ pid: 44, start: 'then' }], hasGroup: false };
    const tree = createProcessTree(system);
    expect(await tree.isAlive(root)).toBe(false);
    await tree.signal(root, 'SIGKILL');
    expect(system.signals).toEqual([]);
  });

  it('looks for the mark when the group is gone, not before', async () => {
    const system = new FakeSystem('linux');
    system.rows = [row(42, 1, 42)];
    system.processes.set('m', [
      { pid: 42, group: 42, start: 'a' },
      { pid: 50, group: 50, start: 'b' },
      { pid: 51, group: 50, start: 'gone' },
    ]);
    system.starts.set(42, 'a').set(50, 'b');
    const tree = createProcessTree(system);
    const root = { pid: 42, marker: 'm' };
    await tree.signal(root, 'SIGTERM');
    expect([system.scans, system.signals]).toEqual([
      0,
      [
        [-42, 'SIGTERM'],
        [-42, 'SIGCONT'],
      ],
    ]);
    system.rows = [];
    system.processes.set('m', [{ pid: 50, group: 50, start: 'b' }]);
    system.kill = (pid, signal) => {
      system.calls.push([pid, signal]);
      if (pid === -42) {
        throw Object.assign(new Error('ESRCH'), { code: 'ESRCH' });
      }
    };
    await tree.signal(root, 'SIGTERM');
    // nobody is asked twice
    await tree.signal(root, 'SIGTERM');
    await tree.signal(root, 'SIGKILL');
    expect(system.signals.slice(2)).toEqual([
      [50, 'SIGTERM'],
      [50, 'SIGCONT'],
      [50, 'SIGKILL'],
    ]);
  });

  it('looks for nobody outside the group when the entry wants them to stay', async () => {
    const system = new FakeSystem('darwin');
    system.rows = [row(42, 1, 42), row(44, 42, 44)];
    const tree = createProcessTree(system);
    expect(await tree.findStrays({ pid: 42 })).toEqual([]);
  });
});

describe('on Windows', () => {
  it('ends the whole tree in one request', async () => {
    const system = new FakeSystem('win32');
    const tree = createProcessTree(system);
    expect(tree.detached).toBe(false);
    expect(await tree.isAlive({ pid: 42 })).toBe(true);
    expect(await tree.isSuspended({ pid: 42 })).toBe(false);
    await tree.signal({ pid: 42 }, 'SIGTERM');
    expect(system.signals).toEqual([['end', 42]]);
    system.failure = 'ESRCH';
    expect(await tree.isAlive({ pid: 42 })).toBe(false);
  });

  it('never ends a process whose pid is that of one that has exited', async () => {
    const system = new FakeSystem('win32');
    const tree = createProcessTree(system);
    const root = { pid: 42, marker: 'm', span: { from: 0, until: () => 9 } };
    expect(await tree.isAlive(root)).toBe(false);
    await tree.signal(root, 'SIGKILL');
    expect(system.calls).toEqual([]);
  });

  it('ends what the first process left behind, unless it is another by now', async () => {
    const system = new FakeSystem('win32');
    const win = (pid: number, parent: number, start: string): ProcessRow => ({
      ...row(pid, parent, 0, start),
      group: undefined,
    });
    // 44 is the child of an earlier process of that pid
    system.rows = [win(42, 7, '5'), win(43, 42, '6'), win(45, 43, '7'), win(44, 42, '1')];
    const tree = createProcessTree(system);
    const strays = await tree.findStrays({ pid: 42, marker: 'm' });
    expect(strays.map(({ pid }) => pid)).toEqual([43, 45]);
    system.rows = [win(43, 42, '6'), win(45, 1, '9')];
    const root = { pid: 42, strays, span: { from: 4, until: () => 8 } };
    expect(await tree.isAlive(root)).toBe(true);
    await tree.signal(root, 'SIGKILL');
    expect(system.signals).toEqual([[43, 'SIGKILL']]);
  });

  it('finds children behind a first process that has exited, by its pid and the time that it ran', async () => {
    const system = new FakeSystem('win32');
    const win = (pid: number, parent: number, start: string): ProcessRow => ({
      ...row(pid, parent, 0, start),
      group: undefined,
    });
    system.rows = [
      win(43, 42, '60'),
      win(44, 43, '70'),
      // of an earlier process of that pid, and of a later one
      win(45, 42, '10'),
      win(46, 42, '95'),
      win(42, 7, '90'),
    ];
    const tree = createProcessTree(system);
    const root = { pid: 42, span: { from: 50, until: () => 80 } };
    expect(await tree.isAlive(root)).toBe(true);
    await tree.signal(root, 'SIGKILL');
    expect(system.signals).toEqual([
      [44, 'SIGKILL'],
      [43, 'SIGKILL'],
    ]);
  });
});
