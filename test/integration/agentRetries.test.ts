/** Providers that are busy, with the real Pi and a scripted model: waits that are seen, cut short and ended. */
import { expect, it } from 'vitest';
import type { TranscriptEntry } from '../../src/protocol/agentProtocol.js';
import { type AgentHarness, longTalk, smallSummaries } from '../helpers/fakes/agentHarness.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';
import { type PickyApi, type PickyTrouble, usePickyModel } from '../helpers/wires/pickyModel.js';

const harness = useAgentHarness();
const startModel = usePickyModel();
type Retry = Extract<TranscriptEntry, { kind: 'retry' }>;

interface Busy {
  readonly status?: number;
  readonly text?: string;
  readonly headers?: Record<string, string>;
  /** Requests that are refused; later ones are answered. */
  readonly times?: number;
  readonly retry?: object;
}

/** A conversation whose provider refuses what is said next. */
async function busy({ status = 429, text, headers, times = 1, retry }: Busy) {
  const h = await harness();
  await h.writeSettings({ retry: retry ?? {} });
  await h.panel.ensureSession();
  let left = times;
  h.demo.script.refuse = () =>
    left-- > 0
      ? {
          status,
          text: text ?? (status === 529 ? 'Overloaded' : `Error ${status}`),
          ...(headers && { headers }),
        }
      : undefined;
  return h;
}

const waiting = (h: AgentHarness, attempt = 1) =>
  h.until(`wait ${attempt}`, ({ transcript }) =>
    transcript.some(
      (one) => one.kind === 'retry' && one.attempt === attempt && one.until !== undefined,
    ),
  );
const retryOf = (transcript: readonly TranscriptEntry[]): Retry => {
  const found = transcript.filter((entry): entry is Retry => entry.kind === 'retry');
  expect(found).toHaveLength(1);
  return found[0] as Retry;
};
const secondsOf = ({ until = 0 }: Retry) => Math.round((until - Date.now()) / 1_000);
const requestsOf = ({ demo }: AgentHarness) =>
  demo.requests.map(({ messages }) =>
    messages.filter(({ role }) => role !== 'system').map(({ role }) => role),
  );

const words = 'Demo takes no more requests for the moment';

it.each([
  [429, 120],
  [503, 90],
  [529, 240],
])(
  'waits after a %i as long as it is asked to, and sends the request at once when told',
  async (status, seconds) => {
    const h = await busy({ status, headers: { 'retry-after': String(seconds) } });
    await h.panel.prompt('hello');
    const { transcript, state } = await waiting(h);
    const retry = retryOf(transcript);
    expect(retry).toMatchObject({ text: words, attempt: 1, of: 3 });
    expect(secondsOf(retry)).toBeGreaterThan(seconds - 10);
    expect(secondsOf(retry)).toBeLessThanOrEqual(seconds);
    expect(state.status).toBe('running');
    expect(h.demo.requests).toHaveLength(1);
    h.panel.shown?.retries.sendNow();
    const done = await h.untilDone();
    expect(done.transcript.map(({ kind }) => kind)).toEqual(['user', 'notice', 'assistant']);
    expect(done.transcript[1]).toMatchObject({
      level: 'info',
      text: `${words} · Retry 1 of 3 · done`,
    });
    // nothing is doubled
    expect(requestsOf(h)).toEqual([['user'], ['user']]);
    const again = await h.reload();
    expect(again.transcript.map(({ kind }) => kind)).toEqual(['user', 'assistant']);
  },
);

it.each([429, 503, 529])(
  'waits after a %i without a word twice as long each time, in one line',
  async (status) => {
    const h = await busy({ status, times: 2, retry: { baseDelayMs: 40_000 } });
    await h.panel.prompt('hello');
    expect(secondsOf(retryOf((await waiting(h)).transcript))).toBeGreaterThan(30);
    h.panel.shown?.retries.sendNow();
    // not more than a minute, as Pi has it
    const second = retryOf((await waiting(h, 2)).transcript);
    expect(secondsOf(second)).toBeGreaterThan(50);
    expect(secondsOf(second)).toBeLessThanOrEqual(60);
    h.panel.shown?.retries.sendNow();
    const { transcript } = await h.untilDone();
    expect(transcript.map(({ kind }) => kind)).toEqual(['user', 'notice', 'assistant']);
    expect(requestsOf(h)).toEqual([['user'], ['user'], ['user']]);
  },
);

