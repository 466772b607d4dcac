/** The formats of the providers, with the real Pi: what arrives at each, and what the user sees of its answers. */
import { expect, it } from 'vitest';
import { plainMessage } from '../../src/agent/queue/messageQueue.js';
import { isJsonObject, type JsonObject } from '../../src/base/json.js';
import { longTalk, smallSummaries } from '../helpers/fakes/agentHarness.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';
import { type PickyApi, usePickyModel } from '../helpers/wires/pickyModel.js';

const harness = useAgentHarness();
const startModel = usePickyModel();

/** A conversation with a model of that format. */
async function converse(api: PickyApi) {
  const h = await harness({ hasModel: false });
  const model = await startModel(api);
  await model.writeModels(h.modelsPath);
  await h.writeSettings(smallSummaries);
  await h.panel.ensureSession();
  return { h, model };
}

/** Every object in what was sent, the outer ones first. */
function objectsIn(value: unknown): readonly JsonObject[] {
  const inner = isJsonObject(value) ? Object.values(value) : Array.isArray(value) ? value : [];
  return [...(isJsonObject(value) ? [value] : []), ...inner.flatMap(objectsIn)];
}

const apis = ['openai-completions', 'openai-responses', 'anthropic-messages'] as const;
type Api = (typeof apis)[number];

// one white pixel
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const onTheWire: Readonly<Record<Api, object>> = {
  'openai-completions': { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
  'openai-responses': { type: 'input_image', image_url: `data:image/png;base64,${png}` },
  'anthropic-messages': {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: png },
  },
};

it.each(apis)('sends images in the format of %s, beside the words', async (api) => {
  const { h, model } = await converse(api);
  const images = [{ type: 'image' as const, data: png, mimeType: 'image/png' }];
  const { transcript } = await h.say({
    ...plainMessage('What is this?'),
    attached: { text: '', images },
  });
  expect(objectsIn(model.bodies.at(-1))).toContainEqual(expect.objectContaining(onTheWire[api]));
  expect(JSON.stringify(model.bodies.at(-1))).toContain('What is this?');
  expect(transcript).toMatchObject([
    { kind: 'user', text: 'What is this?' },
    { kind: 'assistant', text: 'All is well.' },
  ]);
});

const efforts: Readonly<Record<Api, object>> = {
  'openai-completions': { reasoning_effort: 'high' },
  'openai-responses': { reasoning: expect.objectContaining({ effort: 'high' }) },
  'anthropic-messages': { thinking: expect.objectContaining({ type: 'enabled' }) },
};
/** What the provider wants to have back of its thoughts. */
const replayed: Readonly<Record<Api, object>> = {
  'openai-completions': { role: 'assistant', reasoning_content: 'Let me see.' },
  'openai-responses': { type: 'reasoning', encrypted_content: 'sealed' },
  'anthropic-messages': { type: 'thinking', thinking: 'Let me see.', signature: 'signed' },
};

it.each(apis)('asks %s to think, shows the thoughts, and gives them back', async (api) => {
  const { h, model } = await converse(api);
  expect(await h.panel.chooseThinking('high')).toBe('high');
  model.thought = 'Let me see.';
  const { transcript } = await h.say('hello');
  expect(model.bodies.at(-1)).toMatchObject(efforts[api]);
  expect(transcript.at(-1)).toMatchObject({
    kind: 'assistant',
    text: 'All is well.',
    thinking: expect.stringContaining('Let me see.'),
  });
  await h.say('and again');
  expect(objectsIn(model.bodies.at(-1))).toContainEqual(expect.objectContaining(replayed[api]));
});

it.each(apis)('asks %s for no thoughts where the user wants none', async (api) => {
  const { h, model } = await converse(api);
  await h.panel.chooseThinking('off');
  await h.say('hello');
  expect(model.bodies.at(-1)).not.toMatchObject(efforts[api]);
});

const overflows: Readonly<Record<Api, object>> = {
  'openai-completions': {
    error: {
      message:
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
    },
  },
  'openai-responses': {
    error: {
      message: 'Your input exceeds the context window of this model. Please adjust your input.',
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
    },
  },
  'anthropic-messages': {
    type: 'error',
    error: {
      type: 'invalid_request_error',
      message: 'prompt is too long: 213462 tokens > 200000 maximum',
    },
  },
};

it.each(Object.entries(overflows) as [PickyApi, object][])(
  'makes room when %s says that a request is too long, and sends it again',
  async (api, body) => {
    const { h, model } = await converse(api);
    await h.say(...longTalk);
    const before = model.bodies.length;
    model.trouble = { status: 400, body };
    const { transcript } = await h.say('and now?');
    expect(transcript.slice(-3)).toMatchObject([
      { kind: 'user' },
      { kind: 'compaction' },
      { kind: 'assistant', text: 'All is well.' },
    ]);
    // refused, summed up, sent again
    expect(model.bodies.length - before).toBe(3);
    const [refused, , again] = model.bodies.slice(before);
    expect(JSON.stringify(again).length).toBeLessThan(JSON.stringify(refused).length);
    expect(JSON.stringify(again)).toContain('and now?');
  },
);

it('waits when Anthropic is overloaded in the middle of an answer, and shows the answer once', async () => {
  const { h, model } = await converse('anthropic-messages');
  model.breaksOff = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  await h.panel.prompt('hello');
  const { transcript: waiting } = await h.until('a wait', ({ transcript }) =>
    transcript.some((one) => one.kind === 'retry' && one.until !== undefined),
  );
  expect(waiting.find(({ kind }) => kind === 'retry')).toMatchObject({
    text: 'Picky takes no more requests for the moment',
  });
  h.panel.shown?.retries.sendNow();
  const { transcript } = await h.untilDone();
  expect(transcript.filter(({ kind }) => kind === 'assistant')).toMatchObject([
    { text: 'All is well.' },
  ]);
  expect(model.bodies).toHaveLength(2);
  expect(model.bodies[1]).toEqual(model.bodies[0]);
});
