/** A window that is killed while a conversation takes place, and whether the next one finds everything. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { wholeResultOf } from '../../src/agent/tools/resultStore.js';
import type { AgentSnapshot } from '../../src/protocol/agentProtocol.js';
import type { Image, Recording } from '../fixtures/crash/recorder.js';
import { longText, openWindow, original, type Told } from '../fixtures/crash/scene.js';
import { startTaskServer } from '../fixtures/servers/tasks.mjs';
import { startDemoModel } from '../workbench/demo/demoModel.mjs';
import { useProgram } from './script.js';

let root: string;
let program: ReturnType<typeof useProgram>;
let model: Awaited<ReturnType<typeof startDemoModel>>;
let tasks: Awaited<ReturnType<typeof startTaskServer>>;

/** Of a file of tests, which has a machine of its own. */
export function useCrashes() {
  let home: string;
  program = useProgram('test/fixtures/crash/window.ts');
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'pi-mcp-crash-'));
    // the one path under which every window finds the same files
    root = join(home, 'machine');
    model = await startDemoModel({ wordDelayMs: 2 });
    tasks = await startTaskServer();
  });
  afterAll(async () => {
    await Promise.all([model.close(), tasks.close()]);
    await rm(home, { recursive: true, force: true });
  });
  return { killAt, lookAgain, record: () => record(join(home, 'recording.json')), restore };
}

/** Kills a window before its change to a file of this number: what the user had been told. */
async function killAt(operation: number): Promise<readonly Told[]> {
  await prepare();
  return await runWindow(String(operation));
}

/** What the disk held before each change, and in the middle of each write. */
async function record(path: string): Promise<Recording & { readonly different: readonly Image[] }> {
  await prepare();
  await runWindow(path);
  const recording = JSON.parse(await readFile(path, 'utf8')) as Recording;
  // many changes leave what somebody else made: such as a folder that is there
  const different = new Map(
    recording.images.map((one) => [JSON.stringify([one.files, one.told]), one]),
  );
  return { ...recording, different: [...different.values()] };
}

async function prepare(): Promise<void> {
  await rm(root, { recursive: true, force: true });
  const servers = { tasks: { url: tasks.url, exposure: 'direct' } };
  for (const [path, text] of [
    ['scene.json', JSON.stringify({ modelUrl: model.url })],
    ['core/home/.pi/agent/mcp.json', JSON.stringify({ mcpServers: servers })],
    ['app/a.txt', original],
    ['app/mine.txt', 'of the user\n'],
  ] as const) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

/** Runs the window until it is killed: what the user was told. */
async function runWindow(goal: string): Promise<readonly Told[]> {
  const child = spawn(process.execPath, [program.path, root, goal], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, errors, signal] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    new Promise((resolve) => child.once('exit', (_code, ended) => resolve(ended))),
  ]);
  expect([errors, signal]).toEqual(['', 'SIGKILL']);
  return out
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Told);
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += String(chunk);
  }
  return text;
}

async function restore({ files }: Image, contents: readonly string[]): Promise<void> {
  await rm(root, { recursive: true, force: true });
  for (const [path, index] of Object.entries(files)) {
    const full = join(root, path);
    await mkdir(index < 0 ? full : dirname(full), { recursive: true });
    if (index >= 0) {
      await writeFile(full, Buffer.from(contents[index] ?? '', 'base64'));
    }
  }
}

const open = ['pending', 'running', 'awaiting_approval'];
const usersOf = ({ transcript }: AgentSnapshot) =>
  transcript.flatMap((entry) => (entry.kind === 'user' ? [entry.text] : []));

