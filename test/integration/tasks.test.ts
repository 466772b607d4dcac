/** Tools that run as tasks: real servers, both generations of the protocol, connections that come and go. */
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onceEvent } from '../../src/base/event.js';
import type { JsonObject } from '../../src/base/json.js';
import type { FinishedCall } from '../../src/mcp/catalog/records/toolStatistics.js';
import type {
  ClientFeatures,
  ElicitationRequest,
} from '../../src/mcp/connection/session/clientFeatures.js';
import type { McpServer, McpService } from '../../src/mcp/mcpApi.js';
import type { McpToolResult } from '../../src/mcp/mcpTypes.js';
import { runningTasksText } from '../../src/mcp/tasks/taskText.js';
import type { McpTaskRun, McpTaskState } from '../../src/mcp/taskTypes.js';
import { RunHistory } from '../../src/presentation/runTool/runHistory.js';
import { ToolRun } from '../../src/presentation/runTool/toolRun.js';
import { startEverythingHttp } from '../fixtures/everythingHttp.js';
import { startTaskServer } from '../fixtures/servers/tasks.mjs';
import { CoreHarness, everything, find, isAlive, pidOf, reach } from '../helpers/coreHarness.js';
import { FakeKept } from '../helpers/fakes/fakeKept.js';

const script = resolve('test/fixtures/servers/tasks.mjs');
let harness: CoreHarness;
let asked: ElicitationRequest[];
let closes: (() => Promise<unknown>)[];

beforeEach(async () => {
  harness = await CoreHarness.create();
  asked = [];
  closes = [];
});

afterEach(async () => {
  await harness.dispose();
  await Promise.all(closes.map((close) => close()));
});

function features(): ClientFeatures {
  return {
    elicit: async (request) => {
      asked.push(request);
      const field = request.kind === 'form' ? request.fields[0]?.name : undefined;
      return {
        action: 'accept',
        content: { [field ?? 'name']: field === 'name' ? 'Ada' : 'snake' },
      };
    },
    sample: async () => undefined,
  };
}

async function open(entry: JsonObject): Promise<{ service: McpService; server: McpServer }> {
  await harness.writeGlobal({ it: entry });
  const service = await harness.start(undefined, { features });
  return { service, server: find(service, 'it') };
}

function textOf({ content }: McpToolResult): unknown {
  return content[0]?.text;
}

interface Call {
  readonly run: McpTaskRun;
  readonly result: Promise<McpToolResult>;
  /** What was seen of the state, in order. */
  readonly states: McpTaskState[];
}

/** Calls a tool and waits until it has become a task. */
async function start(
  server: McpServer,
  tool: string,
  args: JsonObject = {},
  signal?: AbortSignal,
): Promise<Call> {
  const states: McpTaskState[] = [];
  let result: Promise<McpToolResult> | undefined;
  const run = await new Promise<McpTaskRun>((onTask, reject) => {
    result = server.callTool(tool, args, { onTask, ...(signal && { signal }) });
    result.catch(reject);
  });
  states.push(run.state.value);
  run.state.onDidChange((state) => states.push(state));
  return { run, states, result: result as Promise<McpToolResult> };
}

async function reached(run: McpTaskRun, accepts: (state: McpTaskState) => boolean): Promise<void> {
  if (!accepts(run.state.value)) {
    await onceEvent(run.state.onDidChange, accepts);
  }
}

function failure(promise: Promise<unknown>): Promise<Error & { readonly code?: string }> {
  return promise.then(
    () => Promise.reject(new Error('It did not fail')),
    (error: Error) => error,
  );
}

async function statsOf(server: McpServer): Promise<JsonObject> {
  return JSON.parse(String(textOf(await server.callTool('stats', {}))));
}

const wires = [
  ['over stdio with the first engine', 'stdio', 'legacy', false],
  ['over stdio with the second engine', 'stdio', 'auto', false],
  ['over stdio in the newer generation', 'stdio', '2026-07-28', true],
  ['over HTTP', 'http', 'legacy', false],
  ['over HTTP in the newer generation', 'http', 'auto', true],
] as const;

