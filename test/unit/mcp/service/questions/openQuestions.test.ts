import { afterEach, beforeEach, expect, it } from 'vitest';
import { globalPoolId, serverId } from '../../../../../src/config/definition.js';
import {
  OpenQuestions,
  openQuestionLimitMs,
} from '../../../../../src/mcp/service/questions/openQuestions.js';
import { FakeClock } from '../../../../helpers/fakes/fakeClock.js';

const server = serverId(globalPoolId, 'asking');
const about = { server, serverName: 'asking', text: 'Who\nare   you?' };
let clock: FakeClock;
let questions: OpenQuestions;
let withdrawal: AbortController;

beforeEach(() => {
  clock = new FakeClock();
  questions = new OpenQuestions(clock);
  withdrawal = new AbortController();
});

afterEach(async () => {
  questions.dispose();
  await new Promise(setImmediate);
  expect(clock.pending).toEqual([]);
});

it('holds a question until the user calls for it', async () => {
  const called = questions.ask(about, withdrawal.signal);
  expect(questions.all).toEqual([{ ...about, id: '1', text: 'Who are you?' }]);
  expect(questions.of(server)).toHaveLength(1);
  expect(questions.of(serverId(globalPoolId, 'other'))).toEqual([]);
  expect(questions.call('1', 'show')).toBe(true);
  expect(await called).toBe('show');
  expect(questions.all).toEqual([]);
  expect(questions.call('1', 'show')).toBe(false);
});

it.each([
  ['the server withdraws it', () => withdrawal.abort()],
  ['its time is over', () => clock.advance(openQuestionLimitMs)],
  ['the window closes', () => questions.dispose()],
  ['the user gives it up', () => questions.call('1', 'leave')],
])('leaves a question when %s', async (_title, end) => {
  const called = questions.ask(about, withdrawal.signal);
  end();
  expect(await called).toBe('leave');
  expect(questions.all).toEqual([]);
});

it('opens nothing for a question that is withdrawn already', async () => {
  withdrawal.abort();
  const opened: unknown[] = [];
  expect(await questions.ask(about, withdrawal.signal, (one) => opened.push(one))).toBe('leave');
  expect(opened).toEqual([]);
});

it('announces what opens and what ends, in the order of their asking', async () => {
  const seen: string[][] = [];
  questions.onDidChange(() => void seen.push(questions.all.map(({ text }) => text)));
  const first = questions.ask({ ...about, text: 'a' }, withdrawal.signal);
  const second = questions.ask({ ...about, text: 'b' }, withdrawal.signal);
  questions.call('1', 'show');
  await first;
  withdrawal.abort();
  await second;
  expect(seen).toEqual([['a'], ['a', 'b'], ['b'], []]);
});

it('cuts a long text', () => {
  void questions.ask({ ...about, text: '😀'.repeat(1000) }, withdrawal.signal);
  expect([...(questions.all[0]?.text ?? '')]).toHaveLength(201);
});
