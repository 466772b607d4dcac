/** What fills the context, and summaries that make room in it, with the real Pi and a scripted model. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { McpTool } from '../../src/mcp/mcpTypes.js';
import type { TranscriptEntry } from '../../src/protocol/agentProtocol.js';
import { type AgentHarness, longTalk } from '../helpers/fakes/agentHarness.js';
import { CallableServer } from '../helpers/fakes/fakeAgentMcp.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harness = useAgentHarness();

type Compaction = Extract<TranscriptEntry, { kind: 'compaction' }>;

/** A summary leaves but the last few words. */
const small = { compaction: { keepRecentTokens: 20, reserveTokens: 1_000 } };

async function converse(settings: object = small) {
  const h = await harness();
  await h.writeSettings(settings);
  await h.say(...longTalk);
  return h;
}

const summaryOf = ({ panel }: AgentHarness) =>
  panel.snapshot().transcript.findLast((one): one is Compaction => one.kind === 'compaction');
const kinds = ({ panel }: AgentHarness) => panel.snapshot().transcript.map(({ kind }) => kind);
const untilSummary = (h: AgentHarness) =>
  h.until('a summary', ({ transcript, state }) => {
    return state.status === 'ready' && transcript.some(({ kind }) => kind === 'compaction');
  });
const sentWords = ({ demo }: AgentHarness) => JSON.stringify(demo.requests.at(-1)?.messages);
const tooLong = {
  status: 400,
  text: "This model's maximum context length is 128000 tokens. However, you requested about 130000 tokens.",
};

it('says what fills the context, and scales it to what the provider counted', async () => {
  const echo: McpTool = {
    name: 'echo',
    description: 'Says it again. '.repeat(20),
    inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
  };
  const answer = { content: [{ type: 'text', text: 'echo '.repeat(50) }] };
  const server = new CallableServer('demo', [echo], () => Promise.resolve(answer as never));
  const h = await harness({ mode: 'runFreely', servers: () => [server] });
  const folder = h.folders[0]?.fsPath ?? '';
  await writeFile(join(folder, 'AGENTS.md'), 'Write tests first. '.repeat(30));
  h.demo.script.usage = { prompt: 20_000, cached: 15_000 };
  const { state } = await h.say('echo hello');
  const view = await h.panel.context.read();
  const of = (kind: string) => view?.parts.find((part) => part.kind === kind);
  expect(view?.parts.map(({ kind }) => kind)).toEqual([
    'system',
    'instructions',
    'tools',
    'conversation',
  ]);
  expect(of('instructions')?.items).toMatchObject([{ name: 'AGENTS.md' }]);
  expect(of('tools')?.items.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Built in', 'demo']),
  );
  expect(of('conversation')?.items.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['You', 'Pi', 'Results of demo: echo']),
  );
  const sum = view?.parts.reduce((all, { tokens }) => all + tokens, 0) ?? 0;
  expect(Math.abs(sum - (state.usage?.tokens ?? 0))).toBeLessThan(20);
  expect(state.usage).toMatchObject({ contextWindow: 128_000, compactsAt: 128_000 - 16_384 });
  expect(state.usage?.tokens).toBeGreaterThanOrEqual(20_000);
  expect(view).toMatchObject({
    lastTurn: { requests: 2, sent: 40_000, cached: 30_000 },
    all: { requests: 2, cost: 0 },
    turns: 1,
  });
});

it('guesses before the first answer, and says so', async () => {
  const h = await harness();
  const { state } = await h.panel.ensureSession();
  expect(state.usage).toMatchObject({ isGuessed: true, contextWindow: 128_000 });
  expect(state.usage?.tokens).toBeGreaterThan(200);
});