describe.each(wires)('%s', (_title, transport, protocolVersion, isModern) => {
  async function openTasks() {
    if (transport === 'stdio') {
      const args = [script, ...(isModern ? ['--modern'] : [])];
      return open({ command: process.execPath, args, protocolVersion });
    }
    const http = await startTaskServer({ isModern });
    closes.push(() => http.close());
    const opened = await open({ url: http.url, protocolVersion });
    closes.push(async () => expect(http.wrongHeaders).toEqual([]));
    return opened;
  }

  it('waits for a task that a tool requires, and shows what it does', async () => {
    const { server } = await openTasks();
    const { run, states, result } = await start(server, 'work', { what: 'tasks', steps: 3 });
    expect(textOf(await result)).toBe('worked on tasks');
    expect(states.map(({ status, message }) => message ?? status)).toEqual([
      'working',
      'step 1',
      'step 2',
      'completed',
    ]);
    expect(run.immediateResponse).toBe(isModern ? undefined : 'Working on it.');
    expect(await statsOf(server)).toMatchObject({ creates: 1, plain: 0, cancels: [] });
  });

  it('is run by hand as a task or plainly, as the user says where that is ours', async () => {
    const { service, server } = await openTasks();
    const history = new RunHistory(new FakeKept());
    const counted: string[] = [];
    const statistics = {
      count: ({ tool, outcome }: FinishedCall) =>
        counted.push(`${tool} ${'error' in outcome ? 'failed' : 'answered'}`),
    };
    const byHand = (tool: string) =>
      new ToolRun({ serverId: server.id, tool }, { service, statistics, history, language: 'en' });
    const said: string[] = [];
    const text = async (tool: string, asTask?: boolean) => {
      said.length = 0;
      const params = { args: {}, ...(asTask !== undefined && { asTask }) };
      const reply = await byHand(tool).run(params, (progress) => said.push(progress.text));
      return JSON.stringify(reply.kind === 'ended' && reply.outcome.blocks);
    };
    expect(byHand('optional').view).toMatchObject({ task: 'optional' });
    expect(byHand('work').view).toMatchObject({ task: 'required' });
    expect(await text('optional')).toContain('ran as a task');
    expect(said.every((one) => one.startsWith('Task: '))).toBe(true);
    expect(said.length).toBeGreaterThan(0);
    const plain = await text('optional', false);
    expect(plain.includes('ran plainly')).toBe(!isModern);
    expect(said.length > 0).toBe(isModern);
    expect(await text('work', false)).toContain('worked on');
    const run = byHand('work');
    const running = run.run({ args: { steps: 1_000 } }, () => run.cancel());
    expect(await running).toMatchObject({ outcome: { end: 'cancelled' } });
    expect(counted).toEqual([
      'optional answered',
      'optional answered',
      'work answered',
      'work failed',
    ]);
  });

  it('says why a task failed', async () => {
    const { server } = await openTasks();
    const error = await failure(server.callTool('fail', {}));
    expect(error.code).toBe('task_failed');
    expect(error.message).toContain('out of paper');
    const result = await server.callTool('fail_result', {});
    expect([result.isError, textOf(result)]).toEqual([true, 'no such file']);
  });

  it('tells apart tasks that were cancelled over there and that are gone', async () => {
    const { server } = await openTasks();
    const cancelled = await failure(server.callTool('cancelled', {}));
    expect([cancelled.code, cancelled.message]).toEqual([
      'task_cancelled',
      'The task was cancelled: the operator stopped it',
    ]);
    expect((await failure(server.callTool('expire', {}))).code).toBe('task_gone');
  });

  it('gives up a task whose server talks nonsense about it', async () => {
    const { server } = await openTasks();
    const call = failure(server.callTool('nonsense', {}));
    expect((await call).message).toContain('"tasks/get" has no valid task');
  });

  it('keeps the good parts of a malformed result', async () => {
    const { server } = await openTasks();
    expect((await server.callTool('malformed', {})).content).toEqual([
      { type: 'text', text: 'fine' },
    ]);
  });

  it('asks the user once for what a task needs', async () => {
    const { server } = await openTasks();
    const { result, states } = await start(server, 'ask');
    expect(JSON.parse(String(textOf(await result)))).toMatchObject({
      action: 'accept',
      content: { name: 'Ada' },
    });
    expect(asked).toHaveLength(1);
    expect(states.map(({ status }) => status)).toContain('input_required');
  });

  it('tells the server when the user refuses what cannot be declined', async () => {
    const { server } = await openTasks();
    if (isModern) {
      expect((await failure(server.callTool('sample', {}))).message).toContain('rejected');
      expect(await statsOf(server)).toMatchObject({ cancels: ['sample'] });
    } else {
      expect(textOf(await server.callTool('sample', {}))).toBe('"refused"');
    }
  });

  it('stops a task with the call that waits for it', async () => {
    const { server } = await openTasks();
    const abort = new AbortController();
    const { run, result } = await start(server, 'endless', {}, abort.signal);
    await reached(run, ({ message }) => message !== undefined);
    abort.abort(new Error('enough'));
    expect((await failure(result)).message).toBe('enough');
    expect(run.state.value.status).not.toBe('working');
    await expect.poll(async () => (await statsOf(server)).cancels).toEqual(['endless']);
  });

  it('goes on with a detached task when its call ends, until it is cancelled', async () => {
    const { server } = await openTasks();
    const abort = new AbortController();
    const { run, states, result } = await start(server, 'endless', {}, abort.signal);
    run.detach();
    abort.abort(new Error('enough'));
    const seen = states.length;
    await reached(run, () => states.length > seen + 1);
    expect(server.activity.holders).toEqual(['task endless']);
    expect(server.tasks.all).toEqual([run]);
    await run.cancel();
    expect((await failure(result)).code).toBe('task_cancelled');
    expect(run.state.value.status).toBe('cancelled');
    expect(server.activity.holders).toEqual([]);
    expect(await statsOf(server)).toMatchObject({ cancels: ['endless'] });
    server.tasks.forget(run);
    expect(server.tasks.all).toEqual([]);
  });

  it('gives up its tasks when the server is stopped', async () => {
    const { server } = await openTasks();
    const { result } = await start(server, 'endless');
    await server.stop();
    expect((await failure(result)).code).toBe('task_abandoned');
    expect(server.state.value.kind).toBe('idle');
  });
});

