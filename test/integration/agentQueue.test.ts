/** The queue of a conversation over the real Pi and the scripted model: what reaches the model, and when. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pruneConversations } from '../../src/agent/conversations/conversations.js';
import { type NewMessage, plainMessage } from '../../src/agent/queue/messageQueue.js';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { answerEcho, demoServer } from '../helpers/fakes/demoServer.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harness = useAgentHarness();

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Its calls wait until they are let go. */
function slowServer() {
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const server = demoServer(async (...call) => {
    await gate;
    return await answerEcho(...call);
  });
  return { server, letGo: () => letGo() };
}

function withImage(words: string): NewMessage {
  const images = [{ type: 'image' as const, data: png, mimeType: 'image/png' }];
  const attachments = [{ label: 'Image', detail: 'image/png', isImage: true as const }];
  return { ...plainMessage(words), attached: { text: '', images }, attachments };
}

const waiting = (h: AgentHarness) =>
  h.panel.snapshot().state.queue.messages.map(({ kind, text }) => `${kind}: ${text}`);
const untilSent = (h: AgentHarness) =>
  h.until(
    'all were sent',
    ({ state }) => state.status === 'ready' && state.queue.messages.length === 0,
  );
const requestOf = (h: AgentHarness, text: string) =>
  JSON.stringify(
    h.demo.requests
      .map(({ messages }) => messages)
      .find((all) => JSON.stringify(all).includes(text)),
  );

it('steers before the next step of the run, with images, and sends the others after it', async () => {
  const { server, letGo } = slowServer();
  const h = await harness({ mode: 'runFreely', servers: () => [server] });
  await h.panel.prompt('echo one');
  await h.until('a call that runs', () => h.tools()[0]?.status === 'running');
  await h.panel.prompt('hello after all', 'after');
  await h.panel.prompt(withImage('hello, look at this'), 'next');
  expect(waiting(h)).toEqual(['next: hello, look at this', 'after: hello after all']);
  expect(h.said()).toEqual(['echo one']);
  letGo();
  await h.until(
    'the last answer',
    ({ state, transcript }) =>
      state.status === 'ready' && state.queue.messages.length === 0 && transcript.length > 6,
  );
  expect(h.said()).toEqual(['echo one', 'hello, look at this', 'hello after all']);
  const kinds = h.panel.snapshot().transcript.map(({ kind }) => kind);
  expect(kinds.slice(0, 4)).toEqual(['user', 'assistant', 'tool', 'user']);
  expect(requestOf(h, 'look at this')).toContain('image_url');
  expect(requestOf(h, 'look at this')).not.toContain('after all');
});

it('runs nothing after Stop until Resume, with the images that were attached', async () => {
  const h = await harness();
  await h.startStory();
  await h.panel.prompt(withImage('hello next'), 'next');
  await h.panel.prompt(withImage('hello after'), 'after');
  await h.panel.stop();
  const { state } = h.panel.snapshot();
  expect(state).toMatchObject({ status: 'ready', queue: { pause: 'stopped' } });
  expect(state.queue.messages[0]?.attachments).toEqual([
    { label: 'Image', detail: 'image/png', isImage: true },
  ]);
  const requests = h.demo.requests.length;
  // a message of its own shows that nothing else goes out with it or after it
  await h.say('hello meanwhile');
  expect(h.said()).toEqual(['Tell me a long story', 'hello meanwhile']);
  expect(h.demo.requests.length).toBe(requests + 1);
  h.panel.queue?.resume();
  await untilSent(h);
  expect(h.said().slice(2)).toEqual(['hello next', 'hello after']);
  expect(requestOf(h, 'hello next')).toContain('image_url');
});

