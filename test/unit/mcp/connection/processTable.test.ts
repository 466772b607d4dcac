import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import {
  parsePsTable,
  parseWindowsTable,
  readProcessTable,
  treeOf,
} from '../../../../src/mcp/connection/processTable.js';

it('finds this process with its memory, and what it starts', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
  await once(child, 'spawn');
  const table = await readProcessTable(process.platform);
  const [own] = treeOf(process.pid, table).filter(({ pid }) => pid === process.pid);
  expect(own?.rssBytes).toBeGreaterThan(10_000_000);
  expect(treeOf(process.pid, table).map(({ pid }) => pid)).toContain(child.pid);
  child.kill('SIGKILL');
  await once(child, 'exit');
});

it('reads what ps writes, without zombies', () => {
  expect(parsePsTable('  10   1  10  2048 S+\n 11 10 10 0 Z\n\n')).toEqual([
    { pid: 10, parent: 1, group: 10, rssBytes: 2_097_152 },
  ]);
});

it('follows parents where there are no groups', () => {
  const table = parseWindowsTable('30 20 4\r\n20 10 2\r\n10 1 1\r\n99 1 8\r\n');
  expect(treeOf(10, table).map(({ pid }) => pid)).toEqual([30, 20, 10]);
});
