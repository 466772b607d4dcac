/** What is different on Windows and macOS, tried here against what their programs write. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProcessLedger } from '../../../../src/platform/process/ledger.js';
import { nodeOperatingSystem } from '../../../../src/platform/process/operatingSystem.js';
import { stopTree } from '../../../../src/platform/process/stopTree.js';
import { createProcessSystem } from '../../../../src/platform/process/system.js';
import { createProcessTree } from '../../../../src/platform/process/tree.js';
import { FakeOperatingSystem, type FakeProcess } from '../../../fixtures/systems/fakeSystem.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'other-systems-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(directory, { recursive: true });
});

/** This test is the window. */
const self: FakeProcess = {
  pid: process.pid,
  parent: 7,
  group: process.pid,
  startedAt: '2026-11-21T08:00:00Z',
  commandLine: 'extension host',
};
const begunAt = Date.now();
/** After this file was loaded; the same whenever it is asked. */
const seconds = (count: number) => new Date(begunAt + count * 1000).toISOString();

function open(os: FakeOperatingSystem) {
  const system = createProcessSystem(os);
  const tree = createProcessTree(system);
  return { system, tree, ledger: new ProcessLedger({ directory, tree, system }) };
}

const node = (pid: number, change: Partial<FakeProcess> = {}): FakeProcess => ({
  pid,
  parent: process.pid,
  group: pid,
  startedAt: seconds(0),
  commandLine: '/opt/homebrew/bin/node /srv/server.js',
  ...change,
});

it('asks the programs of the system in English and UTC', async () => {
  const said = await nodeOperatingSystem.run('/bin/sh', ['-c', 'echo "$LC_ALL $TZ"']);
  expect(said).toBe('C UTC\n');
  expect(await nodeOperatingSystem.run('/bin/sh', ['-c', 'echo no; exit 3'])).toBeUndefined();
});