it('steers only once a waiting approval is decided', async () => {
  const h = await harness({ servers: () => [demoServer()] });
  await h.panel.prompt('echo one');
  const { state } = await h.untilAsked();
  await h.panel.prompt('hello, also this', 'next');
  expect(waiting(h)).toEqual(['next: hello, also this']);
  expect(h.panel.snapshot().state.approvals).toHaveLength(1);
  h.panel.decide(state.approvals[0]?.id ?? '', 'once');
  await untilSent(h);
  expect(h.said()).toEqual(['echo one', 'hello, also this']);
  expect(h.tools()[0]).toMatchObject({ status: 'done' });
});

it('sends a message at once in the place of what runs, and the rest after it', async () => {
  const h = await harness();
  await h.startStory();
  await h.panel.prompt('hello first', 'after');
  await h.panel.prompt('hello second', 'after');
  const [, second] = h.panel.snapshot().state.queue.messages;
  await h.panel.queue?.sendNow(second?.id ?? '');
  await untilSent(h);
  expect(h.said()).toEqual(['Tell me a long story', 'hello second', 'hello first']);
});

it('sends each of two equal messages once', async () => {
  const h = await harness();
  await h.startStory();
  await h.panel.prompt('hello again', 'next');
  await h.panel.prompt('hello again', 'next');
  await untilSent(h);
  expect(h.said()).toEqual(['Tell me a long story', 'hello again', 'hello again']);
});

it('waits after a run that failed', async () => {
  const h = await harness();
  await h.startStory();
  await h.panel.prompt('fail with 400', 'after');
  await h.panel.prompt('hello', 'after');
  await h.until('a pause', ({ state }) => state.queue.pause === 'failed');
  expect(waiting(h)).toEqual(['after: hello']);
  h.panel.queue?.resume();
  await untilSent(h);
});

it('restores the queue as paused when the window was closed in the middle of a run', async () => {
  const h = await harness();
  await h.say('hello');
  await h.startStory();
  await h.panel.prompt(withImage('hello next'), 'next');
  await h.panel.prompt('hello after', 'after');
  const { state } = await h.reload();
  expect(state.queue.pause).toBe('restarted');
  expect(waiting(h)).toEqual(['next: hello next', 'after: hello after']);
  h.panel.queue?.resume();
  await untilSent(h);
  expect(h.said()).toEqual(['hello', 'Tell me a long story', 'hello next', 'hello after']);
  expect(requestOf(h, 'hello next')).toContain('image_url');
});

it('restores the queue of a conversation that Pi had not stored yet', async () => {
  const { server } = slowServer();
  const h = await harness({ servers: () => [server] });
  await h.panel.prompt('echo one');
  await h.untilAsked();
  await h.panel.prompt(withImage('hello next'), 'next');
  await h.reload();
  expect(waiting(h)).toEqual(['next: hello next']);
});

it('keeps the queue with its conversation, also while that is deleted, and removes both', async () => {
  const h = await harness();
  await h.say('hello');
  await h.startStory();
  await h.panel.prompt('hello after', 'after');
  const [first] = await h.panel.library.list();
  await h.panel.stop();
  await h.panel.newSession();
  expect(waiting(h)).toEqual([]);
  expect((await h.panel.library.list()).map(({ id }) => id)).toContain(first?.id);
  await h.panel.library.open(first?.id ?? '');
  expect(waiting(h)).toEqual(['after: hello after']);
  expect(h.panel.snapshot().state.queue.pause).toBe('stopped');
  const file = join(await h.conversationsDir(), `${first?.id}.queue`);
  expect(existsSync(file)).toBe(true);
  await h.panel.library.delete(first?.id ?? '');
  await h.panel.library.restore(first?.id ?? '');
  await h.panel.library.open(first?.id ?? '');
  expect(waiting(h)).toEqual(['after: hello after']);
  await h.panel.library.delete(first?.id ?? '');
  const limits = { maxCount: 0, maxAgeDays: 0 };
  const later = Date.now() + 2 * 24 * 60 * 60 * 1000;
  await pruneConversations(join(h.root, 'storage', 'sessions'), limits, {
    kept: new Set(),
    now: later,
  });
  expect(existsSync(file)).toBe(false);
});
