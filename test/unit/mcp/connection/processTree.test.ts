import { expect, it } from 'vitest';
import {
  createProcessTree,
  type ProcessSystem,
} from '../../../../src/mcp/connection/processTree.js';

class FakeSystem implements ProcessSystem {
  readonly calls: unknown[] = [];
  failure: string | undefined;

  kill(pid: number, signal: NodeJS.Signals | 0): void {
    this.calls.push([pid, signal]);
    if (this.failure) {
      throw Object.assign(new Error(this.failure), { code: this.failure });
    }
  }

  async run(file: string, args: readonly string[]): Promise<void> {
    this.calls.push([file, ...args]);
  }
}

it('addresses the whole group on POSIX', async () => {
  const system = new FakeSystem();
  const tree = createProcessTree('darwin', system);
  expect(tree.detached).toBe(true);
  expect(await tree.isAlive(42)).toBe(true);
  await tree.signal(42, 'SIGTERM');
  expect(system.calls).toEqual([
    [-42, 0],
    [-42, 'SIGTERM'],
  ]);
});

it.each([
  ['ESRCH', false],
  ['EPERM', true],
])('takes %s for alive: %s', async (code, expected) => {
  const system = new FakeSystem();
  system.failure = code;
  const tree = createProcessTree('darwin', system);
  expect(await tree.isAlive(42)).toBe(expected);
  await tree.signal(42, 'SIGKILL');
});

it('lets taskkill end the tree on Windows', async () => {
  const system = new FakeSystem();
  const tree = createProcessTree('win32', system);
  expect(tree.detached).toBe(false);
  await tree.signal(42, 'SIGTERM');
  expect(system.calls).toEqual([['taskkill', '/pid', '42', '/T', '/F']]);
});
