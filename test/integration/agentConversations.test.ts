/** Conversations that outlive the window, with the real Pi and its session files. */
import fs from 'node:fs';
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { pruneConversations } from '../../src/agent/conversations/conversations.js';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { answerEcho, demoServer, manyTools } from '../helpers/fakes/demoServer.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harness = useAgentHarness();
const dayMs = 24 * 60 * 60 * 1000;

it('goes on after the window was closed: messages, calls and results are there', async () => {
  const h = await harness({ servers: () => [demoServer()] });
  await h.panel.prompt('echo first');
  await h.answer('once', '{"message": "edited"}');
  await h.panel.prompt('echo second');
  const before = (await h.answer('deny')).transcript;
  const after = await h.reload();
  expect(after.state).toMatchObject({ status: 'ready', title: 'echo first' });
  const shown = (entries: typeof before) =>
    entries.map(({ id: _, ...entry }) => (entry.kind === 'tool' ? { ...entry, whole: 0 } : entry));
  expect(shown(after.transcript)).toEqual(shown(before));
  expect(h.tools().map(({ status, mcp }) => [status, mcp?.server])).toEqual([
    ['done', 'demo'],
    ['denied', 'demo'],
  ]);
  await h.say('hello');
  const users = h.demo.requests.at(-1)?.messages.filter(({ role }) => role === 'user');
  expect(users).toHaveLength(3);
});

it('keeps the tools that ToolSearch activated, and no approval of the session', async () => {
  const h = await harness({ servers: () => [demoServer(answerEcho, manyTools)] });
  await h.panel.prompt('echo first');
  await h.answer('session');
  expect(h.tools().map(({ tool }) => tool)).toEqual(['ToolSearch', 'demo__echo']);
  await h.reload();
  await h.panel.prompt('echo second');
  await h.untilAsked();
  expect(h.offered()).toContain('demo__echo');
  expect(h.tools().map(({ tool }) => tool)).toEqual(['ToolSearch', 'demo__echo', 'demo__echo']);
});

it('says that a run was cut off, and takes the next message', async () => {
  const h = await harness({ servers: () => [demoServer()] });
  await h.panel.prompt('echo first');
  await h.untilAsked();
  const { transcript, state } = await h.reload();
  expect(state).toMatchObject({ status: 'ready', approvals: [] });
  expect(transcript.find(({ kind }) => kind === 'tool')).toMatchObject({
    status: 'denied',
    result: [{ text: 'Not run: the window was closed before you decided.' }],
  });
  expect(transcript.at(-1)).toMatchObject({ kind: 'notice', level: 'info' });
  expect((await h.say('hello')).transcript.at(-1)).toMatchObject({ kind: 'assistant' });
});

it('tells a stopped run from one that was cut off', async () => {
  const h = await harness({ servers: () => [demoServer()] });
  await h.say('hello');
  await h.panel.prompt('echo first');
  await h.untilAsked();
  await h.panel.stop();
  const { transcript } = await h.reload();
  expect(transcript.at(-1)).toMatchObject({ kind: 'notice', level: 'info', text: 'Stopped' });
  expect(transcript.filter(({ kind }) => kind === 'notice')).toHaveLength(1);
});

it('tells of a failed request again, and not of one that a retry made good', async () => {
  const h = await harness();
  const failed = await h.say('hello', 'fail with 400');
  expect(failed.transcript.at(-1)).toMatchObject({ kind: 'notice', level: 'error' });
  expect(JSON.stringify(failed.transcript.at(-1))).toContain('Asked to fail');
  const { transcript } = await h.reload();
  const notices = transcript.filter(({ kind }) => kind === 'notice');
  expect(notices).toEqual([expect.objectContaining({ level: 'error' })]);
});

it('starts a new conversation, keeps the old one and lets the user go back to it', async () => {
  const h = await harness();
  await h.say('hello,\n  what is this?');
  await h.panel.newSession();
  expect((await h.reload()).transcript).toEqual([]);
  const [old, ...rest] = await h.panel.library.list();
  expect(rest).toEqual([]);
  expect(old).toMatchObject({ title: 'hello, what is this?', isShown: false });
  await h.panel.library.open(old?.id ?? '');
  expect(await h.panel.library.list()).toMatchObject([{ isShown: true }]);
  expect(h.panel.snapshot().transcript).toHaveLength(2);
  await h.panel.library.delete(old?.id ?? '');
  expect(h.panel.snapshot().transcript).toEqual([]);
  expect(await h.panel.library.list()).toEqual([]);
  await expect(h.panel.library.delete('../../agent/auth.json')).rejects.toThrow();
});

