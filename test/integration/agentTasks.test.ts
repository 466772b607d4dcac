/** Calls of the agent that run as tasks: the real Pi, the demo model, a real server. */
import { resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { onceEvent } from '../../src/base/event.js';
import type { McpService } from '../../src/mcp/mcpApi.js';
import { CoreHarness, find } from '../helpers/coreHarness.js';
import { type AgentHarness, createAgentHarness } from '../helpers/fakes/agentHarness.js';

const script = resolve('test/fixtures/servers/tasks.mjs');
let core: CoreHarness;
let service: McpService;
let h: AgentHarness;

beforeEach(async () => {
  core = await CoreHarness.create();
  await core.writeGlobal({
    tasks: { command: process.execPath, args: [script], exposure: 'direct' },
  });
  service = core.open();
  await service.whenStarted();
  h = await createAgentHarness({ service, mode: 'runFreely' });
});

afterEach(async () => {
  await h.dispose();
  await core.dispose();
});

/** Waits until the card of a call is so. */
async function untilCard(accepts: (card: ReturnType<AgentHarness['tools']>[number]) => boolean) {
  await h.until('such a card', () => h.tools().some(accepts));
  const card = h.tools().find(accepts);
  if (!card) {
    throw new Error('The card has changed again');
  }
  return card;
}

/** Has a call go on in the background once it is a task. @returns its id */
async function detach(call: string): Promise<string> {
  await h.panel.prompt(call);
  const { task } = await untilCard((card) => card.task !== undefined);
  const callId = task?.callId ?? '';
  h.panel.shown?.tasks.detach(callId);
  await h.untilDone();
  return callId;
}

function lastRequest(): string {
  return JSON.stringify(h.demo.requests.at(-1)?.messages);
}

it('waits for a task that nobody sends into the background', async () => {
  await h.panel.prompt('call work {"what":"the report"}');
  const card = await untilCard(({ task, progress }) => !!task && progress === 'step 1');
  expect(card).toMatchObject({ status: 'running', task: { isDetached: false } });
  await h.untilDone();
  expect(h.tools()).toMatchObject([
    { status: 'done', result: [{ kind: 'text', text: 'worked on the report' }] },
  ]);
  expect(h.tools()[0]).not.toHaveProperty('task');
  expect(h.offered()).not.toContain('TaskResult');
});

it('goes on without the result, shows it later and gives it to the model with the next request', async () => {
  await detach('call work {"what":"the report","steps":12}');
  expect(h.tools()).toMatchObject([{ status: 'background', task: { isDetached: true } }]);
  expect(lastRequest()).toContain('continue in the background as task-1');
  expect(lastRequest()).toContain('The server says meanwhile: Working on it.');
  await h.say('hello');
  expect(h.offered()).toContain('TaskResult');
  await untilCard(({ status }) => status === 'done');
  expect(h.tools()[0]).toMatchObject({
    result: [{ kind: 'text', text: 'worked on the report' }],
  });
  const requests = h.demo.requests.length;
  await h.say('news');
  expect(h.demo.requests).toHaveLength(requests + 1);
  expect(lastRequest()).toContain('mcp-task-result');
  expect(JSON.stringify(h.panel.snapshot().transcript.at(-1))).toContain(
    'In the background: worked on the report',
  );
  expect(h.offered()).not.toContain('TaskResult');
});

it('gives the model the result that it asks for, once', async () => {
  await detach('call work {"steps":15}');
  await h.say('call TaskResult {"task":"task-1"}');
  expect(h.tools()[1]).toMatchObject({
    tool: 'TaskResult',
    status: 'done',
    result: [{ kind: 'text', text: 'worked on it' }],
  });
  await h.say('news');
  expect(lastRequest()).not.toContain('mcp-task-result');
});

it('cancels a task in the background', async () => {
  const callId = await detach('call endless');
  await h.panel.shown?.tasks.cancel(callId);
  const card = await untilCard(({ status }) => status === 'failed');
  expect(card.result).toMatchObject([{ kind: 'text', text: /The task was cancelled/ }]);
  const stats = await find(service, 'tasks').callTool('stats', {});
  expect(String(stats.content[0]?.text)).toContain('"cancels":["endless"]');
});

it('stops a task with its run unless it is in the background', async () => {
  await h.panel.prompt('call endless');
  await untilCard((card) => card.task !== undefined);
  await h.panel.stop();
  await h.untilDone();
  await expect
    .poll(async () => (await find(service, 'tasks').callTool('stats', {})).content[0]?.text)
    .toContain('"cancels":["endless"]');
  expect(h.tools()).toMatchObject([{ status: /denied|failed/ }]);
});

it('goes on with a task when its conversation does', async () => {
  await detach('call work {"what":"the report","steps":30}');
  const [first] = await h.panel.library.list();
  await h.panel.newSession();
  expect(find(service, 'tasks').tasks.all).toMatchObject([{ isDetached: true }]);
  await h.panel.library.open(first?.id ?? '');
  expect(h.tools()).toMatchObject([{ status: 'background', task: { isDetached: true } }]);
  await h.say('hello');
  expect(h.offered()).toContain('TaskResult');
  const done = await untilCard(({ status }) => status === 'done');
  expect(done.result).toEqual([{ kind: 'text', text: 'worked on the report' }]);
  await h.say('news');
  const news = JSON.stringify(h.panel.snapshot().transcript.at(-1));
  expect(news).toContain('In the background: worked on the report');
  // it is told once
  await h.reload();
  expect(h.tools()).toMatchObject([{ status: 'done' }]);
});

it('says so when its server does not know a task any more', async () => {
  await detach('call endless');
  h.panel.dispose();
  // another process, which knows nothing of the first one
  await core.close(service);
  const next = core.open();
  await next.whenStarted();
  const other = await createAgentHarness({
    service: next,
    place: { root: h.root, modelUrl: h.demo.url },
  });
  try {
    await other.panel.ensureSession();
    await other.until('the end', () => other.tools()[0]?.status === 'failed');
    expect(JSON.stringify(other.tools()[0]?.result)).toContain('does not know the task any more');
  } finally {
    await other.dispose();
  }
});

it('says so when its server is another one by now', async () => {
  await detach('call endless');
  h.panel.dispose();
  const changed = onceEvent(service.onDidChangePools);
  await core.writeGlobal({ tasks: { command: process.execPath, args: [script, '--other'] } });
  await service.reload();
  await changed;
  await h.reload();
  await h.until('the end', () => h.tools()[0]?.status === 'failed');
  expect(JSON.stringify(h.tools()[0]?.result)).toContain('another one by now');
});