it('takes a summary back, also after the window was closed', async () => {
  const h = await converse();
  h.panel.context.compact('the hero');
  await untilSummary(h);
  expect(summaryOf(h)).toMatchObject({
    stored: expect.any(String),
    tokensAfter: expect.any(Number),
  });
  const shown = summaryOf(h);
  await h.reload();
  expect(summaryOf(h)).toEqual(shown);
  const usage = h.panel.snapshot().state.usage;
  expect(usage).toMatchObject({ isGuessed: true });
  await h.panel.context.undoCompaction(shown?.stored ?? '');
  expect(kinds(h)).toEqual(['user', 'assistant', 'user', 'assistant', 'notice']);
  expect(h.panel.snapshot().transcript.at(-1)).toMatchObject({
    level: 'info',
    text: expect.stringMatching(/taken back: the model gets all [\d,]+ tokens again/),
  });
  await h.say('and now?');
  expect(sentWords(h)).toContain('hello hello');
  await h.reload();
  expect(kinds(h)).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant']);
});

it('goes back to before a summary when more was said since, and keeps that', async () => {
  const h = await converse();
  h.panel.context.compact(undefined);
  await untilSummary(h);
  await h.say('and now?');
  expect(sentWords(h)).not.toContain('hello hello');
  await h.panel.context.undoCompaction(summaryOf(h)?.stored ?? '');
  expect(h.panel.snapshot().transcript.slice(-2)).toMatchObject([
    { kind: 'notice', branch: { next: expect.any(String) } },
    { kind: 'notice', text: expect.stringContaining('taken back') },
  ]);
  const { branch } = h.panel.snapshot().transcript.at(-2) as { branch?: { next?: string } };
  await h.panel.messages.showBranch(branch?.next ?? '', 'itself');
  expect(summaryOf(h)).toBeDefined();
});

it('says that a conversation is too long to stay whole', async () => {
  const h = await converse({ compaction: { keepRecentTokens: 20, reserveTokens: 127_500 } });
  h.demo.script.usage = { prompt: 1_000, cached: 0 };
  await untilSummary(h);
  await h.panel.context.undoCompaction(summaryOf(h)?.stored ?? '');
  expect(h.panel.snapshot().transcript.at(-1)).toMatchObject({
    kind: 'notice',
    level: 'info',
    text: expect.stringMatching(/taken back: .* summarized by itself above 500 of/),
  });
});

it('says in one line that there is nothing to summarize after a summary', async () => {
  const h = await converse();
  h.panel.context.compact(undefined);
  await untilSummary(h);
  h.panel.context.compact(undefined);
  const { transcript } = await h.until('a line', ({ transcript }) =>
    transcript.some(({ kind }) => kind === 'notice'),
  );
  expect(transcript.slice(-2)).toMatchObject([
    { kind: 'compaction' },
    { kind: 'notice', level: 'info', text: expect.stringContaining('too short to be summarized') },
  ]);
});

it('announces a summary that it makes by itself, which can be cancelled', async () => {
  const h = await converse();
  let asked: (() => void) | undefined;
  const summary = new Promise<void>((resolve) => {
    asked = resolve;
  });
  // the summary is never finished
  h.demo.script.refuse = ({ messages }) => {
    const isSummary = JSON.stringify(messages.at(-1)).includes('<conversation>');
    asked?.();
    return isSummary ? new Promise(() => undefined) : undefined;
  };
  h.demo.script.usage = { prompt: 127_500, cached: 0 };
  await h.panel.prompt('and now?');
  await summary;
  const going = await h.until('a summary that is made', ({ transcript }) =>
    transcript.some(({ kind }) => kind === 'compacting'),
  );
  expect(going.transcript.at(-1)).toMatchObject({
    kind: 'compacting',
    text: 'Compacting…',
  });
  h.panel.shown?.controls.cancelCompaction();
  const { transcript } = await h.untilDone();
  expect(transcript.at(-1)).toMatchObject({
    kind: 'notice',
    level: 'info',
    text: 'The conversation could not be summarized: Stopped',
  });
});

