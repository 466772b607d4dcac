/** The comparison of `npm run test:servers` finds what it is there to find. */
import { describe, expect, it } from 'vitest';
import { compareLists, compareNames, hasSameShape, isSame } from '../servers/compare.js';
import { explain } from '../servers/explained.js';
import { planFor } from '../servers/plan.js';
import { reportOf } from '../servers/report.js';
import { publicServers } from '../servers/servers.js';
import type { Lists, Outcome } from '../servers/side.js';

const plain = (text: string) =>
  text.replaceAll('/a/home', '<home>').replaceAll('/b/home', '<home>');
const nothing: Lists = { tools: [], resources: [], resourceTemplates: [], prompts: [] };
const tool = { name: 'get_it', description: 'Gets it.', inputSchema: { type: 'object' } };
const lists = (...tools: Lists['tools']): Lists => ({ ...nothing, tools });
const text = (value: string): Outcome => ({
  kind: 'result',
  value: { content: [{ type: 'text', text: value }], isError: false },
});

it('names thirty servers or more, each once and in one version', () => {
  const names = publicServers.map(({ package: spec }) => spec);
  expect(names.length).toBeGreaterThanOrEqual(30);
  expect(new Set(names).size).toBe(names.length);
  expect(
    names.filter((name) => !/^(?:@[a-z0-9-]+\/)?[a-z0-9-]+@\d+\.\d+\.\d+$/.test(name)),
  ).toEqual([]);
});

describe('lists', () => {
  it.each([
    ['a tool that is missing', [], 'tools: names'],
    ['another schema', [{ ...tool, inputSchema: {} }], 'tools: inputSchema of get_it'],
    ['another description', [{ ...tool, description: 'x' }], 'tools: description of get_it'],
    ['a hint', [{ ...tool, annotations: { readOnlyHint: true } }], 'tools: annotations of get_it'],
  ])('show %s', (_title, tools, what) => {
    const found = compareLists(lists(tool), lists(...tools), plain);
    expect(found.map((difference) => difference.what)).toEqual([what]);
  });

  it('are the same in another home, and whatever a server adds to the hints', () => {
    const raw = { ...tool, description: 'in /a/home', annotations: { category: 'x' } };
    const own = { ...tool, description: 'in /b/home', annotations: {} };
    expect(compareLists(lists(raw), lists(own), plain)).toEqual([]);
  });

  it('show names that no model could use, and tools that it does not get', () => {
    const sent = ['a b', 'fine', 'fine'].map((name) => ({
      tool: name,
      name,
      tokens: 1,
      givenTokens: 1,
    }));
    const found = compareNames(lists(tool), sent);
    expect(found.map(({ what, own }) => [what, own])).toEqual([
      ['names: not usable', '["a b"]'],
      ['names: twice', '["fine"]'],
      ['names: not offered', '["get_it"]'],
    ]);
  });
});

describe('answers', () => {
  const failed = (message: string): Outcome => ({ kind: 'error', message });

  it.each<[string, Outcome, Outcome, boolean]>([
    ['the same', text('a'), text('a'), true],
    ['another text', text('a'), text('b'), false],
    ['another time', text('took 12 ms'), text('took 7 ms'), true],
    ['another home', text('/a/home/x'), text('/b/home/x'), true],
    ['an error in place of a result', text('a'), failed('a'), false],
    [
      'an error that says who it is from',
      failed('MCP error -32602: no a'),
      failed('The server reported an error: no a'),
      true,
    ],
    ['another error', failed('no a'), failed('no b'), false],
  ])('%s', (_title, raw, own, same) => {
    expect(isSame(raw, own, plain)).toBe(same);
  });

  it('that are others each time have the same parts', () => {
    expect(hasSameShape(text('a'), text('b'))).toBe(true);
    expect(hasSameShape(text('a'), { kind: 'result', value: { content: [] } })).toBe(false);
  });
});

it('tries what is harmless, and what must fail', () => {
  const tools = [
    tool,
    { ...tool, name: 'list_all', inputSchema: { required: ['where'] } },
    { ...tool, name: 'delete_all' },
    { ...tool, name: 'get_rid_of_all', annotations: { readOnlyHint: false } },
  ];
  const plan = planFor({ package: 'a@1.0.0' }, { ...nothing, tools });
  expect(plan.map(({ name }) => name)).toEqual(['get_it', 'list_all', 'no_such_tool']);
});

it('explains what is named, and of that server', () => {
  const difference = { what: 'prompts: arguments of a', raw: 'null', own: '[]' };
  expect(explain('any', difference)).toContain('empty list');
  expect(explain('any', { ...difference, own: '[1]' })).toBeUndefined();
  expect(
    explain('any', { ...difference, what: 'call: get-env', own: 'PI_MCP_RUN' }),
  ).toBeUndefined();
});

it('shows differences where they begin', () => {
  const same = 'x'.repeat(1000);
  const report = reportOf([
    {
      name: 'a',
      tools: 1,
      actions: 2,
      connectMs: 3,
      givenTokens: 4,
      sentTokens: 5,
      left: 0,
      explained: [],
      unexplained: [{ what: 'call: b', raw: `${same}one|two`, own: `${same}three` }],
    },
  ]);
  expect(report).toContain('| a | 1 | 2 | 3 | 4 | 5 | 0 | 0 | 1 |');
  expect(report).toMatch(/\| a \| call: b \| x+one\\\|two \| x+three \|/);
});
