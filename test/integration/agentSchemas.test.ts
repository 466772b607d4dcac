/** Parameters that no provider takes as they are, from a real server to the model and back, with the real Pi. */
import { expect, it } from 'vitest';
import { ScriptedServer } from '../helpers/attacks/scriptedServer.js';

const range = {
  type: 'object',
  properties: {
    'StartTime<': { type: 'string', pattern: '^\\d{4}$' },
    'EndTime>': { $ref: '#/$defs/time' },
  },
  required: ['StartTime<'],
  $defs: { time: { type: 'string' } },
};

async function converse() {
  const server = await ScriptedServer.create(() => ({
    results: {
      'tools/list': { tools: [{ name: 'go', inputSchema: range }] },
      'tools/call go': { content: [{ type: 'text', text: 'gone' }] },
    },
  }));
  const agent = await server.converse();
  const calls = async () =>
    (await server.heard()).flatMap(({ method, params }) =>
      method === 'tools/call' ? [(params as { readonly arguments: unknown }).arguments] : [],
    );
  return { agent, calls };
}

it('offers other names, and calls, asks and shows with those of the server', async () => {
  const { agent, calls } = await converse();
  await agent.panel.prompt('call hostile__go {"StartTime_": "2026", "EndTime_": "later"}');
  const { state } = await agent.untilAsked();
  const sent = JSON.stringify(agent.demo.requests.at(-1)?.tools);
  expect(sent).toContain('"required":["StartTime_"]');
  expect(sent).not.toContain('"StartTime<":');
  const args = { 'StartTime<': '2026', 'EndTime>': 'later' };
  expect(JSON.parse(state.approvals[0]?.args ?? '')).toEqual(args);
  await agent.answer('once');
  expect(await calls()).toEqual([args]);
  const [tool] = agent.tools();
  expect(tool).toMatchObject({ status: 'done', mcp: { server: 'hostile', tool: 'go' } });
  expect(JSON.parse(tool?.args ?? '')).toEqual(args);
  await agent.reload();
  const { transcript } = await agent.until('the conversation', ({ transcript: entries }) =>
    entries.some(({ kind }) => kind === 'tool'),
  );
  const again = transcript.find((entry) => entry.kind === 'tool');
  expect(JSON.parse(again?.args ?? '')).toEqual(args);
});

it('takes what the user made of the arguments, under the names of the server', async () => {
  const { agent, calls } = await converse();
  await agent.panel.prompt('call hostile__go {"StartTime_": "2026"}');
  const edited = JSON.stringify({ 'StartTime<': '2027' });
  await agent.answer('once', edited);
  expect(await calls()).toEqual([{ 'StartTime<': '2027' }]);
});

it('takes the names of the server from a model that knows them', async () => {
  const { agent, calls } = await converse();
  agent.defaultMode.set('runFreely');
  await agent.say('call hostile__go {"StartTime<": "2026"}');
  expect(await calls()).toEqual([{ 'StartTime<': '2026' }]);
});

it("checks arguments against the server's own schema, and says so in its names", async () => {
  const { agent, calls } = await converse();
  agent.defaultMode.set('runFreely');
  await agent.say('call hostile__go {"StartTime_": "soon"}');
  expect(await calls()).toEqual([]);
  expect(agent.tools()[0]).toMatchObject({
    status: 'failed',
    result: [{ kind: 'text', text: expect.stringContaining('data/StartTime< must match') }],
  });
});
