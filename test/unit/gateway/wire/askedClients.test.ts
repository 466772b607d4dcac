import { expect, it } from 'vitest';
import { HeldRequests, type Round } from '../../../../src/gateway/wire/askedClients.js';
import type { RequestOrigin } from '../../../../src/mcp/originTypes.js';

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
