import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readProcStat } from '../../../src/platform/process/identity.js';
import { ProcessLedger } from '../../../src/platform/process/ledger.js';
import { sweepScope } from '../../../src/platform/process/leftovers.js';
import { createMarker, type MarkerOwner } from '../../../src/platform/process/marker.js';
import { createProcessTree } from '../../../src/platform/process/tree.js';
import { misbehaveScript } from '../../fixtures/connections.js';
import { findProcesses, processMarker, waitForProcesses } from '../../fixtures/processes.js';
import { CoreHarness, memory } from '../../helpers/coreHarness.js';
import { useScript } from '../../helpers/script.js';
import { until } from '../../helpers/until.js';

const tree = createProcessTree();
const hostScript = useScript('test/fixtures/servers/ledgerHost.ts');
let directory: string;
let marker: string;
let started: ChildProcess[];

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'ledger-'));
  marker = processMarker();
  started = [];
});

afterEach(async () => {
  for (const child of started) {
    child.kill('SIGKILL');
  }
  await waitForProcesses(marker, 0);
  await rm(directory, { recursive: true, force: true });
});

/** A host with a wrapped server that ignores the end of its stdin, as soon as it is as far as `news` says. */
async function startHost(
  faults: readonly string[] = [],
  news: 'spawned' | 'recorded' | 'connected' = 'connected',
): Promise<ChildProcess> {
  const command = ['node', misbehaveScript, '--ignore-eof', ...faults, marker].join(' ');
  const host = spawn(
    process.execPath,
    [hostScript.path, directory, 'sh', '-c', `${command}; true`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...(news === 'spawned' ? { NEVER_RECORDS: 'true' } : {}) },
    },
  );
  started.push(host);
  let said = '';
  // it is read on: a host that cannot say more would end by itself
  await new Promise<void>((resolve) => {
    host.stdout.on('data', (chunk: Buffer) => {
      said += chunk;
      if (said.includes(news)) {
        resolve();
      }
    });
  });
  return host;
}

async function kill(host: ChildProcess): Promise<void> {
  host.kill('SIGKILL');
  await once(host, 'exit');
}

function startBystander(): ChildProcess {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)', marker], {
    stdio: 'ignore',
    detached: true,
  });
  started.push(child);
  return child;
}

async function writeLedger(owner: object, children: readonly object[]): Promise<void> {
  const own = new ProcessLedger({ directory, tree });
  const sample = startBystander();
  own.record(sample.pid ?? 0);
  await own.flush();
  const [file = ''] = await readdir(directory);
  const content = JSON.parse(await readFile(path.join(directory, file), 'utf8'));
  await rm(path.join(directory, file));
  sample.kill('SIGKILL');
  await once(sample, 'exit');
  await writeFile(
    path.join(directory, 'other-99.json'),
    JSON.stringify({ ...content, owner, children }),
  );
}

interface Recorded {
  readonly pid: number;
  readonly members?: readonly unknown[];
}

async function readRecorded(): Promise<readonly Recorded[]> {
  const [file = ''] = await readdir(directory);
  return JSON.parse(await readFile(path.join(directory, file), 'utf8')).children;
}

async function waitForLedger(condition: (children: readonly Recorded[]) => boolean): Promise<void> {
  await until(async () => condition(await readRecorded()));
}

const deadOwner = { pid: 2 ** 22 + 1, start: '1' };

