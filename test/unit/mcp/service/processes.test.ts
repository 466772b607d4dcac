import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Emitter } from '../../../../src/base/event.js';
import { createProcesses } from '../../../../src/mcp/service/processes.js';
import { nullLogger } from '../../../../src/platform/ports.js';
import { createProcessSystem } from '../../../../src/platform/process/system.js';
import { FakeOperatingSystem } from '../../../fixtures/systems/fakeSystem.js';

let storageDir: string;
beforeEach(async () => {
  storageDir = await mkdtemp(join(tmpdir(), 'pi-mcp-processes-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(storageDir, { recursive: true });
});

function open(os: FakeOperatingSystem) {
  const logged: string[] = [];
  const processes = createProcesses({
    workspace: {
      folders: [],
      isTrusted: true,
      onDidChangeFolders: new Emitter<void>().event,
      onDidChangeTrust: new Emitter<void>().event,
    },
    loggers: {
      main: { log: (_level, message) => void logged.push(message) },
      forServer: () => nullLogger,
    },
    directory: join(storageDir, 'processes'),
    system: createProcessSystem(os),
  });
  return { processes, logged };
}

it('waits no longer than it may for a system that does not say who runs, and says so', async () => {
  vi.useFakeTimers();
  const os = new FakeOperatingSystem('win32');
  os.hanging = ['powershell', 'wmic'];
  const { processes, logged } = open(os);
  processes.ledger?.record(50, 'm');
  void processes.sweep();
  let isOver = false;
  void processes.finish(3000).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(2999);
  expect([isOver, logged]).toEqual([false, []]);
  await vi.advanceTimersByTimeAsync(1);
  expect(isOver).toBe(true);
  expect(logged).toEqual([expect.stringContaining('did not say in time who runs')]);
});

it('waits until all is on record where the system answers', async () => {
  const os = new FakeOperatingSystem('win32');
  const at = { startedAt: '2026-11-21T08:00:00Z', commandLine: 'x' };
  os.processes = [
    { pid: process.pid, parent: 7, ...at },
    { pid: 50, parent: process.pid, ...at },
  ];
  const { processes, logged } = open(os);
  processes.ledger?.record(50, 'm');
  await processes.finish(60_000);
  expect(logged).toEqual([]);
  expect(await readdir(join(storageDir, 'processes'))).toHaveLength(1);
});