it('brings a deleted conversation back, until it is pruned a day later', async () => {
  const h = await harness();
  await h.say('hello');
  const path = await conversationFile(h);
  const [one] = await h.panel.library.list();
  await h.panel.library.delete(one?.id ?? '');
  expect(await h.panel.library.list()).toEqual([]);
  await h.panel.library.restore(one?.id ?? '');
  expect(await h.panel.library.list()).toMatchObject([{ title: 'hello', isShown: false }]);
  await h.panel.library.open(one?.id ?? '');
  expect(h.panel.snapshot().transcript).toHaveLength(2);

  await h.panel.library.delete(one?.id ?? '');
  const root = join(h.root, 'storage', 'sessions');
  const limits = { maxCount: 0, maxAgeDays: 0 };
  await pruneConversations(root, limits, { kept: new Set() });
  expect(await readdir(dirname(path))).toContain(`${one?.id}.deleted`);
  await pruneConversations(root, limits, { kept: new Set(), now: Date.now() + 2 * dayMs });
  expect(await readdir(dirname(path))).not.toContain(`${one?.id}.deleted`);
  await expect(h.panel.library.restore(one?.id ?? '')).rejects.toThrow();
});

it.each([true, false])('renames a conversation, shown: %s', async (isShown) => {
  const h = await harness();
  await h.say('hello');
  const { id } = one(await h.panel.library.list());
  if (!isShown) {
    await h.panel.newSession();
  }
  await h.panel.library.rename(id, ' Greetings\n of the day ');
  expect(one(await h.panel.library.list()).title).toBe('Greetings of the day');
  await h.panel.library.open(id);
  expect((await h.reload()).state.title).toBe('Greetings of the day');
  // it goes on where it was
  expect((await h.say('hello again')).transcript).toHaveLength(4);
  await h.panel.library.rename(id, '');
  expect(h.panel.snapshot().state.title).toBe('hello');
  expect(one(await h.panel.library.list()).title).toBe('hello');
});

it('lists what was sent in the other conversations of the folder, the latest first', async () => {
  const h = await harness({});
  for (const said of [['hello one'], ['hello two', 'hello three'], ['hello here']]) {
    await h.panel.newSession();
    for (const text of said) {
      await h.say(text);
    }
  }
  expect(await h.panel.library.earlierRequests()).toEqual([
    'hello three',
    'hello two',
    'hello one',
  ]);
});

it('goes on with a copy, and leaves the first as it is', async () => {
  const h = await harness();
  await h.say('hello');
  const { id } = one(await h.panel.library.list());
  await h.panel.library.fork(id);
  expect(h.panel.snapshot().state.title).toBe('Fork of hello');
  expect((await h.say('hello from the copy')).transcript).toHaveLength(4);
  await h.panel.library.open(id);
  expect(h.panel.snapshot().transcript).toHaveLength(2);
  expect((await h.panel.library.list()).map(({ title }) => title).sort()).toEqual([
    'Fork of hello',
    'hello',
  ]);
});

it('changes no conversation that another window shows', async () => {
  const h = await harness();
  await h.say('hello');
  const { id } = one(await h.panel.library.list());
  const other = h.openSecondWindow();
  try {
    const refused = expect(other.library.rename(id, 'Mine')).rejects;
    await refused.toMatchObject({ code: 'conversation_open' });
    // the other window got a copy
    expect(titles(await h.panel.library.list())).toEqual(['hello', 'hello']);
  } finally {
    other.dispose();
  }
});

