/** Logging in to providers of models, with the real Pi and its own file of logins. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { LoginChoice } from '../../src/agent/models/login.js';
import type { PiLoginInteraction } from '../../src/agent/pi/piModule.js';
import { CancellationError } from '../../src/base/async/cancellation.js';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harness = useAgentHarness();

const withKey = (key: string): PiLoginInteraction => ({
  prompt: async ({ type }) => {
    expect(type).toBe('secret');
    return key;
  },
  notify: () => undefined,
});

async function anthropicKey(h: AgentHarness): Promise<LoginChoice> {
  const choices = await h.panel.logins.choices();
  const choice = choices.find((one) => one.provider === 'anthropic' && one.kind === 'api_key');
  return choice ?? expect.unreachable();
}

it('becomes usable with an API key, which Pi keeps for its user alone', async () => {
  const h = await harness({ hasModel: false });
  expect((await h.panel.ensureSession()).state.status).toBe('unavailable');
  const choice = await anthropicKey(h);
  expect(choice).toMatchObject({ name: 'Anthropic', isStored: false });
  await h.panel.logins.logIn(choice, withKey('sk-ant-not-a-real-key-0123456789'));
  const { state } = h.panel.snapshot();
  expect(state).toMatchObject({ status: 'ready', model: { provider: 'anthropic' } });
  expect(JSON.stringify(h.panel.snapshot())).not.toContain('not-a-real-key');
  const path = join(h.agentDir, 'auth.json');
  expect(await readFile(path, 'utf8')).toContain('not-a-real-key');
  expect((await stat(path)).mode & 0o077).toBe(0);
  expect(await anthropicKey(h)).toMatchObject({ isStored: true });
  await h.panel.logins.logOut(choice);
  expect(h.panel.snapshot().state.status).toBe('unavailable');
  expect(await readFile(path, 'utf8')).not.toContain('not-a-real-key');
});

it('offers accounts beside keys, and changes nothing when the user leaves', async () => {
  const h = await harness({ hasModel: false });
  const choices = await h.panel.logins.choices();
  const anthropic = choices.filter(({ provider }) => provider === 'anthropic');
  expect(anthropic.map(({ kind }) => kind)).toEqual(['oauth', 'api_key']);
  const leave = { prompt: () => Promise.reject(new CancellationError()), notify: () => undefined };
  await expect(h.panel.logins.logIn(await anthropicKey(h), leave)).rejects.toThrow('Cancelled');
  expect(await anthropicKey(h)).toMatchObject({ isStored: false });
  expect(h.panel.snapshot().state.status).toBe('unavailable');
});

it('says what the provider did not like, and where to go on', async () => {
  const h = await harness();
  const { transcript } = await h.say('fail with 401');
  expect(transcript.at(-1)).toMatchObject({
    kind: 'notice',
    level: 'error',
    text: expect.stringContaining('rejected your API key or login'),
    actions: ['logIn'],
  });
});
