/** Every thread that Node has for files is taken, as by another extension that reads a whole disk. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, open, openSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ProcessLedger } from '../../../src/platform/process/ledger.js';
import { createProcessTree } from '../../../src/platform/process/tree.js';
import { TestConnections } from '../../fixtures/connections.js';
import { waitForProcesses } from '../../fixtures/processes.js';

const threads = 8;
let directory: string;
let connections: TestConnections;
let occupied: (() => Promise<void>)[];
let pipes = 0;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'busy-pool-'));
  connections = new TestConnections();
  occupied = [];
});

afterEach(async () => {
  await release();
  await connections.closeAll();
  expect(await connections.processes()).toEqual([]);
  await rm(directory, { recursive: true });
});

/** A pipe that nobody writes to keeps each thread that opens it for as long as we like. */
function occupyThreads(): void {
  for (let index = 0; index < threads; index++) {
    const pipe = join(directory, `pipe-${pipes++}`);
    execFileSync('mkfifo', [pipe]);
    const opened = promisify(open)(pipe, constants.O_RDONLY);
    occupied.push(async () => {
      const writer = openSync(pipe, constants.O_RDWR);
      closeSync(await opened);
      closeSync(writer);
    });
  }
}

async function release(): Promise<void> {
  await Promise.all(occupied.splice(0).map((free) => free()));
}

it.each([[[]], [['--ignore-eof']], [['--helper-detached', '--ignore-eof']]])(
  'delays no stop of a server: %s',
  async (faults) => {
    const connection = await connections.openMisbehaving(...faults);
    await waitForProcesses(connections.marker, faults.length === 2 ? 2 : 1);
    occupyThreads();
    await connection.close();
    await release();
    expect(await connections.processes()).toEqual([]);
  },
);

it('keeps nothing from being recorded and forgotten', async () => {
  const ledger = new ProcessLedger({
    directory: join(directory, 'ledger'),
    tree: createProcessTree(),
  });
  occupyThreads();
  ledger.record(process.pid, 'm');
  ledger.recordMembers(process.pid);
  await ledger.flush();
  await release();
  expect(await readdir(join(directory, 'ledger'))).toHaveLength(1);
  occupyThreads();
  ledger.forget(process.pid);
  await ledger.flush();
  await release();
  expect(await readdir(join(directory, 'ledger'))).toEqual([]);
});
