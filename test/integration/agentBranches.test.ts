/** Messages that are sent again and conversations that go on elsewhere, with the real Pi and its session files. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SessionBranches } from '../../src/agent/branches/sessionBranches.js';
import type { PiSession } from '../../src/agent/pi/piModule.js';
import { wholeResultOf } from '../../src/agent/tools/resultStore.js';
import type { AgentSnapshot } from '../../src/protocol/agentProtocol.js';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { answerEcho, demoServer, manyTools } from '../helpers/fakes/demoServer.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harness = useAgentHarness();

type User = Extract<AgentSnapshot['transcript'][number], { kind: 'user' }>;

const users = ({ transcript }: AgentSnapshot): readonly User[] =>
  transcript.filter((entry) => entry.kind === 'user');
const words = (snapshot: AgentSnapshot) => users(snapshot).map(({ text }) => text);
const idOf = (h: AgentHarness, text: string): string =>
  users(h.panel.snapshot()).findLast((entry) => entry.text === text)?.message?.id ?? '';
const branchOf = (h: AgentHarness, text: string) =>
  users(h.panel.snapshot()).find((entry) => entry.text === text)?.message?.branch;
/** What the model was sent last, of the user. */
const sent = (h: AgentHarness) =>
  (h.demo.requests.at(-1)?.messages ?? [])
    .filter(({ role }) => role === 'user')
    .map(({ content }) =>
      typeof content === 'string'
        ? content
        : (content as { text?: string }[]).map(({ text }) => text ?? '').join(''),
    );
const changed = (text: string) => ({ words: text, body: { text, images: [] } });

it('sends a changed message in the place of the first one, which stays a branch', async () => {
  const h = await harness();
  await h.say('one', 'two', 'three');
  await h.panel.messages.resend(idOf(h, 'two'), changed('other'));
  expect(words(await h.untilDone())).toEqual(['one', 'other']);
  expect(sent(h)).toEqual(['one', 'other']);
  expect(branchOf(h, 'other')).toEqual({ at: 2, of: 2 });
  expect(h.panel.snapshot().transcript.filter(({ kind }) => kind === 'notice')).toEqual([]);

  await h.panel.messages.showBranch(idOf(h, 'other'), 'previous');
  expect(words(h.panel.snapshot())).toEqual(['one', 'two', 'three']);
  expect(branchOf(h, 'two')).toEqual({ at: 1, of: 2 });
  expect(words(await h.reload())).toEqual(['one', 'two', 'three']);
  await h.say('four');
  expect(sent(h)).toEqual(['one', 'two', 'three', 'four']);

  await h.panel.messages.showBranch(idOf(h, 'two'), 'next');
  expect(words(h.panel.snapshot())).toEqual(['one', 'other']);
  expect(words(await h.reload())).toEqual(['one', 'other']);
  await h.panel.messages.showBranch(idOf(h, 'other'), 'previous');
  expect(words(h.panel.snapshot())).toEqual(['one', 'two', 'three', 'four']);
});

it('changes the first message, and one that was changed before', async () => {
  const h = await harness();
  await h.say('one');
  await h.panel.messages.resend(idOf(h, 'one'), changed('uno'));
  await h.untilDone();
  await h.panel.messages.resend(idOf(h, 'uno'), changed('eins'));
  expect(words(await h.untilDone())).toEqual(['eins']);
  expect(sent(h)).toEqual(['eins']);
  expect(branchOf(h, 'eins')).toEqual({ at: 3, of: 3 });
  await h.panel.messages.showBranch(idOf(h, 'eins'), 'previous');
  expect(branchOf(h, 'uno')).toEqual({ at: 2, of: 3 });
  await h.reload();
  await h.panel.messages.showBranch(idOf(h, 'uno'), 'previous');
  expect(words(h.panel.snapshot())).toEqual(['one']);
  await expect(h.panel.messages.showBranch(idOf(h, 'one'), 'previous')).rejects.toThrow();
  expect(words(h.panel.snapshot())).toEqual(['one']);
});

it('keeps images and resources of a message that is changed or sent again', async () => {
  const h = await harness();
  const data =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const image = { type: 'image' as const, mimeType: 'image/png', data };
  const resource = '<mcp-resource server="demo" uri="demo://a">\nNotes\n</mcp-resource>';
  const attached = { text: resource, images: [image] };
  await h.say({ ...changed('look'), attached, attachments: [] });
  const before = h.demo.requests.at(-1)?.messages.at(-1);
  expect(JSON.stringify(before)).toContain('data:image/png');
  expect(h.panel.messages.wordsOf(idOf(h, 'look'))).toBe('look');

  await h.panel.messages.resend(idOf(h, 'look'));
  await h.untilDone();
  expect(h.demo.requests.at(-1)?.messages.at(-1)).toEqual(before);
  await h.panel.messages.resend(idOf(h, 'look'), changed('look closely'));
  const [last] = users(await h.untilDone());
  expect(last).toMatchObject({ text: 'look closely', message: { branch: { at: 3, of: 3 } } });
  expect(last?.attachments).toHaveLength(2);
  const again = JSON.stringify(h.demo.requests.at(-1)?.messages.at(-1));
  expect(again).toBe(JSON.stringify(before).replace('look', 'look closely'));
});

