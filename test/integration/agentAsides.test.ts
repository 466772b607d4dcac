/** Questions beside the conversation, with the real Pi and a scripted model. */
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defaultToolPolicy } from '../../src/agent/policy/toolPolicy.js';
import { ValueEmitter } from '../../src/base/valueEmitter.js';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { createDeferred } from '../helpers/fakes/deferred.js';
import { typeCommand } from '../helpers/fakes/typeCommand.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harness = useAgentHarness();

type Request = AgentHarness['demo']['requests'][number];

const textOf = (request: Request | undefined) => JSON.stringify(request?.messages);
const isForTitle = (request: Request) => textOf(request).includes('You name conversations');
const isAside = (request: Request) => textOf(request).includes('This is a side question');
const asked = ({ demo }: AgentHarness) => demo.requests.filter(isAside);
const spent = async ({ panel }: AgentHarness) => (await panel.context.read())?.all;

it('answers a question beside a run, which neither its file nor the model gets to see', async () => {
  const h = await harness();
  const held = createDeferred<undefined>();
  await h.say('steps [{"name": "ls", "args": {"path": "."}}]');
  h.demo.script.say = (request) =>
    isAside(request)
      ? 'It is **forty-two**.'
      : textOf(request).includes('go on')
        ? held.promise
        : undefined;
  await h.panel.prompt('go on');
  await h.until('the run', ({ state }) => state.status === 'running');
  const run = await typeCommand(h, '/btw What is the answer?');
  expect(run).toEqual({ kind: 'done', answer: undefined });
  const { state } = await h.until('the answer', (one) => one.state.aside?.answer !== undefined);
  expect(state.status).toBe('running');
  expect(state.aside).toEqual({
    question: 'What is the answer?',
    answer: 'It is **forty-two**.',
  });
  const [request] = asked(h);
  expect(request).not.toHaveProperty('tools');
  expect(request?.messages.map(({ role }) => role)).not.toContain('tool');
  expect(textOf(request)).toContain('Result of ls');
  expect(textOf(request)).toContain('go on');
  held.resolve(undefined);
  await h.untilDone();
  await h.say('hello');
  expect(textOf(h.demo.requests.at(-1))).not.toMatch(/forty-two|What is the answer/);
  expect(await spent(h)).toMatchObject({ requests: 5 });
  h.panel.shown?.side.aside.dismiss();
  expect(h.panel.snapshot().state.aside).toBeUndefined();
  const [path = ''] = globSync(join(h.root, 'storage', '**', `${h.panel.snapshot().conversation}`));
  const file = await readFile(path, 'utf8');
  expect(file).toContain('"pi-mcp.aside"');
  expect(file).not.toMatch(/forty-two|What is the answer/);
  await h.reload();
  expect(JSON.stringify(h.panel.snapshot())).not.toMatch(/forty-two|What is the answer/);
});

it('ends a question that is dismissed before its answer, and tells why there is none', async () => {
  const h = await harness();
  await h.say('hello');
  const held = createDeferred<string>();
  h.demo.script.say = (request) => (isAside(request) ? held.promise : undefined);
  await typeCommand(h, '/btw Anybody there?');
  await expect.poll(() => asked(h).length).toBe(1);
  h.panel.shown?.side.aside.dismiss();
  held.resolve('Too late');
  h.demo.script.refuse = (request) =>
    isAside(request) ? { status: 401, text: 'who are you?' } : undefined;
  await typeCommand(h, '/btw And now?');
  const { state } = await h.until('a failure', (one) => one.state.aside?.failure !== undefined);
  expect(state.aside).toEqual({
    question: 'And now?',
    failure: expect.stringContaining('who are you?'),
  });
  expect(JSON.stringify(h.panel.snapshot().transcript)).not.toContain('who are you?');
});

it('refuses in words without a question, without a model, and at the limit', async () => {
  const tools = {
    ...defaultToolPolicy,
    spending: { dollars: new ValueEmitter(1), requests: new ValueEmitter(0) },
  };
  const h = await harness({ tools });
  h.titles.set('model');
  const models = JSON.parse(await readFile(h.modelsPath, 'utf8'));
  models.providers.demo.models[0].cost = { input: 2_000, output: 0, cacheRead: 0, cacheWrite: 0 };
  await writeFile(h.modelsPath, JSON.stringify(models));
  await h.panel.ensureSession();
  const refused = (text: string) => expect.objectContaining({ kind: 'refused', text });
  const run = (text: string) => typeCommand(h, text);
  expect(await run('/btw')).toEqual(refused('/btw needs something after it.'));
  await h.say('steps [{"name": "ls", "args": {"path": "."}}]');
  expect(await run('/btw Why?')).toEqual(
    refused(
      'This conversation has cost $2.00, which is its limit. Your next message to Pi asks whether it goes on.',
    ),
  );
  expect(h.demo.requests.filter(isForTitle)).toEqual([]);
  expect(asked(h)).toEqual([]);
});

it('refuses in words while there is no model', async () => {
  const h = await harness({ hasModel: false });
  await h.panel.ensureSession();
  expect(await typeCommand(h, '/btw Why?')).toMatchObject({
    kind: 'refused',
    text: 'Pi has no model that it can use.',
    near: ['/model'],
  });
});
