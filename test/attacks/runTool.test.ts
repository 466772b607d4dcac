/** Schemas and results of a hostile server that a user runs by hand: the form, the check and what is kept hold. */
import { expect, it } from 'vitest';
import { FieldDraft, readDraft } from '../../src/base/form/fieldDraft.js';
import { formField } from '../../src/base/form/fieldModel.js';
import { RunHistory } from '../../src/presentation/runTool/runHistory.js';
import { ToolRun } from '../../src/presentation/runTool/toolRun.js';
import { ScriptedServer } from '../helpers/attacks/scriptedServer.js';
import { FakeKept } from '../helpers/fakes/fakeKept.js';

const slow = '^(a|a)*$';
const text = `${'a'.repeat(40)}!`;

/** A server with one tool, and the run of it. */
async function serve(inputSchema: object, answer: object = { content: [] }) {
  const hostile = await ScriptedServer.create(() => ({
    results: {
      'tools/list': { tools: [{ name: 'go', inputSchema: { type: 'object', ...inputSchema } }] },
      'tools/call go': answer,
    },
  }));
  await hostile.server.ensureConnected();
  const [tool] = hostile.server.catalog.value.tools;
  if (!tool) {
    throw new Error('The tool is not offered');
  }
  const stored = new FakeKept();
  const history = new RunHistory(stored);
  const { service } = hostile;
  const run = new ToolRun(
    { serverId: hostile.server.id, tool: tool.name },
    { service, history, language: 'en' },
  );
  const calls = async () =>
    (await hostile.heard()).filter(({ method }) => method === 'tools/call').length;
  return { hostile, run, tool, stored, calls };
}

const nothing = () => undefined;

it('control: arguments that fit are sent once, and the result comes back', async () => {
  const answer = { content: [{ type: 'text', text: 'answer' }] };
  const { run, calls } = await serve({ properties: { p: { pattern: slow } } }, answer);
  const reply = await run.run({ args: { p: 'aaa' }, meta: { x: 1 } }, nothing);
  expect(reply).toMatchObject({
    kind: 'ended',
    outcome: { end: 'done', blocks: [{ text: 'answer' }] },
  });
  expect(await calls()).toBe(1);
});

const doubling = Object.fromEntries(
  Array.from({ length: 60 }, (_, n) => [
    `d${n}`,
    { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
  ]),
);
const required = Object.fromEntries(
  Array.from({ length: 60 }, (_, n) => [`p${n}`, { $ref: '#/$defs/all' }]),
);

it.each<[string, object]>([
  ['a pattern', { properties: { p: { pattern: slow } } }],
  [
    'patterns of names',
    { patternProperties: { [slow]: { type: 'number' } }, additionalProperties: false },
  ],
])(
  'a text that takes %s for ever is judged at once, and nothing is sent',
  async (_what, schema) => {
    const { hostile, run, calls } = await serve(schema);
    const reply = await run.run({ args: { p: text } }, nothing);
    expect(reply.kind).toBe('refused');
    expect(await calls()).toBe(0);
    expect(await hostile.isFineAlive()).toBe(true);
  },
);

it.each<[string, object]>([
  [
    'references that double',
    { properties: { a: { $ref: '#/$defs/d0' } }, $defs: { ...doubling, d60: {} } },
  ],
  [
    'fields that all need each other',
    {
      $ref: '#/$defs/all',
      $defs: { all: { type: 'object', properties: required, required: Object.keys(required) } },
    },
  ],
  [
    'forty thousand values',
    { properties: { a: { enum: Array.from({ length: 40_000 }, (_, n) => n) } } },
  ],
  [
    'unions in unions',
    {
      properties: { a: { $ref: '#/$defs/u' } },
      $defs: {
        u: {
          anyOf: Array.from({ length: 50 }, () => ({ properties: { a: { $ref: '#/$defs/u' } } })),
        },
      },
    },
  ],
])('a form of %s is made and filled in bounded time', async (_what, schema) => {
  const { tool } = await serve(schema);
  const before = process.threadCpuUsage();
  const draft = new FieldDraft(formField(tool.inputSchema));
  readDraft(draft);
  draft.write({ a: { a: { a: { a: 1 } } } });
  expect(readDraft(draft).value).toEqual({ a: { a: { a: { a: 1 } } } });
  // microseconds of this thread, however busy the machine is
  expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000);
});

it('names of a prototype reach no prototype, and arrive as they were written', async () => {
  const properties = JSON.parse(
    '{"__proto__": {"type": "string"}, "constructor": {"type": "string"}}',
  );
  const { hostile, run, tool } = await serve({ properties });
  const draft = new FieldDraft(formField(tool.inputSchema));
  for (const child of draft.children) {
    child.type('CANARY');
  }
  const { value } = readDraft(draft);
  await run.run({ args: value as Record<string, unknown> }, nothing);
  expect(Object.keys(value as object)).toEqual(draft.children.map(({ field }) => field.name));
  expect(Object.prototype.toString).toBeTypeOf('function');
  expect(({} as { length?: unknown }).length).toBeUndefined();
  expect(await hostile.isFineAlive()).toBe(true);
});

it('a result with scripts, strange pictures and addresses is text and files', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
  const { run } = await serve(
    {},
    {
      content: [
        { type: 'text', text: '<img src=x onerror=alert(1)>' },
        { type: 'image', mimeType: 'image/svg+xml', data: svg.toString('base64') },
        { type: 'image', mimeType: 'image/png"><script>', data: 'AAAA' },
        { type: 'image', mimeType: 'image/png', data: 'AA"onerror="alert(1)' },
      ],
    },
  );
  const reply = await run.run({ args: {} }, nothing);
  const blocks = reply.kind === 'ended' ? reply.outcome.blocks : [];
  expect(blocks.map(({ kind }) => kind)).not.toContain('image');
  expect(blocks[0]).toEqual({ kind: 'text', text: '<img src=x onerror=alert(1)>' });
});

it('secrets of arguments are in nothing that is stored', async () => {
  const { run, stored } = await serve({
    properties: { pin: { type: 'string', format: 'password' }, where: { type: 'string' } },
  });
  const args = { pin: 'CANARY', where: 'here', more: { accessToken: 'CANARY' } };
  await run.run({ args }, nothing);
  expect(JSON.stringify(stored.value)).toContain('here');
  expect(JSON.stringify(stored.value)).not.toContain('CANARY');
});
