/** Several conversations that are live at once in one folder, with the real Pi and the scripted model. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maxIdle } from '../../src/agent/live/agentSessions.js';
import type { ListedConversation } from '../../src/agent/panel/library.js';
import type { McpServerId } from '../../src/config/definition.js';
import { FormQuestions } from '../../src/mcp/service/questions/formQuestions.js';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { demoServer, echo } from '../helpers/fakes/demoServer.js';
import { CallableServer } from '../helpers/fakes/fakeAgentMcp.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harness = useAgentHarness();

/** Calls wait until they are let go or cancelled. */
function slowServer() {
  const running = new Map</* message */ string, () => void>();
  const server = new CallableServer('demo', [echo], async (_name, args, { signal }) => {
    const message = String(args.message);
    const held = server.hold();
    try {
      await new Promise<void>((resolve, reject) => {
        running.set(message, resolve);
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    } finally {
      running.delete(message);
      held.dispose();
    }
    return { content: [{ type: 'text', text: `Echo: ${message}` }], isError: false };
  });
  return { server, running };
}

const shownId = (h: AgentHarness) => h.panel.snapshot().conversation;
const firstApproval = async (h: AgentHarness) =>
  (await h.untilAsked()).state.approvals[0]?.id ?? '';

/** Title and state, as the list has them. */
const states = async (h: AgentHarness) =>
  (await h.panel.library.list()).map(({ title, state }) => `${title}: ${state}`);

const find = async (h: AgentHarness, title: string): Promise<ListedConversation> => {
  const found = (await h.panel.library.list()).find((one) => one.title === title);
  if (!found) {
    throw new Error(`No conversation ${title}`);
  }
  return found;
};

/** Looks again whenever a conversation is in another state. */
async function untilListed(h: AgentHarness, wanted: readonly string[]): Promise<void> {
  await expect.poll(async () => (await states(h)).toSorted()).toEqual([...wanted].sort());
}

/** Begins a conversation that asks before it calls. @returns its id */
async function askIn(h: AgentHarness, text: string): Promise<string> {
  await h.panel.newSession();
  await h.panel.prompt(text);
  await h.untilAsked();
  return shownId(h);
}

const answers = (h: AgentHarness) =>
  h.panel
    .snapshot()
    .transcript.flatMap((entry) => (entry.kind === 'assistant' ? [entry.text] : []));

it('runs three at once, each with its own questions, and stops one alone', async () => {
  const h = await harness({ servers: () => [demoServer()] });
  const first = await askIn(h, 'echo first');
  const second = await askIn(h, 'echo second');
  await h.panel.newSession();
  await h.startStory();
  const { state } = await h.until('what waits', ({ state: now }) => now.waiting.length === 2);
  expect(state.waiting).toEqual([
    { id: first, title: 'echo first', count: 1, isShown: false },
    { id: second, title: 'echo second', count: 1, isShown: false },
  ]);
  expect(state.approvals).toEqual([]);
  expect(await states(h)).toEqual([
    'echo second: needs_you',
    'echo first: needs_you',
    'Tell me a long story: working',
  ]);
  await h.panel.stop();
  await untilListed(h, [
    'Tell me a long story: done',
    'echo first: needs_you',
    'echo second: needs_you',
  ]);
  await h.panel.showConversation(first);
  expect(h.panel.snapshot().state.waiting.map(({ isShown }) => isShown)).toEqual([false, true]);
  await h.answer('once');
  expect(answers(h).at(-1)).toContain('Echo: first');
  await untilListed(h, [
    'Tell me a long story: done',
    'echo first: done',
    'echo second: needs_you',
  ]);
  await h.panel.showConversation(second);
  await h.answer('deny');
  expect(h.panel.snapshot().state.waiting).toEqual([]);
});

it('finishes behind another one, which sees nothing of it', async () => {
  const { server, running } = slowServer();
  const h = await harness({ mode: 'runFreely', servers: () => [server] });
  await h.panel.prompt('echo one');
  await expect.poll(() => [...running.keys()]).toEqual(['one']);
  const first = shownId(h);
  await h.panel.newSession();
  await h.panel.prompt('echo two');
  await expect.poll(() => [...running.keys()]).toEqual(['one', 'two']);
  expect(server.holders).toBe(2);
  running.get('one')?.();
  await untilListed(h, ['echo one: done', 'echo two: working']);
  expect(server.holders).toBe(1);
  expect(answers(h).join()).not.toContain('Echo: one');
  await h.panel.stop();
  await expect.poll(() => server.holders).toBe(0);
  await h.panel.library.open(first);
  expect(answers(h).at(-1)).toContain('Echo: one');
});

it('says that the one whose call waits for an answer to its server needs the user', async () => {
  const { server, running } = slowServer();
  const forms = new FormQuestions();
  const h = await harness({ servers: () => [server], questions: forms });
  const news: string[] = [];
  h.panel.onDidGetNews(({ kind, title }) => news.push(`${kind}: ${title}`));
  h.defaultMode.set('runFreely');
  await h.panel.prompt('echo one');
  await expect.poll(() => running.size).toBe(1);
  const asking = shownId(h);
  await h.panel.newSession();
  const about = { serverName: 'demo', message: 'Sure?', fields: [] };
  const leave = new AbortController();
  // of another server, that no call waits for
  const other = forms.create({ ...about, server: 'global/other' as McpServerId });
  void forms.ask(other, leave.signal);
  const question = forms.create({ ...about, server: server.id });
  const answer = forms.ask(question, leave.signal);
  expect(h.panel.snapshot().state.waiting).toEqual([
    { id: asking, title: 'echo one', count: 1, isShown: false },
  ]);
  expect(await states(h)).toContain('echo one: needs_you');
  await expect.poll(() => news).toEqual(['asks: echo one']);
  forms.accept(question.id, {});
  expect(await answer).toEqual({ action: 'accept', content: {} });
  expect(h.panel.snapshot().state.waiting).toEqual([]);
  running.get('one')?.();
  await untilListed(h, ['echo one: done']);
  // nothing of it waits for the server any more
  void forms.ask(forms.create({ ...about, server: server.id }), leave.signal);
  expect(h.panel.snapshot().state.waiting).toEqual([]);
  leave.abort();
});

it('ends the call of the one that is stopped, and holds the server for the other', async () => {
  const { server, running } = slowServer();
  const h = await harness({ mode: 'runFreely', servers: () => [server] });
  await h.panel.prompt('echo one');
  await expect.poll(() => running.size).toBe(1);
  await h.panel.newSession();
  await h.panel.prompt('echo two');
  await expect.poll(() => running.size).toBe(2);
  await h.panel.stop();
  await expect.poll(() => [...running.keys()]).toEqual(['one']);
  expect(server.holders).toBe(1);
  expect(await states(h)).toContain('echo one: working');
  running.get('one')?.();
  await untilListed(h, ['echo one: done', 'echo two: done']);
  expect(server.holders).toBe(0);
});

it('sends what waits in a conversation that is not shown', async () => {
  const { server, running } = slowServer();
  const h = await harness({ mode: 'runFreely', servers: () => [server] });
  await h.panel.prompt('echo one');
  await expect.poll(() => running.size).toBe(1);
  const first = shownId(h);
  await h.panel.prompt('hello', 'after');
  // a message that is being changed is left as it was
  const queued = h.panel.snapshot().state.queue.messages[0]?.id ?? '';
  h.panel.queue?.hold(queued);
  await h.panel.newSession();
  expect(h.panel.snapshot().state.queue.messages).toEqual([]);
  running.get('one')?.();
  await untilListed(h, ['echo one: done']);
  await h.panel.library.open(first);
  const users = h.panel.snapshot().transcript.filter(({ kind }) => kind === 'user');
  expect(users).toMatchObject([{ text: 'echo one' }, { text: 'hello' }]);
});

it('answers no question of another conversation than the one that asked', async () => {
  const h = await harness({ servers: () => [demoServer()] });
  const first = await askIn(h, 'echo first');
  const old = await firstApproval(h);
  await askIn(h, 'echo second');
  // a click that was on its way when another conversation was shown
  h.panel.decide(old, 'deny');
  expect((await h.untilAsked()).state.approvals[0]?.id).not.toBe(old);
  await h.panel.showConversation(first);
  h.panel.decide(old, 'once');
  await h.untilDone();
  expect(answers(h).at(-1)).toContain('Echo: first');
});

it('keeps what was allowed for one conversation to that one', async () => {
  const h = await harness({ servers: () => [demoServer()] });
  const first = await askIn(h, 'echo first');
  await h.answer('session');
  await askIn(h, 'echo second');
  await h.panel.library.open(first);
  await h.say('echo again');
  expect(answers(h).at(-1)).toContain('Echo: again');
});

it('renames, forks and deletes one that works behind the shown one', async () => {
  const h = await harness({ servers: () => [demoServer()] });
  const first = await askIn(h, 'echo first');
  await h.panel.newSession();
  await h.panel.library.rename(first, 'Greetings');
  expect(await states(h)).toEqual(['Greetings: needs_you']);
  await h.panel.showConversation(first);
  await h.answer('once');
  expect((await h.reload()).state.title).toBe('Greetings');

  const second = await askIn(h, 'echo second');
  await h.panel.newSession();
  await h.panel.library.delete(second);
  expect(h.panel.snapshot().state.waiting).toEqual([]);
  expect(await states(h)).toEqual(['Greetings: done']);
  await h.panel.library.restore(second);
  expect(await states(h)).toContain('echo second: done');
});

it('lists one before its first answer, and copies it as far as it is', async () => {
  const h = await harness();
  await h.startStory();
  const { id } = await find(h, 'Tell me a long story');
  expect(await states(h)).toEqual(['Tell me a long story: working']);
  await h.panel.library.fork(id);
  expect(h.panel.snapshot().state).toMatchObject({
    title: 'Fork of Tell me a long story',
    status: 'ready',
  });
  await h.panel.library.open(id);
  expect(h.panel.snapshot().state.status).toBe('running');
  await h.panel.stop();
  await untilListed(h, ['Fork of Tell me a long story: interrupted', 'Tell me a long story: done']);
});

it('lists none to which nothing was said', async () => {
  const h = await harness();
  await h.panel.newSession();
  expect(await states(h)).toEqual([]);
  await expect(h.panel.library.fork(shownId(h))).rejects.toMatchObject({ code: 'no_conversation' });
});

it(`keeps at most ${maxIdle} at rest behind the shown one, and reads the others again`, async () => {
  const h = await harness();
  const ids: string[] = [];
  for (let number = 0; number < maxIdle + 3; number++) {
    await h.panel.newSession();
    await h.say(`hello ${number}`);
    ids.push(shownId(h));
  }
  // each live conversation owns its file
  await expect.poll(() => locks(h)).toHaveLength(maxIdle + 1);
  const [oldest = ''] = ids;
  expect(await locks(h)).not.toContain(`${oldest}.open`);
  await h.panel.library.open(oldest);
  expect(h.panel.snapshot().transcript).toMatchObject([{ text: 'hello 0' }, {}]);
  await expect.poll(() => locks(h)).toHaveLength(maxIdle + 1);
});

it('closes none that works or waits, however many there are', async () => {
  const h = await harness({ servers: () => [demoServer()] });
  for (let number = 0; number < maxIdle + 2; number++) {
    await askIn(h, `echo ${number}`);
  }
  await h.panel.newSession();
  await h.say('hello');
  expect(h.panel.snapshot().state.waiting).toHaveLength(maxIdle + 2);
  expect((await states(h)).filter((one) => one.endsWith('needs_you'))).toHaveLength(maxIdle + 2);
});

it('shows the same conversation after a reload, and says which were interrupted', async () => {
  const h = await harness({ servers: () => [demoServer()] });
  await askIn(h, 'echo first');
  await h.panel.newSession();
  await h.say('hello');
  const { state } = await h.reload();
  expect(state).toMatchObject({ title: 'hello', waiting: [], status: 'ready' });
  await untilListed(h, ['hello: done', 'echo first: interrupted']);
  const { id } = await find(h, 'echo first');
  await h.panel.library.open(id);
  expect(h.panel.snapshot().transcript.at(-1)).toMatchObject({ kind: 'notice', level: 'info' });
  expect(await states(h)).toContain('echo first: interrupted');
});

it('tells a failed run from a good one', async () => {
  const h = await harness();
  await h.say('fail with 400');
  expect(await states(h)).toEqual(['fail with 400: failed']);
  await h.reload();
  expect(await states(h)).toEqual(['fail with 400: failed']);
});

it('goes to what waits in another folder', async () => {
  const h = await harness({ folderNames: ['one', 'two'], servers: () => [demoServer()] });
  const first = await askIn(h, 'echo first');
  await h.panel.selectFolder(h.folders[1]?.uri ?? '');
  const { state } = await h.until('what waits', ({ state: now }) => now.waiting.length === 1);
  expect(state.waiting).toEqual([
    { id: first, title: 'echo first', folder: 'one', count: 1, isShown: false },
  ]);
  expect(state.approvals).toEqual([]);
  expect(state.folders.map(({ name, waiting }) => `${name}: ${waiting}`)).toEqual([
    'one: 1',
    'two: 0',
  ]);
  await h.panel.showConversation(first);
  expect(h.panel.snapshot().state).toMatchObject({ folder: { name: 'one' }, title: 'echo first' });
  await h.answer('deny');
  // it does not wait any more: nothing happens
  await h.panel.showConversation('gone.jsonl');
  expect(shownId(h)).toBe(first);
});

it('ends all of a folder that leaves the workspace', async () => {
  const h = await harness({ folderNames: ['one', 'two'], servers: () => [demoServer()] });
  await askIn(h, 'echo first');
  await askIn(h, 'echo second');
  const [, two] = h.folders;
  h.workspace.setFolders(two ? [two] : []);
  await h.until('the other folder', ({ state }) => state.folder?.name === 'two');
  expect(h.panel.snapshot().state.waiting).toEqual([]);
  await expect.poll(async () => (await locks(h)).length).toBeLessThanOrEqual(1);
});

it('starts the shown one again when trust changes; the others end', async () => {
  const h = await harness({ servers: () => [demoServer()] });
  await askIn(h, 'echo first');
  const second = await askIn(h, 'echo second');
  h.workspace.setTrusted(false);
  await untilListed(h, ['echo first: done', 'echo second: done']);
  await h.until('the shown one', ({ state }) => state.status === 'ready');
  expect(shownId(h)).toBe(second);
  expect(h.panel.snapshot().state.waiting).toEqual([]);
});

it('keeps what two of them did to one file apart, and says which other one wrote it', async () => {
  const h = await harness({ mode: 'runFreely' });
  const file = h.path('a.txt');
  const changed = () => h.panel.snapshot().state.changes?.files ?? [];
  await h.panel.prompt('write a.txt one');
  await h.until('its change', () => changed().length === 1);
  await h.untilDone();
  const first = shownId(h);
  await h.panel.newSession();
  await h.panel.prompt('write a.txt two');
  await h.until('its change', () => changed().length === 1);
  await h.untilDone();
  const second = shownId(h);
  expect(changed()).toMatchObject([{ added: 1, removed: 1 }]);
  expect(changed()[0]?.sharedWith).toBeUndefined();
  await h.panel.library.open(first);
  await h.until('the other one', () => changed()[0]?.sharedWith === 'write a.txt two');
  await h.reload();
  await h.until('the other one again', () => changed()[0]?.sharedWith === 'write a.txt two');
  // what the other one wrote is not taken away without a question
  const changes = h.panel.shown?.builtInCalls.changes;
  expect(await changes?.undo()).toMatchObject([{ result: 'conflict' }]);
  expect(await readFile(file, 'utf8')).toBe('two');
  await h.panel.library.open(second);
  expect(await h.panel.shown?.builtInCalls.changes.undo()).toMatchObject([{ result: 'undone' }]);
  expect(await readFile(file, 'utf8')).toBe('one');
  await h.panel.library.open(first);
  expect(await h.panel.shown?.builtInCalls.changes.undo()).toMatchObject([{ result: 'undone' }]);
  await expect(readFile(file, 'utf8')).rejects.toMatchObject({ code: 'ENOENT' });
});

it('may be switched at any moment: no message is lost, doubled or goes elsewhere', async () => {
  const h = await harness();
  const step = fc.oneof(
    fc.constant({ kind: 'new' } as const),
    fc.record({ kind: fc.constant('open' as const), at: fc.nat(5) }),
    fc.record({ kind: fc.constant('say' as const), waits: fc.boolean() }),
    fc.constant({ kind: 'stop' } as const),
  );
  let said = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      const sent = new Map<string, string[]>();
      await h.panel.newSession();
      const opened = [shownId(h)];
      for (const one of steps) {
        if (one.kind === 'new') {
          await h.panel.newSession();
          opened.push(shownId(h));
        } else if (one.kind === 'open') {
          const id = opened[one.at % opened.length] ?? '';
          // what was never used is gone
          if (sent.has(id)) {
            await h.panel.library.open(id);
          }
        } else if (one.kind === 'stop') {
          await h.panel.stop();
          h.panel.queue?.resume();
        } else {
          const id = shownId(h);
          const text = `hello ${++said}`;
          await h.panel.prompt(text, 'after');
          sent.set(id, [...(sent.get(id) ?? []), text]);
          if (one.waits) {
            await h.untilDone();
          }
        }
      }
      for (const [id, texts] of sent) {
        await h.panel.library.open(id);
        await h.until('its end', ({ state }) => state.status === 'ready');
        const users = () =>
          h.panel
            .snapshot()
            .transcript.flatMap((entry) => (entry.kind === 'user' ? [entry.text] : []));
        await expect.poll(users).toEqual(texts);
      }
    }),
    { numRuns: 12 },
  );
});

/** Of the conversations that are live, by the names of their files. */
async function locks(h: AgentHarness): Promise<readonly string[]> {
  const root = join(h.root, 'storage', 'sessions');
  const folders = await readdir(root);
  const names = await Promise.all(folders.map((folder) => readdir(join(root, folder))));
  return names.flat().filter((name) => name.endsWith('.open'));
}

it('tells once that a conversation asks, has its answer or failed, also behind another one', async () => {
  const h = await harness({ servers: () => [demoServer()] });
  const heard: string[] = [];
  h.panel.onDidGetNews(({ title, kind }) => heard.push(`${title}: ${kind}`));
  await h.panel.prompt('echo hello');
  const approval = await firstApproval(h);
  await expect.poll(() => heard).toEqual(['echo hello: asks']);
  await h.panel.newSession();
  await h.panel.prompt('fail with 400');
  await expect.poll(() => heard).toContain('fail with 400: failed');
  await h.panel.library.open((await find(h, 'echo hello')).id);
  h.panel.decide(approval, 'once');
  await expect
    .poll(() => heard)
    .toEqual(['echo hello: asks', 'fail with 400: failed', 'echo hello: answered']);
});