it('exports a conversation without secrets, and finds its words', async () => {
  const h = await harness({ servers: () => [demoServer()] });
  const token = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`;
  await h.panel.prompt(`echo ${token}`);
  await h.answer('once');
  const conversation = one(await h.panel.library.list());
  // control: the file has it
  expect(await readFile(await conversationFile(h), 'utf8')).toContain(token);
  const markdown = await h.panel.library.markdown(conversation);
  const json: unknown = JSON.parse(await h.panel.library.json(conversation));
  expect(markdown).toContain('Tool: demo');
  expect(json).toMatchObject({ folder: 'app', messages: [{ kind: 'request' }, {}, {}, {}] });
  expect(markdown + JSON.stringify(json)).not.toContain(token);
  expect(await h.panel.library.textOf(conversation)).toContain('Echo: ');
});

const one = <T>(items: readonly T[]): T => {
  expect(items).toHaveLength(1);
  return items[0] as T;
};

it('lists conversations without loading anything of Pi', async () => {
  const h = await harness();
  expect(await h.panel.library.list()).toEqual([]);
  expect(h.panel.snapshot().state.status).toBe('loading');
});

it('starts anew, and says so, when the conversation cannot be read', async () => {
  const h = await harness();
  await h.say('hello');
  const path = await conversationFile(h);
  await writeFile(path, 'this is no conversation\n');
  const { state, transcript } = await h.reload();
  expect(state.status).toBe('ready');
  expect(transcript).toEqual([expect.objectContaining({ kind: 'notice', level: 'error' })]);
  expect(await readFile(path, 'utf8')).toBe('this is no conversation\n');
  await h.say('hello again');
});

it('opens a conversation that something gave a name which is none', async () => {
  const h = await harness();
  await h.say('hello');
  const path = await conversationFile(h);
  const named = { type: 'session_info', id: 'odd', parentId: null, name: {} };
  const [head, ...lines] = (await readFile(path, 'utf8')).split('\n');
  await writeFile(
    join(dirname(path), 'odd.jsonl'),
    [head, JSON.stringify(named), ...lines].join('\n'),
  );
  await h.panel.library.open('odd.jsonl');
  expect(h.panel.snapshot().state.title).toBe('hello');
});

it('deletes conversations that are too old or too many, never the open one', async () => {
  const h = await harness();
  for (const text of ['hello one', 'hello two', 'hello three']) {
    await h.panel.newSession();
    await h.say(text);
  }
  const [three, two, one] = await h.panel.library.list();
  const dir = join(await conversationFile(h), '..');
  const old = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);
  await utimes(join(dir, one?.id ?? ''), old, old);
  h.limits.maxAgeDays = 30;
  await h.panel.library.open(three?.id ?? '');
  await h.reload();
  await expect
    .poll(async () => titles(await h.panel.library.list()))
    .toEqual([three?.title, two?.title]);
  h.limits.maxCount = 1;
  await h.panel.library.open(two?.id ?? '');
  await expect.poll(async () => (await h.panel.library.list()).length).toBe(2);
  await h.panel.newSession();
  await expect.poll(async () => (await h.panel.library.list()).length).toBe(1);
});

it('hands a long conversation to the page piece by piece', async () => {
  const h = await harness();
  await h.say('hello');
  await multiply(await conversationFile(h), 150);
  const { transcript, earlier } = await h.reload();
  expect([transcript.length, earlier]).toEqual([100, 202]);
  expect(h.panel.feed.showEarlier()).toMatchObject({ earlier: 102 });
  const { transcript: longer } = await h.say('hello again');
  expect(longer).toHaveLength(202);
  h.panel.feed.showEarlier();
  const all = h.panel.feed.showEarlier();
  expect([all.transcript.length, all.earlier]).toEqual([304, 0]);
});

const titles = (conversations: readonly { readonly title: string }[]) =>
  conversations.map(({ title }) => title);

/** Of the conversation that was written last. */
async function conversationFile(h: AgentHarness): Promise<string> {
  const [newest] = await h.panel.library.list();
  const folder = await h.conversationsDir();
  return join(folder, newest?.id ?? '');
}

/** Repeats the request and the answer of a stored conversation. */
async function multiply(path: string, times: number): Promise<void> {
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const messages = lines.filter((line) => line.includes('"type":"message"')).slice(-2);
  let parent: string = JSON.parse(lines.at(-1) ?? '').id;
  const copies = Array.from({ length: times }, (_, round) =>
    messages.map((line, index) => {
      const id = `copy-${round}-${index}`;
      const copy = JSON.stringify({ ...JSON.parse(line), id, parentId: parent });
      parent = id;
      return copy;
    }),
  );
  await writeFile(path, `${[...lines, ...copies.flat()].join('\n')}\n`);
}

/** Texts of the user in the conversation as its file tells it. */
async function storedTexts(h: AgentHarness, id: string): Promise<readonly string[]> {
  const text = await readFile(join(await h.conversationsDir(), id), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .flatMap(({ message }) => (message?.role === 'user' ? [message.content[0].text] : []));
}

it('gives a second window a copy, so that neither loses what the other writes', async () => {
  const h = await harness();
  await h.say('first');
  const other = h.openSecondWindow();
  try {
    const { transcript } = await other.ensureSession();
    expect(transcript.at(-1)).toMatchObject({
      kind: 'notice',
      level: 'info',
      text: expect.stringContaining('copy'),
    });
    await other.prompt('in the second window');
    await expect.poll(() => other.snapshot().state.status).toBe('ready');
    await h.say('in the first window');
    const listed = await h.panel.library.list();
    const stored = await Promise.all(listed.map(({ id }) => storedTexts(h, id)));
    expect(stored.toSorted()).toEqual([
      ['first', 'in the first window'],
      ['first', 'in the second window'],
    ]);
  } finally {
    other.dispose();
  }
});

it('does not hold the window up until the disk has a new conversation', async () => {
  const waits = vi.spyOn(fs, 'fsyncSync');
  try {
    const h = await harness({ servers: () => [demoServer()] });
    await h.say('hello');
    expect(await storedTexts(h, (await h.panel.library.list())[0]?.id ?? '')).toEqual(['hello']);
    expect(waits).not.toHaveBeenCalled();
  } finally {
    waits.mockRestore();
  }
});

it('writes a conversation whole whose file was deleted elsewhere', async () => {
  const h = await harness();
  await h.say('first');
  const [shown] = await h.panel.library.list();
  await rm(join(await h.conversationsDir(), shown?.id ?? ''));
  await h.say('second');
  expect(await storedTexts(h, shown?.id ?? '')).toEqual(['first', 'second']);
  expect((await h.reload()).state).toMatchObject({ title: 'first' });
});
