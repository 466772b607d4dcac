import { expect, it, onTestFinished, vi } from 'vitest';
import { HeldRequests, type Round } from '../../../../src/gateway/wire/askedClients.js';
import type { RequestOrigin } from '../../../../src/mcp/originTypes.js';
import { createDeferred } from '../../../helpers/fakes/deferred.js';

const round = (change: Partial<Round>): Round => ({
  key: 'tools/call',
  state: undefined,
  responses: undefined,
  capabilities: { elicitation: { form: {} } },
  signal: new AbortController().signal,
  onProgress: undefined,
  listen: () => undefined,
  ...change,
});

const asking = async (origin: RequestOrigin, signal: AbortSignal) => {
  const answer = await origin.ask('elicitation/create', { message: 'Which?' }, signal);
  return { answered: answer.action };
};

it('keeps what waits for its client while others fail', async () => {
  const held = new HeldRequests(new AbortController().signal);
  const first = await held.answer(round({}), asking);
  const state = String(first.requestState);
  for (let count = 0; count < 100; count++) {
    const failing = held.answer(round({}), () => Promise.reject(new Error('no such tool')));
    await expect(failing).rejects.toThrow('no such tool');
  }
  const responses = { 'question-1': { action: 'decline' } };
  expect(await held.answer(round({ state, responses }), asking)).toEqual({ answered: 'decline' });
  await expect(held.answer(round({ state }), asking)).rejects.toThrow('not known');
});

it('tells two rounds at once what is asked, and goes on for as long as it takes after the answer', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const held = new HeldRequests(new AbortController().signal);
  const begun = createDeferred<readonly [state: string, AbortSignal]>();
  const asks = createDeferred<void>();
  const first = held.answer(round({}), async (origin, signal) => {
    begun.resolve([(origin.client as { readonly state: string }).state, signal]);
    await asks.promise;
    await asking(origin, signal);
    return await new Promise(() => undefined);
  });
  const [state, signal] = await begun.promise;
  const told: unknown[] = [];
  for (const one of [first, held.answer(round({ state }), asking)]) {
    void one.then(({ resultType }) => told.push(resultType));
  }
  asks.resolve();
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual(['input_required', 'input_required']);

  void held.answer(round({ state, responses: { 'question-1': { action: 'decline' } } }), asking);
  await vi.advanceTimersByTimeAsync(11 * 60_000);
  expect(signal.aborted).toBe(false);
});

it('ends no call that runs for what else is called, but the oldest that waits for its client', async () => {
  const held = new HeldRequests(new AbortController().signal);
  const running: AbortSignal[] = [];
  const call = (signals: AbortSignal[], work: typeof asking) =>
    held.answer(round({}), (origin, signal) => {
      signals.push(signal);
      return work(origin, signal);
    });
  for (let count = 0; count < 100; count++) {
    void call(running, () => new Promise(() => undefined));
  }
  const waiting: AbortSignal[] = [];
  for (let count = 0; count < 65; count++) {
    await call(waiting, asking).catch(() => undefined);
  }
  expect(running.filter(({ aborted }) => aborted)).toEqual([]);
  expect(waiting.map(({ aborted }) => aborted).indexOf(false)).toBe(1);
});
