import { expect, it } from 'vitest';
import { RequestLimits } from '../../../../src/agent/context/requestLimits.js';
import type { PiEvent } from '../../../../src/agent/pi/piModule.js';
import { limitReached } from '../../../../src/agent/transcript/modelFailure.js';
import { toDisposable } from '../../../../src/base/disposable.js';

const setting = (value: number) => ({ value, onDidChange: () => toDisposable(() => undefined) });
const model = { api: 'test', provider: 'acme', id: 'large' };

function limited(dollars: number, requests: number) {
  const said: string[] = [];
  const state = { cost: 0, sent: 0 };
  const limits = new RequestLimits({
    policy: { dollars: setting(dollars), requests: setting(requests) },
    cost: () => state.cost,
    say: (text) => said.push(text),
  });
  const answer = { result: () => Promise.resolve({ stopReason: 'stop' }) };
  const stream = limits.before((async () => {
    state.sent++;
    return answer;
  }) as never);
  const ask = async () => await (await stream(model as never, {} as never)).result();
  return { said, state, limits, ask };
}

it('stops before the request beyond what a conversation may cost, and goes on to the next limit', async () => {
  const { said, state, ask } = limited(5, 0);
  state.cost = 4.99;
  expect((await ask()).stopReason).toBe('stop');
  state.cost = 5.02;
  const stopped = await ask();
  expect(stopped).toMatchObject({ stopReason: 'error', errorMessage: limitReached });
  expect(state.sent).toBe(1);
  expect(said).toEqual(['This conversation has cost $5.02. It goes on to $10.02 if you let it.']);
  expect((await ask()).stopReason).toBe('stop');
  state.cost = 10.5;
  expect((await ask()).stopReason).toBe('error');
});

it('refuses what is beside the runs from the limit on until the user lets a run go on', async () => {
  const { state, limits, ask } = limited(5, 0);
  state.cost = 4.99;
  expect(limits.refusal).toBeUndefined();
  state.cost = 5.02;
  const text =
    'This conversation has cost $5.02, which is its limit. Your next message to Pi asks whether it goes on.';
  expect(limits.refusal).toBe(text);
  await ask();
  expect(limits.refusal).toBe(text);
  await ask();
  expect(limits.refusal).toBeUndefined();
});

it('stops a run that sends request after request, and counts anew in the next one', async () => {
  const { said, state, limits, ask } = limited(0, 3);
  for (let sent = 0; sent < 3; sent++) {
    await ask();
  }
  expect((await ask()).stopReason).toBe('error');
  expect(said).toHaveLength(1);
  expect(state.sent).toBe(3);
  await ask();
  limits.follow({ type: 'agent_settled' } as PiEvent);
  for (let sent = 0; sent < 3; sent++) {
    expect((await ask()).stopReason).toBe('stop');
  }
});

it('has no limit where none is set', async () => {
  const { state, ask } = limited(0, 0);
  state.cost = 1_000;
  for (let sent = 0; sent < 200; sent++) {
    await ask();
  }
  expect(state.sent).toBe(200);
});