it('tries a failed and a stopped answer again', async () => {
  const h = await harness({ servers: () => [demoServer()] });
  await h.say('hello', 'fail with 400');
  const failed = h.panel.snapshot().transcript.at(-1);
  expect(failed).toMatchObject({ kind: 'notice', branch: { request: idOf(h, 'fail with 400') } });
  await h.panel.messages.resend(idOf(h, 'fail with 400'));
  await h.untilDone();
  expect(branchOf(h, 'fail with 400')).toEqual({ at: 2, of: 2 });

  await h.panel.prompt('echo first');
  await h.untilAsked();
  await h.panel.stop();
  const stopped = h.panel.snapshot().transcript.at(-1);
  expect(stopped).toMatchObject({ text: 'Stopped', branch: { request: idOf(h, 'echo first') } });
  expect((await h.reload()).transcript.at(-1)).toMatchObject({
    text: 'Stopped',
    branch: { request: idOf(h, 'echo first') },
  });
  await h.panel.messages.resend(idOf(h, 'echo first'));
  await h.answer('once');
  expect(h.tools().map(({ status }) => status)).toEqual(['done']);
  expect(branchOf(h, 'echo first')).toEqual({ at: 2, of: 2 });
});

it('says in the list how the shown branch ended, not the one that was written last', async () => {
  const h = await harness();
  await h.say('hello');
  await h.panel.messages.resend(idOf(h, 'hello'), changed('fail with 400'));
  await h.untilDone();
  const stateOf = async () => {
    await h.panel.newSession();
    const [one] = await h.panel.library.list();
    await h.panel.library.open(one?.id ?? '');
    return one?.state;
  };
  expect(await stateOf()).toBe('failed');
  await h.panel.messages.showBranch(idOf(h, 'fail with 400'), 'previous');
  expect(await stateOf()).toBe('done');
  await h.panel.messages.showBranch(idOf(h, 'hello'), 'next');
  expect(await stateOf()).toBe('failed');
});

it('shows the tools of another branch, and opens their whole results', async () => {
  const h = await harness({ mode: 'runFreely', servers: () => [demoServer()] });
  await h.say('echo first');
  const [call] = h.tools();
  await h.panel.messages.resend(idOf(h, 'echo first'), changed('hello'));
  await h.untilDone();
  expect(h.tools()).toEqual([]);
  await h.panel.messages.showBranch(idOf(h, 'hello'), 'previous');
  expect(h.tools()).toEqual([call]);
  const whole = await wholeResultOf(h.panel.shown?.results, call?.whole?.callId ?? '');
  expect(whole.tool).toBe('echo');
});

it('offers in each branch the tools that were activated in it', async () => {
  const h = await harness({
    mode: 'runFreely',
    servers: () => [demoServer(answerEcho, manyTools)],
  });
  await h.say('echo first', 'hello');
  expect(h.offered()).toContain('demo__echo');
  await h.panel.messages.resend(idOf(h, 'echo first'), changed('hello'));
  await h.untilDone();
  expect(h.offered()).not.toContain('demo__echo');
  await h.panel.messages.showBranch(idOf(h, 'hello'), 'previous');
  await h.say('hello again');
  expect(h.offered()).toContain('demo__echo');
});

it('stays where it is while a task works in the background, and where an extension keeps it', async () => {
  const { SessionManager } = await import('../../src/agent/pi/piEntry.js');
  const manager = SessionManager.inMemory();
  const one = manager.appendMessage({ role: 'user', content: 'one', timestamp: 1 });
  const two = manager.appendMessage({ role: 'user', content: 'two', timestamp: 2 });
  let hasTasks = true;
  const shown: boolean[] = [];
  const branches = new SessionBranches({
    session: {
      sessionManager: manager,
      navigateTree: async () => ({ cancelled: true }),
    } as unknown as PiSession,
    whileIdle: (work) => work(),
    hasTasks: () => hasTasks,
    show: async (isQuiet) => void shown.push(isQuiet),
    onStored: () => undefined,
  });
  await expect(branches.goBefore(one)).rejects.toMatchObject({ code: 'task_under_way' });
  expect(manager.getLeafId()).toBe(two);
  hasTasks = false;
  await expect(branches.goBefore(one)).rejects.toMatchObject({ code: 'move_refused' });
  expect(shown).toEqual([]);
  // also for who opens the file: what it holds last is in the same branch
  const last = manager.getEntries().at(-1);
  expect(last?.id).toBe(manager.getLeafId());
  expect(last?.parentId).toBe(two);
});