describe.each(['win32', 'darwin'] as const)('on %s', (platform) => {
  it('a server that is on record is ended behind a window that is gone', async () => {
    const os = new FakeOperatingSystem(platform);
    os.processes = [self, node(50), node(51, { parent: 50, group: 50 }), node(60)];
    const { ledger } = open(os);
    ledger.record(50, await ledger.newMarker());
    await ledger.flush();
    expect(await open(os).ledger.sweep()).toEqual([]);
    os.processes = os.processes
      .filter(({ pid }) => pid !== process.pid)
      .map((one) => (platform === 'darwin' && one.pid === 50 ? { ...one, parent: 1 } : one));
    expect(await open(os).ledger.sweep()).toEqual([50]);
    expect(os.processes.map(({ pid }) => pid)).toEqual([60]);
    expect(await readdir(directory)).toEqual([]);
  });

  it('what a window left behind is listed, and ended only while it is what was listed', async () => {
    const os = new FakeOperatingSystem(platform);
    const server = node(50, { parent: platform === 'darwin' ? 1 : process.pid });
    os.processes = [self, server, node(60)];
    const { ledger } = open(os);
    ledger.record(50, 'm');
    await ledger.flush();
    expect(await open(os).ledger.leftovers()).toEqual([]);
    os.processes = [server, node(60)];
    const next = open(os).ledger;
    const [leftover, ...others] = (await next.leftovers()) ?? [];
    expect([leftover, others]).toMatchObject([
      { pid: 50, argv: ['/opt/homebrew/bin/node', '/srv/server.js'], processCount: 1 },
      [],
    ]);
    // to the second, as `ps` says it
    expect(Math.abs((leftover?.startedAt ?? 0) - begunAt)).toBeLessThanOrEqual(1000);
    expect(leftover?.window).toMatchObject({
      pid: process.pid,
      startedAt: Date.parse(self.startedAt),
    });
    expect(os.processes).toHaveLength(2);
    // another process gets the pid
    os.processes = [node(50, { startedAt: seconds(5) }), node(60)];
    expect(await next.end([leftover?.key ?? ''])).toEqual(['gone']);
    expect(os.processes.map(({ pid }) => pid)).toEqual([50, 60]);
  });

  it('what is listed is ended alone, and stays on record while nobody knows who runs', async () => {
    const os = new FakeOperatingSystem(platform);
    os.processes = [self, node(50), node(60)];
    const { ledger } = open(os);
    ledger.record(50, 'a');
    ledger.record(60, 'b');
    await ledger.flush();
    os.processes = [node(50), node(60)];
    const next = open(os).ledger;
    os.isMute = true;
    expect([await next.leftovers(), await next.end(['a'])]).toEqual([undefined, ['alive']]);
    os.isMute = false;
    expect(await next.end(['b', 'never'])).toEqual(['ended', 'gone']);
    expect(os.processes.map(({ pid }) => pid)).toEqual([50]);
    expect((await next.leftovers())?.map(({ key }) => key)).toEqual(['a']);
    expect(await next.end(['a'])).toEqual(['ended']);
    expect(await readdir(directory)).toEqual([]);
  });

  it('nobody is ended while the system does not say who runs', async () => {
    const os = new FakeOperatingSystem(platform);
    const server = node(50);
    os.processes = [self, server];
    const { ledger } = open(os);
    ledger.record(50, 'm');
    await ledger.flush();
    os.processes = [server];
    os.isMute = true;
    expect(await open(os).ledger.sweep()).toEqual([]);
    os.isMute = false;
    expect(await readdir(directory)).toHaveLength(1);
    expect(await open(os).ledger.sweep()).toEqual([50]);
  });

  it('a window whose pid another process has is gone', async () => {
    const os = new FakeOperatingSystem(platform);
    const server = node(50);
    os.processes = [self, server];
    const { ledger } = open(os);
    ledger.record(50, 'm');
    await ledger.flush();
    os.processes = [{ ...self, startedAt: seconds(3) }, server];
    expect(await open(os).ledger.sweep()).toEqual([50]);
  });

  it('what was to be started is found although the window died before it was on record', async () => {
    const os = new FakeOperatingSystem(platform);
    os.processes = [self];
    const { ledger } = open(os);
    await ledger.intend(await ledger.newMarker(), '/srv/server.js');
    const parent = platform === 'win32' ? process.pid : 1;
    os.processes = [
      node(50, { parent, startedAt: new Date().toISOString() }),
      node(51, { parent, commandLine: '/usr/bin/other' }),
      node(52, { parent, startedAt: seconds(-3600) }),
      node(53, { parent: 999 }),
    ];
    expect(await open(os).ledger.sweep()).toEqual([50]);
    expect(os.processes.map(({ pid }) => pid)).toEqual([51, 52, 53]);
  });

  it('an intent is given up with its start, and done with its record', async () => {
    const os = new FakeOperatingSystem(platform);
    os.processes = [self, node(50)];
    const { ledger } = open(os);
    await ledger.intend('failed', 'x');
    await ledger.intend('started', 'y');
    ledger.giveUp('failed');
    ledger.record(50, 'started');
    await ledger.flush();
    const [file = ''] = await readdir(directory);
    const { intents, children } = JSON.parse(await readFile(join(directory, file), 'utf8'));
    expect([intents, children.length]).toEqual([[], 1]);
  });

  it('asks nobody who runs while nothing is on record', async () => {
    const os = new FakeOperatingSystem(platform);
    os.processes = [self];
    const { ledger } = open(os);
    expect([await ledger.sweep(), await ledger.leftovers()]).toEqual([[], []]);
    // macOS looks for marks
    expect(os.ran).toHaveLength(platform === 'win32' ? 0 : 2);
  });

  it('asks once who this window is, however much is written', async () => {
    const os = new FakeOperatingSystem(platform);
    os.processes = [self, node(50)];
    const { ledger } = open(os);
    for (let round = 0; round < 3; round++) {
      ledger.record(50, 'm');
      await ledger.flush();
      ledger.forget(50);
      await ledger.flush();
    }
    const asked = os.ran.filter((call) => call.some((arg) => arg.includes(String(process.pid))));
    expect(asked).toHaveLength(1);
  });
});

