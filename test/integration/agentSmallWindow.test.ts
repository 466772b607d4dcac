/** A conversation with a model that takes little, with the real Pi and a scripted model: what it sends, and what it summarizes. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defaultToolPolicy } from '../../src/agent/policy/toolPolicy.js';
import { toDisposable } from '../../src/base/disposable.js';
import type { TranscriptEntry } from '../../src/protocol/agentProtocol.js';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harness = useAgentHarness();

/** About so many characters are one token, as providers count. */
const perToken = 4;
const window = 32_768;
const pages = Array.from({ length: 16 }, (_, at) => `page${at + 1}.md`);

/** A model of 32k that reads a page of about 2,400 tokens for each wish. */
async function openSmall(): Promise<AgentHarness> {
  const h = await harness();
  const path = join(h.agentDir, 'models.json');
  const models = await readFile(path, 'utf8');
  await writeFile(path, models.replace(/"contextWindow": \d+/, `"contextWindow": ${window}`));
  const folder = h.folders[0]?.fsPath ?? '';
  // what goes with every request: 6,000 tokens of instructions
  await writeFile(join(folder, 'AGENTS.md'), 'Write the tests first, please. '.repeat(800));
  for (const [at, page] of pages.entries()) {
    const line = `Page ${at + 1} says what the shop does with an order.\n`;
    await writeFile(join(folder, page), line.repeat(200));
  }
  return h;
}

/** What the model has to read anew: what follows the part that a request shares with the one before, which providers keep. */
function countAnew(requests: readonly { messages: unknown }[]): number {
  const texts = requests.map(({ messages }) => JSON.stringify(messages));
  const shared = (one: string, other: string) => {
    let length = 0;
    while (length < one.length && one[length] === other[length]) {
      length++;
    }
    return length;
  };
  const lengths = texts.map((text, at) => text.length - shared(text, texts[at - 1] ?? ''));
  return Math.round(sum(lengths) / perToken);
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** Tokens that the same sixteen reads took with ten summaries, when each was made at 16,384 and left 20,000. */
const onceTook = 436_824;

it('reads sixteen pages in a run without sending them again and again', async () => {
  const h = await openSmall();
  const sizes: number[] = [];
  h.demo.script.refuse = (body) => {
    const tokens = Math.round(JSON.stringify(body).length / perToken);
    sizes.push(tokens);
    h.demo.script.usage = { prompt: tokens, cached: 0 };
    return undefined;
  };
  const steps = pages.map((path) => ({ name: 'read', args: { path } }));
  await h.say(`steps ${JSON.stringify(steps)}`);
  const anew = countAnew(h.demo.requests);
  // one for each page, and the answer; no summary
  expect(sizes).toHaveLength(pages.length + 1);
  expect(h.tools().map(({ status }) => status)).toEqual(pages.map(() => 'done'));
  expect(Math.max(...sizes)).toBeLessThan(0.8 * window);
  expect(sum(sizes)).toBeLessThan(0.7 * onceTook);
  expect(anew).toBeLessThan(onceTook / 5);
});

it('holds what the many calls of one answer gave, the latest of it, without a summary', async () => {
  const h = await openSmall();
  h.demo.script.refuse = (body) => {
    const prompt = Math.round(JSON.stringify(body).length / perToken);
    h.demo.script.usage = { prompt, cached: 0 };
    return prompt < window ? undefined : { status: 400, text: `${prompt} is too long` };
  };
  const calls = pages.map((path) => ({ name: 'read', args: { path } }));
  await h.say(`steps ${JSON.stringify([calls])}`);
  expect(h.demo.requests).toHaveLength(2);
  const { transcript } = h.panel.snapshot();
  expect(transcript.filter((one) => one.kind === 'compaction' || isError(one))).toEqual([]);
  expect(sent(h)).toContain('[Result of read page1.md left out to save room.');
  expect(countIn(h, 'Page 12 says')).toBeGreaterThan(quoted);
  expect(countIn(h, 'Page 16 says')).toBeGreaterThan(quoted);
});

it('gives one result a tenth of what the model takes, and says how to have the rest', async () => {
  const h = await openSmall();
  const folder = h.folders[0]?.fsPath ?? '';
  const lines = Array.from({ length: 1_500 }, (_, at) => `Line ${at + 1} of a long file.`);
  await writeFile(join(folder, 'long.md'), lines.join('\n'));
  await h.say('call read {"path":"long.md"}');
  const result = h
    .tools()
    .at(-1)
    ?.result?.map((block) => ('text' in block ? block.text : ''));
  const text = result?.join('') ?? '';
  expect(text).toContain('Line 1 of');
  expect(text).toMatch(/\n\[The first of it, \d+ of 15\d\d lines: one result may fill a tenth/);
  expect(text.length / perToken).toBeLessThan(window / 10);
  expect(sent(h)).not.toContain('Line 1400 ');
});

const leftOut = ({ panel }: AgentHarness) =>
  panel.snapshot().transcript.flatMap((one) => (one.kind === 'notice' && one.leftOut) || []);
const isError = (entry: TranscriptEntry) => entry.kind === 'notice' && entry.level === 'error';
/** The scripted model repeats the beginning of what it read. */
const quoted = 20;
const countIn = (h: AgentHarness, text: string) => sent(h).split(text).length - 1;
const sent = ({ demo }: AgentHarness) => JSON.stringify(demo.requests.at(-1)?.messages);

it('leaves old results out before it summarizes, says so, and gives them back', async () => {
  const h = await openSmall();
  h.demo.script.refuse = (body) => {
    h.demo.script.usage = { prompt: Math.round(JSON.stringify(body).length / perToken), cached: 0 };
    return undefined;
  };
  await h.say('call read {"path":"missing.md"}');
  for (let page = 1; page <= 8; page++) {
    await h.say(`call read {"path":"page${page}.md"}`);
  }
  const ids = leftOut(h);
  expect(ids.length).toBeGreaterThan(2);
  expect(sent(h)).toContain(
    '[Result of read page1.md left out to save room. Read it again if needed.]',
  );
  // what was read last, and what went wrong
  expect(sent(h)).toContain('Page 8 says');
  expect(countIn(h, 'Page 1 says')).toBeLessThan(quoted);
  expect(sent(h)).toContain('missing.md');
  expect(h.panel.snapshot().transcript.some(({ kind }) => kind === 'compaction')).toBe(false);
  // the user still sees all of it
  expect(JSON.stringify(h.panel.snapshot().transcript)).toContain('Page 1 says');
  await h.reload();
  expect(leftOut(h)).toEqual(ids);
  h.panel.context.giveBackResults(ids.slice(0, 1));
  await h.say('hello');
  expect(countIn(h, 'Page 1 says')).toBeGreaterThan(quoted);
});

it('stops a run at the limit of the user, and goes on when the user says so', async () => {
  const never = { onDidChange: () => toDisposable(() => undefined) };
  const spending = { dollars: { ...never, value: 0 }, requests: { ...never, value: 1 } };
  const h = await harness({ tools: { ...defaultToolPolicy, spending } });
  await writeFile(h.path('page.md'), 'What the shop does');
  const { transcript } = await h.say('call read {"path":"page.md"}');
  expect(h.demo.requests).toHaveLength(1);
  expect(transcript.slice(-2)).toMatchObject([
    { kind: 'notice', text: expect.stringContaining('has sent 1 requests') },
    { kind: 'notice', text: 'Stopped at the limit that you set.', branch: { canContinue: true } },
  ]);
  expect((await h.say('Continue where you stopped.')).transcript.at(-1)?.kind).toBe('assistant');
});
