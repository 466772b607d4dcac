/** The tools that a user switches for one conversation, with the real Pi and a scripted model. */
import { expect, it } from 'vitest';
import { defaultToolPolicy } from '../../src/agent/policy/toolPolicy.js';
import { profilePatterns } from '../../src/agent/tools/choice/profiles.js';
import { ValueEmitter } from '../../src/base/valueEmitter.js';
import { ToolSwitches } from '../../src/mcp/catalog/records/toolSwitches.js';
import { nullLogger } from '../../src/platform/ports.js';
import type { ToolChange } from '../../src/protocol/tools/toolChoice.js';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { CallableServer } from '../helpers/fakes/fakeAgentMcp.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harnessWith = useAgentHarness();

const inputSchema = { type: 'object', properties: { message: { type: 'string' } } };
const demo = (names: readonly string[]) =>
  new CallableServer(
    'demo',
    names.map((name) => ({ name, inputSchema, annotations: { readOnlyHint: name === 'look' } })),
    (name) => Promise.resolve({ content: [{ type: 'text', text: name }], isError: false }),
  );

async function change(h: AgentHarness, ...changes: readonly ToolChange[]) {
  await h.panel.ensureSession();
  const { choice } = h.panel.shown ?? {};
  for (const one of changes) {
    await choice?.changeAndRead(one);
  }
  return choice?.view;
}

const off = (...tools: readonly string[]): ToolChange => ({
  kind: 'switch',
  server: 'demo',
  tools,
  isOn: false,
});
const ofDemo = (h: AgentHarness) => h.offered().filter((name) => name.startsWith('demo__'));

it('gives the model what is on from the next request of the same run on', async () => {
  const h = await harnessWith({ servers: () => [demo(['echo', 'look', 'shout'])] });
  await h.panel.prompt('echo hello');
  await h.untilAsked();
  expect(ofDemo(h)).toEqual(['demo__echo', 'demo__look', 'demo__shout']);
  const view = await change(h, off('shout'), {
    kind: 'switch',
    server: '',
    tools: ['edit'],
    isOn: false,
  });
  expect(view?.tokens.now).toBeLessThan(view?.tokens.all ?? 0);
  await h.answer('once');
  expect(ofDemo(h)).toEqual(['demo__echo', 'demo__look']);
  expect(h.offered()).toContain('write');
  expect(h.offered()).not.toContain('edit');
  const { tools } = h.panel.snapshot().state;
  expect(tools.all - tools.mcp - tools.builtIn).toBe(2);
});

it('does not run a call of a tool that is switched off while the user is asked', async () => {
  const h = await harnessWith({ servers: () => [demo(['echo'])] });
  await h.panel.prompt('echo hello');
  await h.untilAsked();
  await change(h, off('echo'));
  await h.answer('once');
  expect(h.tools()[0]?.status).toBe('failed');
});

it('stays with the conversation: reloaded, forked, and after an earlier message was edited', async () => {
  const h = await harnessWith({ servers: () => [demo(['echo', 'look', 'shout'])] });
  await h.say('say hi');
  const first = h.panel.snapshot().transcript.find(({ kind }) => kind === 'user');
  await change(h, off('shout'));
  await h.reload();
  await h.say('say hi');
  expect(ofDemo(h)).toEqual(['demo__echo', 'demo__look']);
  const message = first?.kind === 'user' ? (first.message?.id ?? '') : '';
  await h.panel.messages.resend(message);
  await h.untilDone();
  expect(ofDemo(h)).toEqual(['demo__echo', 'demo__look']);
  // the choice came after the message at which it is forked
  await h.panel.library.forkFrom(message);
  await h.say('say hi');
  expect(ofDemo(h)).toEqual(['demo__echo', 'demo__look']);
  await h.panel.newSession();
  await h.say('say hi');
  expect(ofDemo(h)).toEqual(['demo__echo', 'demo__look', 'demo__shout']);
});