it('tells a summary that failed from the conversation, which goes on', async () => {
  const h = await converse();
  h.demo.script.refuse = () => ({ status: 401, text: 'Incorrect API key provided' });
  h.panel.context.compact(undefined);
  const { transcript } = await h.until('a failure', (snapshot) =>
    snapshot.transcript.some((one) => one.kind === 'notice' && one.level === 'error'),
  );
  expect(transcript.at(-1)).toMatchObject({
    text: expect.stringMatching(/^The conversation could not be summarized: .*401/),
    actions: ['logIn'],
  });
  h.demo.script.refuse = undefined;
  expect((await h.say('hello')).transcript.at(-1)?.kind).toBe('assistant');
});

it('summarizes for a request that was too long, and sends it again', async () => {
  const h = await converse();
  h.demo.script.refuse = ({ messages }) =>
    JSON.stringify(messages).includes('hello hello') && messages.length > 3 ? tooLong : undefined;
  const { transcript } = await h.say('and now?');
  expect(transcript.slice(-3)).toMatchObject([
    { kind: 'user', text: 'and now?' },
    { kind: 'compaction', stored: expect.any(String) },
    { kind: 'assistant' },
  ]);
  expect(transcript.filter(({ kind }) => kind === 'notice')).toEqual([]);
  await h.reload();
  expect(summaryOf(h)).toBeDefined();
  expect(kinds(h).filter((kind) => kind === 'notice')).toEqual([]);
});

it('says what to do when a request stays too long', async () => {
  const h = await converse();
  h.demo.script.refuse = ({ messages }) =>
    JSON.stringify(messages).includes('and now?') && !JSON.stringify(messages).includes('<conv')
      ? tooLong
      : undefined;
  const { transcript } = await h.say('and now?');
  expect(transcript.at(-1)).toMatchObject({
    kind: 'notice',
    level: 'error',
    text: expect.stringContaining('too long for the model'),
    remedy: expect.stringContaining('larger context'),
    branch: { request: expect.any(String) },
  });
  expect(transcript.filter((one) => one.kind === 'notice' && one.level === 'error')).toHaveLength(
    1,
  );
});

/** The texts of a summary's request. */
const isForSummary = (body: object) => JSON.stringify(body).includes('<conv');
const summariesAsked = ({ demo }: AgentHarness) => demo.requests.filter(isForSummary).length;

it('says what to do when the summary itself is too long for the model', async () => {
  const h = await converse();
  h.demo.script.refuse = () => tooLong;
  h.panel.context.compact(undefined);
  const { transcript } = await h.until('a failure', (snapshot) =>
    snapshot.transcript.some((one) => one.kind === 'notice' && one.level === 'error'),
  );
  expect(transcript.at(-1)).toMatchObject({
    text: expect.stringMatching(/could not be summarized: .* too long for the model/),
    remedy: expect.stringMatching(/larger context.*new conversation/),
    actions: ['newConversation'],
  });
  const after = (await h.say('and now?')).transcript.slice(transcript.length);
  const notices = after.filter((one) => one.kind === 'notice');
  expect(notices).toMatchObject([
    { level: 'info', text: expect.stringContaining('could not be summarized') },
    { level: 'error', text: expect.stringContaining('too long for the model') },
  ]);
});

it('makes no more summaries when one has made no room, and says what does', async () => {
  const h = await converse();
  h.demo.script.usage = { prompt: 127_500, cached: 0 };
  for (const text of ['one', 'two', 'three', 'four', 'five']) {
    await h.say(text.repeat(50));
  }
  expect(summariesAsked(h)).toBe(1);
  const said = h.panel
    .snapshot()
    .transcript.filter(
      (one) => one.kind === 'notice' && one.text.includes('make no room any more'),
    );
  expect(said).toHaveLength(1);
  // it has room again, and fills up
  h.panel.context.compact(undefined);
  await h.until('a summary', () => summariesAsked(h) === 2 && summaryOf(h) !== undefined);
});

it('makes no more summaries when one is too long for the model', async () => {
  const h = await converse();
  h.demo.script.usage = { prompt: 127_500, cached: 0 };
  h.demo.script.refuse = (body) => (isForSummary(body) ? tooLong : undefined);
  for (const text of ['one', 'two', 'three', 'four']) {
    await h.say(text.repeat(50));
  }
  expect(summariesAsked(h)).toBe(1);
  expect(kinds(h).filter((kind) => kind === 'assistant')).toHaveLength(6);
});

