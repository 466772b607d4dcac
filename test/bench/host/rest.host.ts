/**
 * Processor time of an idle minute of a window that nobody uses. That is one of the five minutes (of one, where it is
 * measured less often), with all their pings, polls and looks, that begin a minute after the last server connected. The
 * minute before them is told apart: pings and looks follow each other faster there.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { it } from 'vitest';
import type { Workbench } from '../../helpers/e2e/workbench.js';
import { repository } from '../../workbench/paths.mjs';
import { figureBeside, figureOf } from '../connections/figures.js';
import { startHttpServer } from '../connections/parties.js';
import { inWindow, isShort, record } from './window.js';

const benchServer = join(repository, 'test/bench/servers/benchServer.mjs');
const few = 10;
const many = 100;
const minuteMs = 60_000;
/** Six minutes, and the start of three windows before them. */
const testMs = 900_000;
const idleMinutes = isShort ? 1 : 5;
/** In which all servers have to be connected. */
const connectMs = 90_000;
/** Of the clock that Linux counts processor time with; the same on all its machines. */
const tickMs = 10;

const unwatched = {
  withSample: false,
  // a monitor would be measured as well
  isWatched: false,
  // VS Code looks for ports to forward: at every process of the machine, in each window
  settings: { 'remote.autoForwardPorts': false, 'remote.autoForwardPortsSource': 'output' },
} as const;

it('rests', { timeout: testMs }, async () => {
  const remote = await startHttpServer('--tools=10');
  try {
    const agentFiles = { 'mcp.json': JSON.stringify({ mcpServers: remotes(remote.url) }) };
    await inWindow({ ...unwatched, withExtension: false }, (peer) =>
      inWindow(unwatched, (small) =>
        inWindow({ ...unwatched, agentFiles }, (large) => measure(peer, small, large)),
      ),
    );
  } finally {
    await remote.stop();
  }
});

async function measure(peer: Workbench, small: Workbench, large: Workbench): Promise<void> {
  await large.shell.connectedItem(many, many).waitFor({ timeout: connectMs });
  writeServers(small.agentDir, processes());
  // without servers nothing of us watches files of the user until somebody looks
  await small.servers.show();
  await small.shell.connectedItem(few, few).waitFor({ timeout: connectMs });
  const windows = [peer, small, large];
  const first = await minuteOf(windows, 1);
  const idleMinute = await minuteOf(windows, idleMinutes);
  const baseline = 'a window without us';
  const [base = [], ofFew = [], ofMany = []] = idleMinute.map((ms) => [ms]);
  record('rest', [
    figureOf({ name: 'processor time of an idle minute without us', unit: 'ms' }, base),
    figureBeside(
      { name: `processor time of an idle minute, ${few} stdio servers`, unit: 'ms', baseline },
      ofFew,
      base,
    ),
    figureBeside(
      { name: `processor time of an idle minute, ${many} HTTP servers`, unit: 'ms', baseline },
      ofMany,
      base,
    ),
    figureOf(
      { name: `of it ours with ${many} servers`, unit: 'ms', target: 300 },
      ofMany.map((ms, index) => ms - (base[index] ?? 0)),
    ),
    figureOf({ name: 'the minute before it without us', unit: 'ms' }, first.slice(0, 1)),
    figureBeside(
      { name: `the minute before it, ${few} stdio servers`, unit: 'ms', baseline },
      first.slice(1, 2),
      first.slice(0, 1),
    ),
    figureBeside(
      { name: `the minute before it, ${many} HTTP servers`, unit: 'ms', baseline },
      first.slice(2, 3),
      first.slice(0, 1),
    ),
  ]);
}

function writeServers(agentDir: string, mcpServers: object): void {
  writeFileSync(join(agentDir, 'mcp.json'), JSON.stringify({ mcpServers }));
}

function processes(): object {
  const entry = { command: 'node', args: [benchServer, '--tools=10'], lifecycle: 'eager' };
  return named(few, entry);
}

function remotes(url: string): object {
  return named(many, { url, lifecycle: 'eager' });
}

function named(count: number, entry: object): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`server${index}`, entry]));
}

/** Milliseconds of the processor in one of the next minutes, which are the same for all. */
async function minuteOf(
  windows: readonly Workbench[],
  minutes: number,
): Promise<readonly number[]> {
  const pids = windows.map(({ extensionHost }) => extensionHost());
  const before = pids.map(processorMs);
  await delay(minutes * minuteMs);
  return pids.map((pid, index) => (processorMs(pid) - (before[index] ?? 0)) / minutes);
}

function processorMs(pid: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}
