/** What servers get of the panel's model, and what a message can be made of, over the real Pi. */
import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mayHaveModel } from '../../src/agent/models/setUp.js';
import { AgentSampling } from '../../src/agent/panel/agentSampling.js';
import { plainMessage } from '../../src/agent/queue/messageQueue.js';
import type { SamplingRequest } from '../../src/mcp/connection/session/clientFeatures.js';
import { createNodeHostEnvironment } from '../../src/platform/environment/nodeHostEnvironment.js';
import { type AgentHarness, createAgentHarness } from '../helpers/fakes/agentHarness.js';
import { CallableServer } from '../helpers/fakes/fakeAgentMcp.js';

let h: AgentHarness;
const server = new CallableServer('docs', [], () => Promise.reject(new Error('not called')));
const never = new AbortController().signal;
const environment = createNodeHostEnvironment({ homeDir: '/nowhere', env: {} });

beforeEach(async () => {
  h = await createAgentHarness({ servers: () => [server] });
});
afterEach(() => h.dispose());

function request(text: string, change: Partial<SamplingRequest> = {}): SamplingRequest {
  return {
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 100,
    tools: [],
    ...change,
  };
}

it('answers a server with the panel model', async () => {
  const sampling = new AgentSampling(() => h.panel);
  expect(await mayHaveModel(dirname(h.modelsPath), environment)).toBe(true);
  expect(await sampling.name()).toBe('Demo (offline)');
  const answer = await sampling.answer(
    request('Hello', { systemPrompt: 'Be brief.', temperature: 0.5 }),
    never,
  );
  expect(answer).toMatchObject({
    model: 'demo-1',
    content: { type: 'text' },
    stopReason: 'endTurn',
  });
  const sent = h.demo.requests.at(-1);
  expect(JSON.stringify(sent?.messages)).toContain('Be brief.');
  expect(sent?.tools ?? []).toEqual([]);
});

it('hands the calls of the model to the server that offered the tools, and takes results back', async () => {
  const sampling = new AgentSampling(() => h.panel);
  const echo = { name: 'echo', description: 'Echoes', inputSchema: { type: 'object' } };
  const first = await sampling.answer(request('echo good day', { tools: [echo] }), never);
  expect(first.stopReason).toBe('toolUse');
  expect(first.content).toMatchObject([
    { type: 'text' },
    { type: 'tool_use', name: 'echo', input: { message: 'good day' } },
  ]);
  const blocks = first.content as readonly { readonly type: string; readonly id?: string }[];
  const toolUseId = blocks.find(({ type }) => type === 'tool_use')?.id;
  const result = { type: 'tool_result', toolUseId, content: [{ type: 'text', text: 'GOOD DAY' }] };
  const second = await sampling.answer(
    request('echo good day', {
      tools: [echo],
      messages: [
        { role: 'user', content: { type: 'text', text: 'echo good day' } },
        { role: 'assistant', content: first.content },
        { role: 'user', content: [result] },
      ],
    }),
    never,
  );
  expect(JSON.stringify(second.content)).toContain('GOOD DAY');
});

it('offers the tools of a server under names that every provider takes', async () => {
  const sampling = new AgentSampling(() => h.panel);
  const inputSchema = { type: 'object', properties: { 'from<': { type: 'string' } } };
  const tools = [{ name: 'look', inputSchema }];
  const question = { role: 'user', content: { type: 'text', text: 'call look {"from_": "a"}' } };
  const answer = await sampling.answer(request('', { messages: [question], tools }), never);
  expect(answer.content).toContainEqual(
    expect.objectContaining({ type: 'tool_use', name: 'look', input: { 'from<': 'a' } }),
  );
  const content = [{ type: 'tool_use', id: '1', name: 'look', input: { 'from<': 'b' } }];
  const result = { type: 'tool_result', toolUseId: '1', content: [{ type: 'text', text: 'B' }] };
  const messages = [question, { role: 'assistant', content }, { role: 'user', content: [result] }];
  await sampling.answer(request('', { messages, tools }), never);
  const sent = JSON.stringify(h.demo.requests.at(-1));
  expect(sent).toContain(JSON.stringify(JSON.stringify({ from_: 'b' })).slice(1, -1));
  expect(sent).not.toContain('"from<":');
});

it('says that there is no model', async () => {
  await h.dispose();
  h = await createAgentHarness({ hasModel: false });
  const sampling = new AgentSampling(() => h.panel);
  expect(await mayHaveModel(dirname(h.modelsPath), environment)).toBe(false);
  await expect(sampling.answer(request('Hello'), never)).rejects.toMatchObject({
    code: 'no_model',
  });
});

it('rejects with the reason of the signal', async () => {
  const sampling = new AgentSampling(() => h.panel);
  const controller = new AbortController();
  const answer = sampling.answer(request('tell me a long story'), controller.signal);
  controller.abort(new Error('withdrawn'));
  await expect(answer).rejects.toThrow('withdrawn');
});

it('puts what servers say into the system prompt, as data with their names', async () => {
  server.catalog.set({ ...server.catalog.value, instructions: 'Search before you read.' });
  await h.say('hello');
  const [system] = h.demo.requests.at(-1)?.messages ?? [];
  expect(JSON.stringify(system?.content)).toContain('Search before you read.');
  expect(JSON.stringify(system?.content)).toContain('docs');
});

it('sends images with a message', async () => {
  const data =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const images = [{ type: 'image' as const, data, mimeType: 'image/png' }];
  await h.say({ ...plainMessage('what is this'), attached: { text: '', images } });
  expect(JSON.stringify(h.demo.requests.at(-1)?.messages)).toContain('image_url');
});