const settingsOf = async ({ agentDir }: AgentHarness) =>
  await readFile(join(agentDir, 'settings.json'), 'utf8');

it('keeps for the model when it is summarized, beside what else the user has set', async () => {
  const h = await harness();
  const path = join(h.agentDir, 'settings.json');
  await writeFile(path, '{\n  "theme": "dark",\n  "compaction": { "reserveTokens": 9000 }\n}\n');
  await h.panel.ensureSession();
  const { context } = h.panel;
  expect((await context.read())?.limits).toEqual({
    isAutomatic: true,
    above: 119_000,
    keeps: 20_000,
    isOwn: false,
  });
  await context.setLimits({ above: 100_000, keeps: 30 });
  expect((await context.read())?.limits).toEqual({
    isAutomatic: true,
    above: 100_000,
    keeps: 30,
    isOwn: true,
  });
  expect(h.panel.snapshot().state.usage?.compactsAt).toBe(100_000);
  const text = await settingsOf(h);
  expect(text).toMatch(/^\{\n {2}"theme": "dark",/);
  expect(JSON.parse(text)).toEqual({
    theme: 'dark',
    compaction: {
      reserveTokens: 9_000,
      modelOverrides: { 'demo/demo-1': { reserveTokens: 28_000, keepRecentTokens: 30 } },
    },
  });
  // Pi goes by it, in the conversation that is open
  h.demo.script.usage = { prompt: 100_500, cached: 0 };
  await h.say('hello '.repeat(60));
  await h.panel.prompt('hello again '.repeat(60));
  await untilSummary(h);
  await context.setLimits();
  expect((await context.read())?.limits).toMatchObject({ above: 119_000, isOwn: false });
});

it('is summarized by itself no more when the user says so, in every conversation', async () => {
  const h = await converse();
  await h.panel.context.setAutomatic(false);
  expect(h.panel.snapshot().state.usage?.compactsAt).toBeUndefined();
  h.demo.script.usage = { prompt: 127_500, cached: 0 };
  const { transcript } = await h.say('and now?');
  expect(transcript.map(({ kind }) => kind)).not.toContain('compaction');
  await h.panel.newSession();
  expect((await h.panel.context.read())?.limits).toMatchObject({ isAutomatic: false });
  await h.panel.context.setAutomatic(true);
  expect((await h.panel.context.read())?.limits).toMatchObject({ isAutomatic: true });
});

it('refuses limits that leave no room, and a file that is broken, and changes nothing', async () => {
  const h = await converse();
  const before = await settingsOf(h);
  for (const limits of [
    { above: 127_500, keeps: 20 },
    { above: 200_000, keeps: 20 },
    { above: 1_000, keeps: 1_000 },
  ]) {
    await expect(h.panel.context.setLimits(limits)).rejects.toThrow(/for the summary/);
  }
  expect(await settingsOf(h)).toBe(before);
  await writeFile(join(h.agentDir, 'settings.json'), '{ "compaction": ');
  await expect(h.panel.context.setAutomatic(false)).rejects.toThrow(
    /has an error, so nothing is written/,
  );
  expect(await settingsOf(h)).toBe('{ "compaction": ');
});

it('opens although the settings of summaries are none, and says nothing of them', async () => {
  const h = await harness();
  const broken = { compaction: { reserveTokens: 'many', modelOverrides: 7 } };
  await h.writeSettings(broken);
  const { state } = await h.panel.ensureSession();
  expect(state).toMatchObject({ status: 'ready', usage: { contextWindow: 128_000 } });
  expect((await h.panel.context.read())?.limits).toBeUndefined();
  await h.panel.context.setLimits({ above: 90_000, keeps: 10 });
  expect(JSON.parse(await settingsOf(h)).compaction.modelOverrides).toEqual({
    'demo/demo-1': { reserveTokens: 38_000, keepRecentTokens: 10 },
  });
});