it('sends the request by itself when the time has come', async () => {
  const h = await busy({ retry: { baseDelayMs: 5 } });
  const { transcript } = await h.say('hello');
  expect(transcript.at(-1)).toMatchObject({ kind: 'assistant' });
  expect(h.demo.requests).toHaveLength(2);
});

it('reads from the words of a provider how long to wait', async () => {
  const text = 'Rate limit reached. Please try again in 75.5s.';
  const h = await busy({ text });
  await h.panel.prompt('hello');
  const retry = retryOf((await waiting(h)).transcript);
  expect(secondsOf(retry)).toBeGreaterThan(65);
  expect(retry.detail).toContain(text);
  await h.panel.stop();
});

it('ends the wait with the run, and sends nothing more', async () => {
  const h = await busy({ headers: { 'retry-after': '600' } });
  await h.panel.prompt('hello');
  await waiting(h);
  await h.panel.stop();
  const { transcript, state } = h.panel.snapshot();
  expect(state.status).toBe('ready');
  expect(transcript).toMatchObject([
    { kind: 'user' },
    { kind: 'notice', text: `${words} · Retry 1 of 3 · Stopped` },
    { kind: 'notice', text: 'Stopped', branch: { request: expect.any(String) } },
  ]);
  expect(h.demo.requests).toHaveLength(1);
  await h.say('hello again');
  expect(requestsOf(h)).toEqual([['user'], ['user', 'user']]);
});

it('gives up after the last try, and says what can be done', async () => {
  const h = await busy({ times: 99, retry: { baseDelayMs: 1, maxRetries: 2 } });
  const { transcript } = await h.say('hello');
  expect(transcript).toMatchObject([
    { kind: 'user' },
    {
      kind: 'notice',
      level: 'info',
      text: `${words} · Retry 2 of 2 · failed`,
    },
    { kind: 'notice', level: 'error', branch: { request: expect.any(String) } },
  ]);
  expect(transcript[2]).not.toMatchObject({ branch: { canContinue: true } });
  expect(h.demo.requests).toHaveLength(3);
});

it('goes on after a failure in the middle of a run without doing anything again', async () => {
  const h = await harness();
  await h.writeSettings({ retry: { baseDelayMs: 1, maxRetries: 1 } });
  await h.panel.ensureSession();
  h.demo.script.refuse = ({ messages }) =>
    messages.at(-1)?.role === 'tool' ? { status: 503, text: 'Busy' } : undefined;
  const failed = await h.say('list files');
  expect(failed.transcript.at(-1)).toMatchObject({
    level: 'error',
    branch: { request: expect.any(String), canContinue: true },
  });
  const before = h.demo.requests.length;
  h.demo.script.refuse = undefined;
  const { transcript } = await h.say('Continue where you stopped.');
  expect(transcript.filter(({ kind }) => kind === 'tool')).toHaveLength(1);
  const [request] = h.demo.requests.slice(before);
  const roles = request?.messages.map(({ role }) => role).filter((role) => role !== 'system');
  expect(roles).toEqual(['user', 'assistant', 'tool', 'user']);
});

it('counts down for a summary as well', async () => {
  const h = await harness();
  await h.writeSettings(smallSummaries);
  await h.say(...longTalk);
  let left = 1;
  h.demo.script.refuse = () =>
    left-- > 0 ? { status: 429, text: 'Slow down', headers: { 'retry-after': '300' } } : undefined;
  h.panel.context.compact(undefined);
  const { transcript } = await waiting(h);
  expect(secondsOf(retryOf(transcript))).toBeGreaterThan(280);
  h.panel.shown?.retries.sendNow();
  const done = await h.untilDone();
  expect(done.transcript.slice(-2)).toMatchObject([
    { kind: 'compaction' },
    {
      kind: 'notice',
      level: 'info',
      text: `${words} · Retry 1 of 3 · done`,
    },
  ]);
});

