/**
 * Runs before each file of tests, in its worker: notes what the file takes and starts in the folder that
 * `PI_MCP_COSTS_DIR` names. Processor time is that of the worker, of the VS Code and the browser that it shares with files
 * before, and of the processes below them.
 */
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, inject } from 'vitest';
import { kindOfProcess, noteStart, takeStarts } from './starts.js';

const dir = process.env.PI_MCP_COSTS_DIR;
const millisecondsOfTick = 10;

// by the files before it in this worker, whose start counts as its first file's
const held = globalThis as { piMcpTakenMs?: number };

if (dir !== undefined) {
  // a worker may have waited for another ring since its last file
  const beganMs = held.piMcpTakenMs === undefined ? 0 : performance.now();
  const beforeMs = held.piMcpTakenMs ?? sharedMs();
  subscribe('child_process', noteProcess);
  afterAll(() => {
    unsubscribe('child_process', noteProcess);
    const takenMs = processorMs(process.pid) + sharedMs();
    held.piMcpTakenMs = takenMs;
    const cost = {
      file: expect.getState().testPath,
      wallMs: performance.now() - beganMs,
      cpuMs: takenMs - beforeMs,
      starts: takeStarts(),
    };
    appendFileSync(join(dir, `${process.pid}.jsonl`), `${JSON.stringify(cost)}\n`);
  });
}

function noteProcess(message: unknown): void {
  const { process: child } = message as { readonly process: ChildProcess };
  // what it runs is not known yet
  queueMicrotask(() => noteStart(kindOfProcess(child.spawnfile, child.spawnargs ?? [])));
}

/** Since they were started, for whichever worker. */
function sharedMs(): number {
  const users = inject('users') ?? [];
  const { pids = [] } = users[(Number(process.env.VITEST_POOL_ID) - 1) % users.length] ?? {};
  return pids.reduce((total, pid) => total + processorMs(pid), 0);
}

/** Of a process, those that it has waited for and those that it has now. 0 where the system does not say. */
function processorMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // its own and those of the ended, each of user and system
    const ticks = fields.slice(11, 15).reduce((total, field) => total + Number(field), 0);
    return childrenOf(pid).reduce(
      (total, child) => total + processorMs(child),
      ticks * millisecondsOfTick,
    );
  } catch {
    return 0;
  }
}

function childrenOf(pid: number): readonly number[] {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).flatMap((task) =>
    readFileSync(join(tasks, task, 'children'), 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );
}