it('refuses to move while Pi works, and loses nothing', async () => {
  const h = await harness({ servers: () => [demoServer()] });
  await h.say('one');
  await h.panel.messages.resend(idOf(h, 'one'), changed('uno'));
  await h.untilDone();
  await h.panel.prompt('echo first');
  await h.untilAsked();
  const before = h.panel.snapshot().transcript;
  const refused = { code: 'run_under_way' };
  await expect(h.panel.messages.resend(idOf(h, 'uno'), changed('x'))).rejects.toMatchObject(
    refused,
  );
  await expect(h.panel.messages.showBranch(idOf(h, 'uno'), 'previous')).rejects.toMatchObject(
    refused,
  );
  expect(h.panel.snapshot().transcript).toEqual(before);

  await h.panel.messages.stopAndResend(idOf(h, 'uno'), changed('eins'));
  expect(words(await h.untilDone())).toEqual(['eins']);
  expect(h.panel.snapshot().state.approvals).toEqual([]);
});

it('comes back to where it was when the message is not taken', async () => {
  const h = await harness();
  await h.say('one', 'two');
  await expect(h.panel.messages.resend('gone')).rejects.toMatchObject({ code: 'message_unknown' });
  const models = await readFile(h.modelsPath, 'utf8');
  await writeFile(h.modelsPath, '{"providers":{}}');
  await h.panel.reloadModels();
  const before = h.panel.snapshot().transcript;
  await expect(h.panel.messages.resend(idOf(h, 'one'), changed('uno'))).rejects.toMatchObject({
    code: 'prompt_refused',
  });
  expect(h.panel.snapshot().transcript).toEqual(before);
  await writeFile(h.modelsPath, models);
  expect((await h.reload()).transcript).toEqual(before);
});

it('leaves what waits in the queue paused, through every branch', async () => {
  const h = await harness({ servers: () => [demoServer()] });
  await h.say('one');
  await h.panel.prompt('echo first');
  await h.untilAsked();
  await h.panel.prompt('later', 'after');
  await h.panel.stop();
  const waiting = { pause: 'stopped', messages: [{ text: 'later' }] };
  expect(h.panel.snapshot().state.queue).toMatchObject(waiting);
  await h.panel.messages.resend(idOf(h, 'one'), changed('uno'));
  expect((await h.untilDone()).state.queue).toMatchObject(waiting);
  await h.panel.messages.showBranch(idOf(h, 'uno'), 'previous');
  expect(h.panel.snapshot().state.queue).toMatchObject(waiting);
  h.panel.queue?.resume();
  await h.until('the queued message', (snapshot) => words(snapshot).includes('later'));
  expect(words(await h.untilDone())).toEqual(['one', 'echo first', 'later']);
});

it('goes on with a copy of what was said up to an answer, or up to a message without one', async () => {
  const h = await harness();
  await h.say('one', 'two', 'three');
  const answers = h.panel.snapshot().transcript.filter((entry) => entry.kind === 'assistant');
  await h.panel.library.forkFrom(answers[1]?.message?.id ?? '');
  expect(words(h.panel.snapshot())).toEqual(['one', 'two']);
  expect(h.panel.snapshot().state.title).toBe('Fork of one');
  expect(h.panel.snapshot().transcript.at(-1)?.kind).toBe('assistant');

  await h.panel.library.forkFrom(idOf(h, 'one'));
  const shown = (await h.reload()).transcript;
  expect(shown).toMatchObject([
    { kind: 'user', text: 'one' },
    { kind: 'notice', branch: { request: idOf(h, 'one') } },
  ]);
  await h.panel.messages.resend(idOf(h, 'one'));
  expect((await h.untilDone()).transcript.map(({ kind }) => kind)).toEqual(['user', 'assistant']);
  expect((await h.panel.library.list()).map(({ title }) => title).sort()).toEqual([
    'Fork of Fork of one',
    'Fork of one',
    'one',
  ]);
});

it('leaves a file that Pi itself opens in the same branch', async () => {
  const h = await harness();
  await h.say('one', 'two');
  await h.panel.messages.resend(idOf(h, 'two'), changed('other'));
  await h.untilDone();
  await h.panel.messages.showBranch(idOf(h, 'other'), 'previous');
  const [{ id } = { id: '' }] = await h.panel.library.list();
  const path = join(await h.conversationsDir(), id);
  const { SessionManager } = await import('../../src/agent/pi/piEntry.js');
  const { messages } = SessionManager.open(path).buildSessionContext();
  const texts = messages.flatMap((message) =>
    message.role === 'user' && typeof message.content !== 'string'
      ? message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      : [],
  );
  expect(texts).toEqual(['one', 'two']);
});