describe('on Windows', () => {
  it('never looks for programs of the system in the folder of the window', async () => {
    const os = new FakeOperatingSystem('win32');
    os.processes = [self];
    const { system } = open(os);
    await system.table();
    await system.endTree(4);
    expect(os.ran.map(([file]) => file)).toEqual([
      'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
      'C:\\Windows\\System32\\taskkill.exe',
    ]);
  });

  it('a server is stopped with its children, and no stranger that gets its pid', async () => {
    const os = new FakeOperatingSystem('win32');
    // it exits by itself, its child does not, and the pid is given to another program
    const stranger = node(50, { parent: 4, startedAt: seconds(9) });
    os.processes = [
      self,
      node(51, { parent: 50 }),
      stranger,
      node(52, { parent: 50, startedAt: seconds(10) }),
    ];
    const { tree } = open(os);
    const span = { from: begunAt, until: () => begunAt + 8000 };
    const outcome = await stopTree({ pid: 50, marker: 'm', span }, tree, {
      graceMs: () => 0,
      hasExited: () => true,
    });
    expect(outcome).toBe('terminated');
    expect(os.processes.map(({ pid }) => pid)).toEqual([process.pid, 50, 52]);
    expect(os.ran.filter(([file]) => file?.endsWith('taskkill.exe'))).toEqual([]);
  });

  describe('a stop ends', () => {
    const family = (): FakeProcess[] => [
      self,
      node(50),
      node(51, { parent: 50, startedAt: seconds(1) }),
      node(52, { parent: 51, startedAt: seconds(2) }),
      node(60),
    ];

    it.each([
      ['taskkill fails', { missing: ['taskkill'] }, [[52], [51], [50]]],
      ['PowerShell is missing too', { missing: ['taskkill', 'powershell'] }, [[52], [51], [50]]],
      ['nobody says who runs', { missing: ['taskkill', 'powershell', 'wmic'] }, [[50]]],
    ])('although %s, children first', async (_name, machine, ended) => {
      const os = Object.assign(new FakeOperatingSystem('win32'), machine);
      os.processes = family();
      const { tree } = open(os);
      const span = { from: begunAt, until: () => undefined };
      expect(await stopTree({ pid: 50, span }, tree, { graceMs: () => 0 })).toBe('walked');
      expect(os.signals.map(([pid]) => [pid])).toEqual(ended);
    });

    it('within five seconds when nothing answers', async () => {
      const os = new FakeOperatingSystem('win32');
      os.hanging = ['taskkill', 'powershell', 'wmic'];
      os.processes = family();
      const { tree } = open(os);
      const span = { from: begunAt, until: () => undefined };
      vi.useFakeTimers();
      const outcome = stopTree({ pid: 50, span }, tree, {
        onDidExit: () => ({ dispose: () => undefined }),
        hasExited: () => os.processes.every(({ pid }) => pid !== 50),
      });
      await vi.advanceTimersByTimeAsync(5000);
      expect(await outcome).toBe('walked');
      expect(os.signals).toEqual([[50, 'SIGKILL']]);
    });

    it('and a PowerShell that lists nobody is asked once', async () => {
      const os = new FakeOperatingSystem('win32');
      os.missing = ['wmic'];
      os.isBlank = true;
      const { system } = open(os);
      expect([await system.table(), await system.startTime(50)]).toEqual([undefined, undefined]);
      expect(os.ran).toHaveLength(2);
    });

    it('and who runs is not known from a program that lists nobody', async () => {
      const os = new FakeOperatingSystem('win32');
      os.processes = [];
      os.missing = ['powershell'];
      expect(await open(os).system.table()).toBeUndefined();
    });
  });
});

describe('on macOS', () => {
  it('what nobody recorded is found by its marker', async () => {
    const os = new FakeOperatingSystem('darwin');
    os.processes = [self];
    const marker = await open(os).ledger.newMarker();
    const environment = `HOME=/Users/me PI_MCP_RUN=${marker} TERM=xterm`;
    os.processes = [
      self,
      node(50, { parent: 1, environment }),
      node(51, { parent: 1, environment }),
      node(52, { parent: 1 }),
    ];
    expect(await open(os).ledger.sweep()).toEqual([]);
    os.processes = os.processes.filter(({ pid }) => pid !== process.pid);
    expect(await open(os).ledger.sweep()).toEqual([50]);
    expect(os.processes.map(({ pid }) => pid)).toEqual([52]);
  });

  it('a server is stopped with those that left its group', async () => {
    const os = new FakeOperatingSystem('darwin');
    os.processes = [self, node(50), node(51, { parent: 50 })];
    const { tree } = open(os);
    const strays = await tree.findStrays({ pid: 50, marker: 'm' });
    expect(await stopTree({ pid: 50, marker: 'm', strays }, tree, { graceMs: () => 0 })).toBe(
      'terminated',
    );
    expect(os.processes).toEqual([self]);
    expect(os.signals.map(([pid]) => pid)).toEqual([-50, 51]);
  });
});