describe.each(['legacy', 'auto'] as const)(
  'a task of the older generation, %s',
  (protocolVersion) => {
    it('shows its progress', async () => {
      const { server } = await open({ command: process.execPath, args: [script], protocolVersion });
      const { run, states, result } = await start(server, 'progress');
      expect(textOf(await result)).toBe('counted');
      expect(states.at(-1)?.progress ?? run.state.value.progress).toEqual({
        progress: 3,
        total: 3,
        message: 'counting',
      });
      // its next question would come after a minute
      expect(textOf(await server.callTool('announce', {}))).toBe('announced');
    });
  },
);

describe('a task and its connection', () => {
  it('is gone with the process that worked on it, and is not started again', async () => {
    const { server } = await open({ command: process.execPath, args: [script] });
    const { run, result } = await start(server, 'endless');
    const pid = pidOf(server);
    process.kill(pid, 'SIGKILL');
    expect((await failure(result)).code).toBe('task_gone');
    expect(run.state.value.status).toBe('failed');
    expect(isAlive(pid)).toBe(false);
    expect(await statsOf(server)).toMatchObject({ creates: 0 });
  });

  it('goes on over a lost session, without a second execution', async () => {
    const http = await startTaskServer();
    closes.push(() => http.close());
    const { server } = await open({ url: http.url });
    const { run, result } = await start(server, 'work', { steps: 6 });
    await reached(run, ({ message }) => message === 'step 1');
    http.loseSessions();
    await reached(run, ({ message }) => message === 'step 4');
    await server.restart();
    expect(textOf(await result)).toBe('worked on it');
    expect(http.tasks.stats.creates).toBe(1);
  });

  it('goes on when a server comes back that was away', async () => {
    const first = await startTaskServer();
    const { server } = await open({ url: first.url });
    const { run, result, states } = await start(server, 'work', { steps: 4 });
    await reached(run, ({ message }) => message === 'step 1');
    await first.close();
    await reached(run, ({ isUnreachable }) => isUnreachable === true);
    const second = await startTaskServer({ port: first.port, tasks: first.tasks });
    closes.push(() => second.close());
    expect(textOf(await result)).toBe('worked on it');
    expect(states.at(-1)).toEqual({ status: 'completed' });
    expect(first.tasks.stats.creates).toBe(1);
  });

  it('can be taken up again by its id', async () => {
    const http = await startTaskServer();
    closes.push(() => http.close());
    const { service, server } = await open({ url: http.url });
    const { run, result } = await start(server, 'work', { steps: 8 });
    await reached(run, ({ message }) => message === 'step 1');
    expect(await server.tasks.listOthers()).toEqual([]);
    await harness.close(service);
    expect((await failure(result)).code).toBe('task_abandoned');
    const later = await open({ url: http.url });
    const [task] = await later.server.tasks.listOthers();
    expect(task).toMatchObject({ taskId: run.taskId, status: 'working' });
    if (!task) {
      return;
    }
    const resumed = await later.server.tasks.resume(task);
    expect(textOf(await resumed.result)).toBe('worked on it');
    expect(http.tasks.stats.creates).toBe(1);
  });

  it('is not hurt by a short time limit for requests', async () => {
    const { server } = await open({
      command: process.execPath,
      args: [script],
      requestTimeoutMs: 1_000,
    });
    const { run, result } = await start(server, 'work', { steps: 14 });
    expect(textOf(await result)).toBe('worked on it');
    expect(Date.now() - run.startedAt).toBeGreaterThan(1_000);
  });

  it('is announced with its server', async () => {
    const { service, server } = await open({ command: process.execPath, args: [script] });
    const seen: (string | undefined)[] = [];
    service.onDidChangeServer(({ tasks }) => seen.push(runningTasksText(tasks)));
    const { run } = await start(server, 'endless');
    await reached(run, ({ message }) => message === 'still at it, 8');
    // what it says meanwhile concerns nobody but who follows it
    expect(seen).toEqual(['tasks: 1']);
    await run.cancel();
    await expect.poll(() => seen).toEqual(['tasks: 1', undefined]);
  });

  it('ends when its server may not run any more', async () => {
    const { service, server } = await open({ command: process.execPath, args: [script] });
    const { result } = await start(server, 'endless');
    const ended = failure(result);
    await service.configuration.setEnabled(server.id, false);
    await service.reload();
    expect((await ended).code).toBe('task_abandoned');
    await reach(server, 'disabled');
  });
});

describe('the research of server-everything', () => {
  it.each(['stdio', 'http'] as const)('runs over %s and asks what is ambiguous', async (kind) => {
    let entry: JsonObject = everything;
    if (kind === 'http') {
      const http = await startEverythingHttp();
      closes.push(() => http.close());
      entry = { url: http.url };
    }
    const { server } = await open(entry);
    const tool = server.catalog.value.tools.find(({ name }) => name === 'simulate-research-query');
    expect(tool?.taskSupport).toBe('required');
    const plain = start(server, 'simulate-research-query', { topic: 'tides' });
    const ambiguous = start(server, 'simulate-research-query', {
      topic: 'python',
      ambiguous: true,
    });
    const { states, result } = await plain;
    expect(String(textOf(await result))).toContain('# Research Report: tides');
    expect(states.map(({ message }) => message)).toContain('Analyzing content...');
    const other = await ambiguous;
    expect(String(textOf(await other.result))).toContain('# Research Report: python (snake)');
    expect(asked).toHaveLength(1);
    expect(server.tasks.all.map(({ state }) => state.value.status)).toEqual([
      'completed',
      'completed',
    ]);
  });
});
