import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TranspilerThread } from '../../../../../src/agent/pi/transpiling/transpilerThread.js';
import { FakeClock } from '../../../../helpers/fakes/fakeClock.js';

let dir: string;
let threads: Worker[];
const count = (worker: Worker) => threads.push(worker);

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pi-mcp-thread-'));
  threads = [];
  process.on('worker', count);
});
afterEach(async () => {
  process.off('worker', count);
  await rm(dir, { recursive: true, force: true });
});

const request = (source: string) => ({
  beside: dir,
  settings: {},
  input: { filename: 'a.ts', source, ts: true, async: true },
});

async function threadOf(program: string, clock = new FakeClock()): Promise<TranspilerThread> {
  const path = join(dir, 'program.cjs');
  await writeFile(path, `const { parentPort } = require('node:worker_threads');\n${program}`);
  return new TranspilerThread(pathToFileURL(path), clock);
}

const answering = `parentPort.on('message', ({ id, input }) => {
  if (input.source === 'fatal') throw new Error('no');
  parentPort.postMessage({ id, code: input.source + Object.keys(process.env).length + process.execArgv.length });
});`;

it('runs one program for all, which needs nothing of its surroundings, until it is idle', async () => {
  const clock = new FakeClock();
  const thread = await threadOf(answering, clock);
  const texts = await Promise.all(['a', 'b'].map((text) => thread.transpile(request(text))));
  expect(texts).toEqual(['a00', 'b00']);
  expect(await thread.transpile(request('c'))).toBe('c00');
  expect(threads).toHaveLength(1);
  const end = new Promise((ended) => threads[0]?.once('exit', ended));
  expect(clock.pending).toEqual([1_000]);
  clock.advance(1_000);
  await end;
  expect(await thread.transpile(request('d'))).toBe('d00');
  expect(threads).toHaveLength(2);
  clock.advance(1_000);
});

it('gives up what a program leaves undone, and begins again', async () => {
  const clock = new FakeClock();
  const thread = await threadOf(answering, clock);
  const texts = await Promise.all(['fatal', 'b'].map((text) => thread.transpile(request(text))));
  expect(texts).toEqual([undefined, undefined]);
  expect(await thread.transpile(request('c'))).toBe('c00');
  clock.advance(1_000);
});

it.each(['process.exit(0)', 'not a program'])('does without one that ends: %s', async (program) => {
  const thread = await threadOf(program);
  expect(await thread.transpile(request('a'))).toBeUndefined();
});

it('does without one that cannot be started', async () => {
  const thread = new TranspilerThread(new URL('https://a.example/x.cjs'), new FakeClock());
  expect(await thread.transpile(request('a'))).toBeUndefined();
  expect(threads).toEqual([]);
});
