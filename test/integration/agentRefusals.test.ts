/** Providers that refuse requests for their tools, with the real Pi and a scripted model in the words of each. */
import { describe, expect, it } from 'vitest';
import { SetAsideTools } from '../../src/agent/policy/setAsideTools.js';
import { defaultToolPolicy } from '../../src/agent/policy/toolPolicy.js';
import type { McpTool } from '../../src/mcp/mcpTypes.js';
import { CallableServer } from '../helpers/fakes/fakeAgentMcp.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';
import { type PickyApi, pickyApis, usePickyModel } from '../helpers/wires/pickyModel.js';

const harness = useAgentHarness();
const startModel = usePickyModel();

const words: Readonly<Record<PickyApi, string>> = {
  'anthropic-messages': 'Property keys should match pattern',
  'openai-completions': 'array schema missing items',
  'openai-responses': 'array schema missing items',
  'google-generative-ai': 'properties[a].items: missing field',
};

async function converse(api: PickyApi, ...refused: readonly string[]) {
  const tools = ['one', 'two', 'three'].map((name): McpTool => ({ name, inputSchema: {} }));
  return await converseWith(tools, api, refused);
}

async function converseWith(
  tools: readonly McpTool[],
  api: PickyApi,
  refused: readonly string[] = [],
) {
  const model = await startModel(api);
  for (const name of refused) {
    model.refused.add(name);
  }
  const server = new CallableServer('demo', tools, () => Promise.reject(new Error('no')));
  const setAside = new SetAsideTools();
  const h = await harness({
    servers: () => [server],
    hasModel: false,
    tools: { ...defaultToolPolicy, setAside },
  });
  await model.writeModels(h.modelsPath);
  const say = async (text: string) => {
    return (await h.say(text)).transcript;
  };
  /** Tools of the server in each request. */
  const offers = () => model.offers.map((names) => names.filter((name) => name.includes('__')));
  const whyAside = (tool: string) => setAside.reasonFor(server.id, tool);
  return { h, model, server, setAside, say, offers, whyAside };
}

const all = ['demo__one', 'demo__two', 'demo__three'];

describe.each(pickyApis)('%s', (api) => {
  it('gets the request again without each tool that it names, and the conversation goes on', async () => {
    const { say, offers, whyAside } = await converse(api, 'demo__one', 'demo__three');
    const transcript = await say('Hello');
    expect(offers()).toEqual([all, ['demo__two', 'demo__three'], ['demo__two']]);
    expect(transcript).toMatchObject([
      { kind: 'user', text: 'Hello' },
      {
        kind: 'notice',
        level: 'info',
        text: expect.stringContaining('one · demo'),
      },
      { kind: 'notice', level: 'info', text: expect.stringContaining('three · demo') },
      { kind: 'assistant', text: 'All is well.' },
    ]);
    expect(whyAside('one')).toContain(words[api]);
    expect([whyAside('two'), whyAside('three')]).toEqual([
      undefined,
      expect.stringContaining(words[api]),
    ]);
    await say('Again');
    expect(offers().slice(3)).toEqual([['demo__two']]);
  });

  it('is not guessed about when it names no tool', async () => {
    const { model, say, offers, whyAside } = await converse(api, 'demo__one');
    model.isSilent = true;
    const transcript = await say('Hello');
    expect(offers()).toEqual([all]);
    expect(transcript.at(-1)).toMatchObject({ kind: 'notice', level: 'error' });
    expect(whyAside('one')).toBeUndefined();
  });

  it('is not asked again without a tool of Pi itself', async () => {
    const { say, model } = await converse(api, 'read');
    const transcript = await say('Hello');
    expect(model.offers).toHaveLength(1);
    expect(transcript.at(-1)).toMatchObject({ kind: 'notice', level: 'error' });
  });

  it('gets a tool again that the user wants back, and what changed', async () => {
    const { say, server, setAside, offers, model } = await converse(api, 'demo__one');
    await say('Hello');
    expect(offers()).toEqual([all, ['demo__two', 'demo__three']]);
    setAside.restore(server.id, 'one');
    await say('Hello');
    expect(offers().slice(2)).toEqual([all, ['demo__two', 'demo__three']]);
    const [first, ...others] = server.catalog.value.tools;
    const changed = { name: 'one', description: 'Mended', inputSchema: {} };
    expect(first?.name).toBe('one');
    model.refused.clear();
    server.catalog.set({ ...server.catalog.value, tools: [changed, ...others] });
    await say('Hello');
    expect(offers().at(-1)).toContain('demo__one');
  });
});

it('sends shorter descriptions to a provider that takes no longer ones, now and later', async () => {
  const tools = ['one', 'two'].map(
    (name): McpTool => ({ name, description: `Does ${'so '.repeat(600)}`, inputSchema: {} }),
  );
  const { model, say, offers, whyAside } = await converseWith(tools, 'openai-completions');
  model.maxDescription = 1_024;
  const transcript = await say('Hello');
  expect(transcript.map(({ kind }) => kind)).toEqual(['user', 'assistant']);
  const both = ['demo__one', 'demo__two'];
  expect(offers()).toEqual([both, both]);
  await say('Again');
  expect(offers()).toEqual([both, both, both]);
  expect(whyAside('one')).toBeUndefined();
});

it('keeps what it knows to its conversation, and shows it again with it', async () => {
  const { h, say, offers, model, whyAside } = await converse('anthropic-messages', 'demo__one');
  await say('Hello');
  model.refused.clear();
  await h.panel.newSession();
  await say('Hi');
  expect(offers().at(-1)).toEqual(expect.arrayContaining(all));
  const earlier = (await h.panel.library.list()).find(({ title }) => title === 'Hello');
  await h.panel.library.open(earlier?.id ?? '');
  expect(h.panel.snapshot().transcript).toContainEqual(
    expect.objectContaining({
      kind: 'notice',
      text: expect.stringContaining('the provider refused'),
    }),
  );
  // the row says so while any conversation does without the tool
  expect(whyAside('one')).toBeDefined();
  await h.panel.library.delete(earlier?.id ?? '');
  expect(whyAside('one')).toBeUndefined();
});