const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
const limited = {
  type: 'error',
  error: { type: 'rate_limit_error', message: 'Number of requests has exceeded your limit' },
};

it.each<[PickyApi, PickyTrouble, number]>([
  ['anthropic-messages', { status: 529, body: overloaded }, 2],
  ['anthropic-messages', { status: 429, body: limited, headers: { 'retry-after': '90' } }, 90],
  [
    'openai-responses',
    {
      status: 429,
      body: { error: { message: 'Rate limit reached. Please try again in 65s.', code: null } },
    },
    65,
  ],
  [
    'openai-completions',
    {
      status: 503,
      body: { error: { message: 'Busy' } },
      headers: { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() },
    },
    3_600,
  ],
  [
    'google-generative-ai',
    {
      status: 429,
      body: {
        error: {
          code: 429,
          message: 'You exceeded your current rate. Please retry in 70.5s.',
          status: 'RESOURCE_EXHAUSTED',
        },
      },
    },
    71,
  ],
])('understands what %s says: %j', async (api, trouble, seconds) => {
  const h = await harness({ hasModel: false });
  const model = await startModel(api);
  await model.writeModels(h.modelsPath);
  await h.panel.ensureSession();
  model.trouble = trouble;
  await h.panel.prompt('hello');
  const retry = retryOf((await waiting(h)).transcript);
  expect(retry.text).toBe('Picky takes no more requests for the moment');
  expect(secondsOf(retry)).toBeGreaterThanOrEqual(seconds * 0.75 - 2);
  expect(secondsOf(retry)).toBeLessThanOrEqual(seconds + 2);
  h.panel.shown?.retries.sendNow();
  const { transcript } = await h.untilDone();
  expect(transcript.at(-1)).toMatchObject({ kind: 'assistant', text: 'All is well.' });
  expect(model.offers).toHaveLength(2);
});

it('sends a request again whose answer stops in the middle, when the user says so', async () => {
  const h = await harness();
  let asked = 0;
  // the first answer never goes on
  h.demo.script.goOn = () => (++asked === 1 ? new Promise(() => undefined) : undefined);
  await h.panel.prompt('hello');
  const begun = await h.until('the beginning of an answer', ({ transcript, state }) => {
    const last = transcript.at(-1);
    return last?.kind === 'assistant' && last.text !== '' && state.activity?.kind === 'writing';
  });
  expect(begun.transcript.at(-1)).toMatchObject({ text: expect.not.stringContaining('echo') });
  h.panel.shown?.retries.sendAgain();
  const { transcript, state } = await h.untilDone();
  expect(asked).toBe(2);
  const answers = transcript.filter(({ kind }) => kind === 'assistant');
  expect(answers.at(-1)).toMatchObject({ text: expect.stringContaining('echo hello') });
  expect(JSON.stringify(h.demo.requests.at(-1)?.messages).match(/hello/g)).toHaveLength(1);
  expect(state.activity).toBeUndefined();
});

it('sends a request again that gets no answer, when the user says so', async () => {
  const h = await harness();
  let asked = 0;
  let isAsked: (() => void) | undefined;
  const first = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  h.demo.script.refuse = () => {
    asked++;
    isAsked?.();
    // the first one is never answered
    return asked === 1 ? new Promise(() => undefined) : undefined;
  };
  await h.panel.prompt('hello');
  await first;
  const waiting = await h.until('a wait', ({ state }) => state.activity?.kind === 'waiting');
  expect(waiting.state.status).toBe('running');
  h.panel.shown?.retries.sendAgain();
  const { transcript, state } = await h.untilDone();
  expect(asked).toBe(2);
  expect(transcript.at(-1)?.kind).toBe('assistant');
  expect(JSON.stringify(transcript)).toContain('No answer from Demo, sent again');
  expect(state.activity).toBeUndefined();
});
