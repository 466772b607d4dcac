/** Patterns and schemas of a server that would run for ever: whoever reads them goes on. */
import { expect, it } from 'vitest';
import { ScriptedServer } from '../helpers/attacks/scriptedServer.js';

const slow = '^(a|a)*$';
const text = `${'a'.repeat(40)}!`;

/** A server with one tool, which answers with `structuredContent`. */
function serve(schemas: object, structuredContent: object = {}): Promise<ScriptedServer> {
  return ScriptedServer.create(() => ({
    results: {
      'tools/list': { tools: [{ name: 'go', inputSchema: { type: 'object' }, ...schemas }] },
      'tools/call go': { content: [{ type: 'text', text: 'answer' }], structuredContent },
    },
  }));
}

async function callAsModel(schemas: object, args: object) {
  const hostile = await serve(schemas);
  const agent = await hostile.converse();
  await agent.panel.prompt(`call hostile__go ${JSON.stringify(args)}`);
  const { state } = await agent.untilAsked();
  agent.panel.decide(state.approvals[0]?.id ?? '', 'once');
  await agent.untilDone();
  const calls = (await hostile.heard()).filter(({ method }) => method === 'tools/call');
  return { hostile, tool: agent.tools()[0], calls: calls.length };
}

const withPattern = {
  inputSchema: { type: 'object', properties: { p: { type: 'string', pattern: slow } } },
};

it('control: arguments and results that match are sent and shown', async () => {
  const { tool, calls } = await callAsModel(withPattern, { p: 'aaa' });
  expect([tool?.status, calls]).toEqual(['done', 1]);
});

it('are judged before a call, without reaching the server', async () => {
  const { hostile, tool, calls } = await callAsModel(withPattern, { p: text });
  expect([tool?.status, calls]).toEqual(['failed', 0]);
  expect(await hostile.isFineAlive()).toBe(true);
});

const doubling = Object.fromEntries(
  Array.from({ length: 60 }, (_, n) => [
    `d${n}`,
    { anyOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
  ]),
);

it.each<[string, object, object, RegExp]>([
  ['patterns', { properties: { p: { pattern: slow } } }, { p: text }, /must match the pattern/],
  [
    'patterns of names',
    { patternProperties: { [slow]: false } },
    { [text]: 1, a: 1 },
    /is not allowed/,
  ],
  [
    'references that double',
    { $ref: '#/$defs/d0', $defs: { ...doubling, d60: false } },
    {},
    /would take too long/,
  ],
])('hold nobody up in the check of a result: %s', async (_what, outputSchema, content, said) => {
  const hostile = await serve({ outputSchema: { type: 'object', ...outputSchema } }, content);
  const { mismatch } = await hostile.server.callTool('go', {});
  expect(mismatch).toMatch(said);
  expect(await hostile.isFineAlive()).toBe(true);
});
