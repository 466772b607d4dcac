import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ConversationState } from '../../../../src/agent/conversations/conversationEnd.js';
import { NewsOfConversations } from '../../../../src/agent/live/conversationNews.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

type States = Readonly<Record<string, ConversationState>>;

/** What is told while conversations go through these states, each for longer than it takes to settle. */
async function told(...steps: readonly States[]): Promise<readonly string[]> {
  let states: States = {};
  const news = new NewsOfConversations(() =>
    Object.entries(states).map(([id, state]) => ({ id, key: 'folder', title: id, state })),
  );
  const heard: string[] = [];
  news.onDidGetNews(({ id, kind }) => heard.push(`${id} ${kind}`));
  for (const step of steps) {
    for (const id of Object.keys(states)) {
      if (!(id in step)) {
        news.forget(id);
      }
    }
    states = step;
    for (const [id, state] of Object.entries(step)) {
      news.follow({ id, state });
    }
    await vi.advanceTimersByTimeAsync(1_000);
  }
  news.dispose();
  return heard;
}

it.each<readonly [string, readonly ConversationState[], readonly string[]]>([
  ['an answer', ['done', 'working', 'done'], ['a answered']],
  ['a failure', ['working', 'failed'], ['a failed']],
  ['a question, once', ['working', 'needs_you', 'needs_you'], ['a asks']],
  ['the next question', ['needs_you', 'working', 'needs_you'], ['a asks', 'a asks']],
  ['a question and its answer', ['working', 'needs_you', 'done'], ['a asks', 'a answered']],
  ['nothing of one that was opened', ['done', 'done'], []],
  ['nothing of one that begins', ['done', 'working'], []],
])('tells %s', async (_title, states, expected) => {
  expect(await told(...states.map((state) => ({ a: state })))).toEqual(expected);
});

it('says when it came to that, whatever else changed until it was told', async () => {
  let state: ConversationState = 'working';
  const news = new NewsOfConversations(() => [{ id: 'a', key: '', title: undefined, state }]);
  const times: number[] = [];
  news.onDidGetNews(({ at }) => times.push(at));
  news.follow({ id: 'a', state });
  await vi.advanceTimersByTimeAsync(1_000);
  state = 'done';
  const ended = performance.now();
  news.follow({ id: 'a', state });
  await vi.advanceTimersByTimeAsync(100);
  news.follow({ id: 'a', state });
  await vi.advanceTimersByTimeAsync(1_000);
  news.dispose();
  expect(times).toEqual([ended]);
});

it('tells of each conversation by itself', async () => {
  const heard = await told({ a: 'working', b: 'working' }, { a: 'done', b: 'needs_you' });
  expect(heard).toEqual(['a answered', 'b asks']);
});

it('forgets one that was closed', async () => {
  expect(await told({ a: 'working' }, {}, { a: 'done' })).toEqual([]);
});

/** What is told of states that follow each other at once. */
async function toldOfBurst(...burst: readonly ConversationState[]): Promise<readonly string[]> {
  let state: ConversationState = 'done';
  const news = new NewsOfConversations(() => [{ id: 'a', key: '', title: undefined, state }]);
  const heard: string[] = [];
  news.onDidGetNews(({ kind }) => heard.push(kind));
  for (state of burst) {
    news.follow({ id: 'a', state });
    await vi.advanceTimersByTimeAsync(10);
  }
  await vi.advanceTimersByTimeAsync(1_000);
  news.dispose();
  return heard;
}

it('tells nothing of an end after which the next message runs', async () => {
  expect(await toldOfBurst('working', 'done', 'working')).toEqual([]);
});

it('tells of a run that fails at once', async () => {
  expect(await toldOfBurst('working', 'failed')).toEqual(['failed']);
});