it('takes what a server gets later, unless the server is off here', async () => {
  const servers = [demo(['echo'])];
  const h = await harnessWith({ servers: () => servers });
  await change(h, { kind: 'switch', server: 'demo', isOn: false });
  await h.say('say hi');
  expect(ofDemo(h)).toEqual([]);
  expect(h.panel.shown?.choice.view.groups.map(({ server }) => server)).toEqual(['', 'demo']);
  await change(h, { kind: 'reset' });
  await h.say('say hi');
  expect(ofDemo(h)).toEqual(['demo__echo']);
});

it('takes only what reads, as the servers say, and never what is off for all conversations', async () => {
  const switches = new ToolSwitches({
    directory: undefined,
    watcher: { watch: () => ({ dispose: () => undefined }) },
    logger: nullLogger,
  });
  await switches.set({ folderUri: undefined, server: 'demo', tool: 'shout' }, 'off');
  const h = await harnessWith({
    servers: () => [demo(['echo', 'look', 'shout'])],
    tools: { ...defaultToolPolicy, switches },
  });
  const view = await change(h, { kind: 'profile', profile: 'readOnly' });
  await h.say('say hi');
  expect(ofDemo(h)).toEqual(['demo__look']);
  expect(h.offered()).toContain('read');
  expect(h.offered()).not.toContain('bash');
  const shout = view?.groups[1]?.tools.find(({ name }) => name === 'shout');
  expect(shout).toMatchObject({
    isOn: false,
    locked: expect.stringContaining('all conversations'),
  });
  await change(h, { kind: 'switch', server: 'demo', isOn: true });
  await h.say('say hi');
  expect(ofDemo(h).toSorted()).toEqual(['demo__echo', 'demo__look']);
});

it('takes a named profile, follows what becomes of it, and gives nothing once it is gone', async () => {
  const own = new ValueEmitter<unknown>({ look: ['demo/look', 'demo/echo', '!*/echo'] });
  const h = await harnessWith({
    servers: () => [demo(['echo', 'look', 'shout'])],
    profiles: own,
  });
  const run = async () => {
    await h.say('say hi');
    return ofDemo(h).toSorted();
  };
  const view = await change(h, { kind: 'profile', profile: 'user:look' });
  expect(view?.profiles).toEqual([
    { id: 'user:look', label: 'look', title: expect.stringContaining('User') },
  ]);
  expect(await run()).toEqual(['demo__look']);
  // patterns say nothing of Pi's own tools
  expect(h.offered()).toContain('bash');
  own.set({ look: ['demo', '!demo/look'] });
  expect(await run()).toEqual(['demo__echo', 'demo__shout']);
  const choice = h.panel.shown?.choice;
  expect(choice && profilePatterns(choice.view)).toEqual(['demo/echo', 'demo/shout']);
  own.set({});
  expect(await run()).toEqual([]);
  expect(choice?.view.profiles).toMatchObject([{ id: 'user:look', label: 'look' }]);
  await h.reload();
  expect(await run()).toEqual([]);
  await change(h, { kind: 'profile', profile: 'all' });
  expect(await run()).toEqual(['demo__echo', 'demo__look', 'demo__shout']);
});

it('asks about what it lets the model have as before', async () => {
  const h = await harnessWith({ servers: () => [demo(['echo'])] });
  await change(h, { kind: 'switch', server: 'demo', isOn: true });
  await h.panel.prompt('echo hello');
  await h.untilAsked();
});

it('marks what the model has found', async () => {
  const h = await harnessWith({
    servers: () => [demo(['echo', 'shout'])],
    tools: { ...defaultToolPolicy, budget: { ...defaultToolPolicy.budget, value: 0 } },
  });
  await h.say('call ToolSearch {"query": "select:demo__echo"}');
  const marks = h.panel.shown?.choice.view.groups[1]?.tools.map(({ name, mark }) => [name, mark]);
  expect(marks).toEqual([
    ['echo', 'found'],
    ['shout', 'searched'],
  ]);
});
