import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { readProcessTable } from '../../../../src/platform/process/system.js';
import {
  parsePsTable,
  parseWindowsTable,
  parseWmicTable,
  psArguments,
  treeOf,
} from '../../../../src/platform/process/table.js';

it('finds this process with its memory, and what it starts', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
  await once(child, 'spawn');
  const table = await readProcessTable();
  const [own] = treeOf(process.pid, table).filter(({ pid }) => pid === process.pid);
  expect(own?.rssBytes).toBeGreaterThan(10_000_000);
  expect(treeOf(process.pid, table).map(({ pid }) => pid)).toContain(child.pid);
  child.kill('SIGKILL');
  await once(child, 'exit');
});

it('reads what ps writes, without zombies', () => {
  // macOS 14: the state may have several letters, days are padded, arguments have spaces
  const text = [
    '    1     0     1  18320 Ss   Mon Nov  2 07:03:11 2026 /sbin/launchd',
    '  812     1   812 104512 S+   Sat Nov 21 22:05:20 2026 /opt/homebrew/bin/node /a b/server.js',
    '  813   812   812      0 Z+   Sat Nov 21 22:05:21 2026 (node)',
    '',
  ].join('\n');
  expect(parsePsTable(text)).toEqual([
    {
      pid: 1,
      parent: 0,
      group: 1,
      start: '1793602991',
      rssBytes: 18_759_680,
      commandLine: '/sbin/launchd',
    },
    {
      pid: 812,
      parent: 1,
      group: 812,
      start: '1795298720',
      rssBytes: 107_020_288,
      commandLine: '/opt/homebrew/bin/node /a b/server.js',
    },
  ]);
});

it('reads what the ps of this system writes as /proc has it', async () => {
  const { stdout } = await promisify(execFile)('ps', psArguments, {
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
  });
  const [own] = parsePsTable(stdout).filter(({ pid }) => pid === process.pid);
  const [same] = (await readProcessTable()).filter(({ pid }) => pid === process.pid);
  expect([own?.parent, own?.group]).toEqual([same?.parent, same?.group]);
  expect(Math.abs(Number(own?.start) * 1000 - performance.timeOrigin)).toBeLessThan(60_000);
});

it('follows parents where there are no groups, but not those that are older than their parent', () => {
  const table = parseWindowsTable(
    [
      '30 20 4096 639000000300000000 "C:\\Program Files\\nodejs\\node.exe" server.js --port 1',
      '20 10 4096 639000000200000000 C:\\Windows\\system32\\cmd.exe /d /s /c "npx.cmd ^"server^""',
      '10 1 4096 639000000100000000 ',
      '99 1 8192 639000000000000000 ',
      '98 20 8192 639000000100000000 of an earlier 20',
      '',
    ].join('\r\n'),
  );
  expect(treeOf(10, table).map(({ pid }) => pid)).toEqual([30, 20, 10]);
  expect(table[0]).toEqual({
    pid: 30,
    parent: 20,
    group: undefined,
    start: '639000000300000000',
    rssBytes: 4096,
    commandLine: '"C:\\Program Files\\nodejs\\node.exe" server.js --port 1',
  });
});

it('reads from wmic the times that PowerShell says', () => {
  const text = [
    'CreationDate=',
    'ParentProcessId=0',
    'ProcessId=0',
    'WorkingSetSize=8192',
    '',
    'CreationDate=20261121090000.123456+060',
    'ParentProcessId=7',
    'ProcessId=812',
    'WorkingSetSize=4096',
    '',
  ].join('\r\r\n');
  const [row, ...others] = parseWmicTable(text);
  expect(others).toEqual([]);
  expect(row).toMatchObject({ pid: 812, parent: 7, rssBytes: 4096, group: undefined });
  const epoch = 621_355_968_000_000_000n;
  expect((BigInt(row?.start ?? 0) - epoch) / 10_000n).toBe(
    BigInt(Date.parse('2026-11-21T08:00:00.123Z')),
  );
});