describe('the ledger', () => {
  it('lets the next host end what a killed one left behind', async () => {
    const host = await startHost();
    // the host's own command line holds the marker too
    await waitForProcesses(marker, 3);
    host.kill('SIGKILL');
    await once(host, 'exit');
    expect(await findProcesses(marker)).toHaveLength(2);
    const ledger = new ProcessLedger({ directory, tree });
    expect(await ledger.sweep()).toHaveLength(1);
    expect(await findProcesses(marker)).toEqual([]);
    expect(await readdir(directory)).toEqual([]);
  });

  it('ends what is left of a group whose leader died first', async () => {
    const host = await startHost();
    await waitForProcesses(marker, 3);
    const leader = (await readRecorded())[0]?.pid ?? 0;
    host.kill('SIGKILL');
    await once(host, 'exit');
    process.kill(leader, 'SIGKILL');
    await waitForProcesses(marker, 1);
    expect(await new ProcessLedger({ directory, tree }).sweep()).toEqual([leader]);
    expect(await findProcesses(marker)).toEqual([]);
  });

  it.each([[['--helper-detached']], [['--helper-bare']]])(
    'finds helpers that left the group of a server, also when it died first: %s',
    async (faults) => {
      const host = await startHost(faults);
      // host, shell, server and helper
      await waitForProcesses(marker, 4);
      await waitForLedger((children) => (children[0]?.members ?? []).length === 2);
      await kill(host);
      const [{ pid = 0 } = {}] = await readRecorded();
      // as when the user ends the server by hand
      process.kill(-pid, 'SIGKILL');
      await waitForProcesses(marker, 1);
      expect(await new ProcessLedger({ directory, tree }).sweep()).toEqual([pid]);
      expect(await findProcesses(marker)).toEqual([]);
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'finds a daemon that has neither environment nor parents, also when its server died first',
    async () => {
      const host = await startHost(['--daemon']);
      // host, shell, server and daemon
      await waitForProcesses(marker, 4);
      await kill(host);
      const [{ pid = 0 } = {}] = await readRecorded();
      process.kill(-pid, 'SIGKILL');
      await waitForProcesses(marker, 1);
      expect(await new ProcessLedger({ directory, tree }).sweep()).toEqual([pid]);
      await waitForProcesses(marker, 0);
    },
  );

  it('ends the server of a host that was killed while it connected', async () => {
    const host = await startHost(['--hang-initialize', '--helper-detached'], 'recorded');
    await waitForProcesses(marker, 4);
    await kill(host);
    expect(await findProcesses(marker)).toHaveLength(3);
    expect(await new ProcessLedger({ directory, tree }).sweep()).toHaveLength(1);
    expect(await findProcesses(marker)).toEqual([]);
  });

  it.each([[['--hang-initialize']], [['--hang-initialize', '--helper-detached']]])(
    'ends the server of a host that was killed before it was on record: %s',
    async (faults) => {
      const host = await startHost(faults, 'spawned');
      await waitForProcesses(marker, faults.length === 1 ? 3 : 4);
      await kill(host);
      expect(await readdir(directory)).toEqual([]);
      expect(await new ProcessLedger({ directory, tree }).sweep()).toHaveLength(1);
      expect(await findProcesses(marker)).toEqual([]);
    },
  );

  it('leaves what is on no record alone while its host runs', async () => {
    const host = await startHost(['--hang-initialize'], 'spawned');
    await waitForProcesses(marker, 3);
    expect(await new ProcessLedger({ directory, tree }).sweep()).toEqual([]);
    expect(await findProcesses(marker)).toHaveLength(3);
    await kill(host);
    await new ProcessLedger({ directory, tree }).sweep();
  });

  it.each([
    [
      'of another boot, container or place of ledgers',
      (own: MarkerOwner) => ({ ...own, scope: '0123456789abcdef' }),
    ],
    ['that is no marker of ours', () => undefined],
  ])('leaves a process alone with a marker %s', async (_what, change) => {
    const owner = { scope: sweepScope(directory), ...deadOwner };
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)', marker], {
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, PI_MCP_RUN: createMarker(change(owner)) },
    });
    started.push(stranger);
    await once(stranger, 'spawn');
    expect(await new ProcessLedger({ directory, tree }).sweep()).toEqual([]);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });

  it('is swept by many windows at once without touching the servers of one that lives', async () => {
    const [dead, living] = [await startHost(['--helper-detached']), await startHost()];
    await waitForProcesses(marker, 4 + 3);
    await kill(dead);
    const sweeps = Array.from({ length: 4 }, () => new ProcessLedger({ directory, tree }).sweep());
    await Promise.all(sweeps);
    expect(await findProcesses(marker)).toHaveLength(3);
    expect(await readdir(directory)).toHaveLength(1);
    await kill(living);
    await new ProcessLedger({ directory, tree }).sweep();
  });

  it('leaves the servers of a living host alone', async () => {
    await startHost();
    const ledger = new ProcessLedger({ directory, tree });
    expect(await ledger.sweep()).toEqual([]);
    expect(await findProcesses(marker)).toHaveLength(3);
    expect(await readdir(directory)).toHaveLength(1);
    // the host is killed by `afterEach`, its servers here
    const [host] = started;
    host?.kill('SIGKILL');
    await once(host as ChildProcess, 'exit');
    await ledger.sweep();
  });

  it('never signals a process that only has the pid of a recorded one', async () => {
    const stranger = startBystander();
    const pid = stranger.pid ?? 0;
    await writeLedger(deadOwner, [{ pid, start: '12345' }]);
    expect(await new ProcessLedger({ directory, tree }).sweep()).toEqual([]);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    expect(await readdir(directory)).toEqual([]);
  });

  it('ends a process whose pid and start time are the recorded ones', async () => {
    const child = startBystander();
    const exited = once(child, 'exit');
    const pid = child.pid ?? 0;
    await writeLedger(deadOwner, [{ pid, start: readProcStat(pid)?.start }]);
    expect(await new ProcessLedger({ directory, tree }).sweep()).toEqual([pid]);
    await exited;
  });

  it('ignores files that are broken or of another machine', async () => {
    const child = startBystander();
    const pid = child.pid ?? 0;
    const entry = { pid, start: readProcStat(pid)?.start };
    await writeFile(path.join(directory, 'broken.json'), '{');
    await writeFile(path.join(directory, 'odd.json'), '{"children":[{"pid":-1}]}');
    await writeFile(
      path.join(directory, 'other.json'),
      JSON.stringify({ session: 'elsewhere', owner: deadOwner, children: [entry], intents: [] }),
    );
    expect(await new ProcessLedger({ directory, tree }).sweep()).toEqual([]);
    expect(child.exitCode ?? child.signalCode).toBeNull();
    expect(await readdir(directory)).toHaveLength(3);
  });

  it('is known again after the machine got another name', async () => {
    const ledger = new ProcessLedger({ directory, tree });
    ledger.record(startBystander().pid ?? 0);
    await ledger.flush();
    const [file = ''] = await readdir(directory);
    const text = await readFile(path.join(directory, file), 'utf8');
    expect(`${file} ${text}`).not.toContain(hostname());
  });

  it('lists what a killed host left behind without ending it, and ends what was listed', async () => {
    const before = Date.now();
    const host = await startHost(['--helper-detached']);
    await waitForProcesses(marker, 4);
    const ledger = new ProcessLedger({ directory, tree });
    expect(await ledger.leftovers()).toEqual([]);
    await kill(host);
    const [leftover, ...others] = (await ledger.leftovers()) ?? [];
    expect(others).toEqual([]);
    expect(leftover).toMatchObject({ processCount: 3, window: { pid: host.pid } });
    expect(leftover?.argv.slice(1)).toEqual(['-c', expect.stringContaining(marker)]);
    // the clock of the machine counts starts in hundredths of a second
    expect(leftover?.startedAt).toBeGreaterThan(before - 1000);
    expect(leftover?.startedAt).toBeLessThanOrEqual(Date.now());
    expect(leftover?.window.startedAt).toBeLessThanOrEqual(leftover?.startedAt ?? 0);
    expect(await findProcesses(marker)).toHaveLength(3);
    expect(await readdir(directory)).toHaveLength(1);
    expect(await ledger.end([leftover?.key ?? ''])).toEqual(['ended']);
    expect(await findProcesses(marker)).toEqual([]);
    expect(await readdir(directory)).toEqual([]);
    expect(await ledger.end([leftover?.key ?? ''])).toEqual(['gone']);
  });

  it('ends what was listed alone, and nothing of a host that lives', async () => {
    const [first, second, living] = [await startHost(), await startHost(), await startHost()];
    await waitForProcesses(marker, 3 * 3);
    await kill(first);
    await kill(second);
    const ledger = new ProcessLedger({ directory, tree });
    const all = (await ledger.leftovers()) ?? [];
    expect(all.map(({ window }) => window.pid).sort()).toEqual([first.pid, second.pid].sort());
    const [one] = all;
    expect(await ledger.end([one?.key ?? ''])).toEqual(['ended']);
    expect((await ledger.leftovers())?.map(({ key }) => key)).toEqual([all[1]?.key]);
    expect(await findProcesses(marker)).toHaveLength(2 + 3);
    await kill(living);
    expect(await ledger.leftovers()).toHaveLength(2);
    await ledger.sweep();
  });

  it('ends nobody who has the pid of what was listed', async () => {
    const stranger = startBystander();
    const pid = stranger.pid ?? 0;
    await writeLedger(deadOwner, [{ pid, start: readProcStat(pid)?.start }]);
    const ledger = new ProcessLedger({ directory, tree });
    const [leftover] = (await ledger.leftovers()) ?? [];
    expect(leftover?.pid).toBe(pid);
    // as when it ends and another process gets its pid before the user says so
    await rm(directory, { recursive: true });
    await mkdir(directory);
    await writeLedger(deadOwner, [{ pid, start: '12345' }]);
    expect(await ledger.end([leftover?.key ?? '', `${pid} 12345`])).toEqual(['gone', 'gone']);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });

  it('is looked into by a window that runs, whose own servers are never listed', async () => {
    const core = await CoreHarness.create();
    directory = path.join(core.storageDir, 'processes');
    await core.writeGlobal({ memory });
    const service = core.open();
    await service.whenStarted();
    const [own] = service.servers;
    await own?.ensureConnected();
    const host = await startHost();
    expect(await service.leftovers.list()).toEqual([]);
    await kill(host);
    const left = (await service.leftovers.list()) ?? [];
    expect(left.map(({ window }) => window.pid)).toEqual([host.pid]);
    expect(await service.leftovers.end(left.map(({ key }) => key))).toEqual(['ended']);
    expect(await findProcesses(marker)).toEqual([]);
    expect(own?.state.value.kind).toBe('connected');
    await core.dispose();
  });

  it('says which folders were open in the window', async () => {
    const child = startBystander();
    const own = new ProcessLedger({ directory, tree, folders: () => ['/work/shop'] });
    own.record(child.pid ?? 0);
    await own.flush();
    const [file = ''] = await readdir(directory);
    const content = JSON.parse(await readFile(path.join(directory, file), 'utf8'));
    await writeFile(path.join(directory, file), JSON.stringify({ ...content, owner: deadOwner }));
    const [leftover] = (await new ProcessLedger({ directory, tree }).leftovers()) ?? [];
    expect(leftover?.window).toMatchObject({ pid: deadOwner.pid, folders: ['/work/shop'] });
  });

  it('has no file when nothing runs', async () => {
    const ledger = new ProcessLedger({ directory, tree });
    const child = startBystander();
    ledger.record(child.pid ?? 0);
    await ledger.flush();
    expect(await readdir(directory)).toHaveLength(1);
    ledger.forget(child.pid ?? 0);
    await ledger.flush();
    expect(await readdir(directory)).toEqual([]);
  });
});
