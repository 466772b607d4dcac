import { validateToolArguments } from '@earendil-works/pi-ai';
import { expect, it } from 'vitest';
import type { PiToolResult } from '../../../../src/agent/pi/piModule.js';
import { BridgedTool } from '../../../../src/agent/tools/bridgedTool.js';
import type { JsonObject } from '../../../../src/base/json.js';
import { serverId } from '../../../../src/config/definition.js';
import { ParameterHelp } from '../../../../src/mcp/catalog/schema/parameterHelp.js';
import { ModelToolDefinition } from '../../../../src/mcp/catalog/toolCatalog.js';

const answer: PiToolResult = { content: [{ type: 'text', text: 'called' }], details: undefined };

/** Calls a tool as Pi does: its validator first. */
async function call(
  properties: object,
  args: JsonObject,
  { help = new ParameterHelp(), answered = answer } = {},
) {
  const source = { name: 't', inputSchema: { type: 'object', properties } };
  const tool = new BridgedTool(
    {
      name: 's__t',
      server: 's',
      serverId: serverId('pool', 's'),
      tool: 't',
      exposure: 'direct',
      scope: 'global',
      isForApp: false,
      source,
      model: new ModelToolDefinition('s__t', 's', source),
    },
    help,
    () => Promise.resolve(answered),
  );
  const { definition } = tool;
  const valid = validateToolArguments(definition as never, {
    type: 'toolCall',
    id: '1',
    name: 's__t',
    arguments: definition.prepareArguments?.(args) as never,
  });
  const said: unknown[] = [];
  const result = await definition.execute(
    '1',
    valid as never,
    undefined,
    (update) => said.push((update.details as { progress?: string }).progress),
    undefined as never,
  );
  return { result, said };
}

const slow = '^(a|a)*$';
const text = `${'a'.repeat(40)}!`;

it.each<[string, object, JsonObject]>([
  ['a pattern', { p: { type: 'string', pattern: slow } }, { p: text }],
  ['a pattern of names', { p: { patternProperties: { [slow]: false } } }, { p: { aa: 1 } }],
  [
    'a pattern behind a reference',
    { p: { $ref: '#/properties/q' }, q: { pattern: slow } },
    { p: text },
  ],
])('refuses arguments that do not match %s, at once', async (_what, properties, args) => {
  await expect(call(properties, args)).rejects.toThrow(/^The arguments do not fit the tool s__t: /);
});

it.each<[string, object]>([
  ['a word that no schema has', { p: { $ref: '#/x' }, x: { pattern: slow } }],
  [
    'the name of a property that TypeBox would run',
    { p: { '~kind': 'Object', properties: { [slow]: {} } } },
  ],
])('runs no pattern that hides in %s', async (_what, properties) => {
  const { result } = await call(properties, { p: { [text]: 1 } });
  expect(result).toBe(answer);
});

it('says that only the server can check what nobody can here', async () => {
  const { result, said } = await call({ p: { pattern: '^(?=(a|a)*$)' } }, { p: text });
  expect(result).toBe(answer);
  expect(said).toEqual([
    'Only the server can check these arguments: "^(?=(a|a)*$)" is not understood',
  ]);
});

it('lets arguments pass that match', async () => {
  const { result, said } = await call({ p: { type: 'string', pattern: slow } }, { p: 'aaa' });
  expect([result, said]).toEqual([answer, []]);
});

it('refuses arguments that fit what the model was given, but not the schema of the server', async () => {
  const properties = { p: { type: 'array', items: { type: 'string' }, uniqueItems: true } };
  await expect(call(properties, { p: ['x', 'x'] })).rejects.toThrow(/holds the same item twice/);
  const { result } = await call(properties, { p: ['x', 'y'] });
  expect(result).toBe(answer);
});

it('tells the parameters below a failed result, and with arguments that do not fit, each once', async () => {
  const answered = { ...answer, details: { isMcp: true, isError: true } };
  const properties = { p: { type: 'string', pattern: slow } };
  const help = new ParameterHelp();
  const first = await call(properties, { p: 'a' }, { help, answered });
  const second = await call(properties, { p: 'a' }, { help, answered });
  expect(first.result.content.slice(1)).toEqual([
    { type: 'text', text: expect.stringMatching(/^Parameters of s__t: \n {2}p \(string\)/) },
  ]);
  expect(second.result.content).toEqual(answer.content);
  await expect(call(properties, { p: text })).rejects.toThrow(/\nParameters of s__t: \n {2}p/);
  await expect(call(properties, { p: text }, { help })).rejects.not.toThrow(/Parameters of/);
});
