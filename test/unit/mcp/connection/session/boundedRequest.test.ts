import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { RequestBounds } from '../../../../../src/mcp/connection/session/boundedRequest.js';

let child: ChildProcess | undefined;
afterEach(() => child?.kill());

function boundSilence(timeoutMs: number, onBound: (reason: unknown) => void): RequestBounds {
  return new RequestBounds({ timeoutMs }, { isWaitingForUser: () => false, onBound });
}

/** Keeps the thread from anything else. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Asks a process that answers after a moment, while this thread stands still for longer than the time-out. */
async function ask(timeoutMs: number, stillMs: number): Promise<string> {
  const script = `process.stdin.on('data', () => setTimeout(() => process.stdout.write('answer'), 10))`;
  child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  await once(child, 'spawn');
  return new Promise((resolve) => {
    const limits = boundSilence(timeoutMs, () => end('timeout'));
    const end = (outcome: string) => {
      limits.dispose();
      resolve(outcome);
    };
    child?.stdout?.once('data', (data: Buffer) => end(String(data)));
    child?.stdin?.write('question');
    // after it, timers come before sockets
    setTimeout(() => setImmediate(() => standStill(stillMs)), 0);
  });
}

it('reads what has arrived before a time-out counts', async () => {
  expect(await ask(600, 1400)).toBe('answer');
});

it('gives a server a new period when the machine stood still', async () => {
  let ends = 0;
  const limits = boundSilence(20, () => ends++);
  standStill(1500);
  await new Promise((resolve) => setTimeout(resolve, 0));
  await new Promise(setImmediate);
  expect(ends).toBe(0);
  limits.dispose();
});