/** Opens the next window and looks whether everything is as it was. */
async function lookAgain(told: readonly Told[]): Promise<void> {
  const requests = model.requests.length;
  const { core, h } = await openWindow(root, model.url);
  try {
    const snapshot = await h.panel.ensureSession();
    checkMessages(snapshot, told);
    checkDraft(snapshot, told);
    const running = h.tools().filter(({ status }) => open.includes(status));
    expect(running.map(({ tool, status }) => `${tool}: ${status}`).join()).toBe('');
    await checkResults(h, told);
    expect(model.requests.length).toBe(requests);
    await checkFiles(h);
    await h.panel.prompt('hello again');
    const { transcript } = await h.untilDone();
    expect(transcript.at(-1)).toMatchObject({ kind: 'assistant', isStreaming: false });
    expect(usersOf(await h.reload()).filter((text) => text === 'hello again')).toHaveLength(1);
  } finally {
    await h.dispose();
    await core.closeAll();
  }
}

/** Each is there once, in the conversation or waiting, and nothing goes on by itself. */
function checkMessages(snapshot: AgentSnapshot, told: readonly Told[]): void {
  const { queue, status } = snapshot.state;
  const waiting = queue.messages.map(({ text }) => text);
  const all = [...usersOf(snapshot), ...waiting];
  const textsOf = (kind: Told['kind']) =>
    told.flatMap((one) => (one.kind === kind && 'text' in one ? [one.text] : []));
  const removed = textsOf('removed');
  for (const text of textsOf('sending')) {
    const count = all.filter((one) => text.startsWith(one)).length;
    const isSure = textsOf('sent').includes(text) && !removed.includes(text);
    expect([text.slice(0, 60), count]).toEqual([
      text.slice(0, 60),
      isSure ? 1 : Math.min(count, 1),
    ]);
  }
  expect(status).toBe('ready');
  expect(queue.pause).toBe(waiting.length > 0 ? 'restarted' : undefined);
  const withImage = queue.messages.find(({ text }) => text === 'hello, look at this');
  expect(withImage?.attachments.length ?? 1).toBe(1);
}

function checkDraft({ draft }: AgentSnapshot, told: readonly Told[]): void {
  const sure = told.findLastIndex(({ kind }) => kind === 'drafted');
  const texts = told
    .slice(Math.max(0, sure))
    .flatMap((one) => (one.kind === 'drafted' || one.kind === 'drafting' ? [one.text] : []));
  expect(sure < 0 ? ['', ...texts] : texts).toContain(draft?.text ?? '');
}

type Harness = Awaited<ReturnType<typeof openWindow>>['h'];

async function checkResults(h: Harness, told: readonly Told[]): Promise<void> {
  for (const one of told) {
    if (one.kind === 'whole') {
      expect(h.tools().filter(({ whole }) => whole?.callId === one.callId)).toHaveLength(1);
    }
  }
  for (const { whole } of h.tools()) {
    if (whole?.isCut) {
      const { text } = await wholeResultOf(h.panel.shown?.results, whole.callId);
      expect(text).toBe(`worked on ${longText}`);
    }
  }
  // the server has not forgotten it
  await h.until('no task', () => h.tools().every(({ status }) => status !== 'background'));
  const reports = h.tools().filter(({ args }) => args.includes('the report'));
  const isTold = told.some(({ kind }) => kind === 'task');
  for (const { result } of reports) {
    // before the server's name for the task is known here, nobody can ask for it again
    const expected = isTold ? /worked on the report/ : /worked on the report|Interrupted/;
    expect(JSON.stringify(result)).toMatch(expected);
  }
  expect(reports.length).toBeGreaterThanOrEqual(isTold ? 1 : 0);
}

/** An undo brings back each byte, whatever was being written. */
async function checkFiles(h: Harness): Promise<void> {
  await h.panel.shown?.builtInCalls.changes.undo({ isForced: true });
  const app = join(root, 'app');
  expect(await readFile(join(app, 'a.txt'), 'utf8')).toBe(original);
  expect(await readFile(join(app, 'mine.txt'), 'utf8')).toBe('of the user\n');
  expect(['new.txt', 'never.txt'].filter((name) => existsSync(join(app, name)))).toEqual([]);
}
