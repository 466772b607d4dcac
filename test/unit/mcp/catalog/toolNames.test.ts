import { expect, it } from 'vitest';
import {
  maxToolNameLength,
  type NameableServer,
  nameTools,
} from '../../../../src/mcp/catalog/toolNames.js';

function server(name: string, ...tools: readonly string[]): NameableServer {
  return { id: `global#${name}`, name, tools: tools.map((tool) => ({ name: tool })) };
}

function namesOf(servers: readonly NameableServer[], options = {}) {
  return nameTools(servers, options).map(({ name }) => name);
}

it.each([
  ['server', 'files-mcp', 'read', 'files_mcp__read'],
  ['short', 'files-mcp', 'read', 'files__read'],
  ['short', 'mcp', 'read', 'mcp__read'],
  ['none', 'files', 'read_it', 'read_it'],
  ['mcp', 'files', 'read', 'mcp__files__read'],
  ['server', 'my server.v1', 'é/t0', 'my_server_v1____t0'],
  ['server', '7zip', 'pack', '_7zip__pack'],
  ['server', 'browser', 'browser_click', 'browser_click'],
  ['server', 'Browser', 'browser-click', 'browser_click'],
  ['server', 'browser', 'browsers', 'browser__browsers'],
  ['short', 'browser-mcp', 'browser_click', 'browser_click'],
  ['mcp', 'browser', 'browser_click', 'mcp__browser__browser_click'],
] as const)('names with prefix %s: %s, %s', (prefix, name, tool, expected) => {
  expect(namesOf([server(name, tool)], { prefix })).toEqual([expected]);
});

it('gives every member of a clash a suffix and drops none, in any order', () => {
  const a = server('a__b', 'c');
  const b = server('a', 'b__c', 'other');
  const named = nameTools([a, b]);
  const names = named.map(({ name }) => name);
  expect(names[0]).toMatch(/^a__b__c_[0-9a-f]{8}$/);
  expect(names[1]).toMatch(/^a__b__c_[0-9a-f]{8}$/);
  expect(names[2]).toBe('a__other');
  expect(new Set(names).size).toBe(3);
  const key = ({ serverId, tool }: { serverId: string; tool: string }) => `${serverId} ${tool}`;
  const byTool = new Map(named.map((tool) => [key(tool), tool.name]));
  for (const tool of nameTools([b, a])) {
    expect(tool.name).toBe(byTool.get(key(tool)));
  }
});

it('never takes a reserved name', () => {
  expect(namesOf([server('x', 'read')], { prefix: 'none', reserved: ['read'] })[0]).toMatch(
    /^read_[0-9a-f]{8}$/,
  );
});

it('cuts long names to the limit and keeps them apart', () => {
  const long = 'x'.repeat(80);
  const names = namesOf([server('s', `${long}1`, `${long}2`)]);
  expect(names.map(({ length }) => length)).toEqual([maxToolNameLength, maxToolNameLength]);
  expect(names[0]).not.toBe(names[1]);
});

it('survives a tool that is named like the suffixed name of another', () => {
  const taken = namesOf([server('x', 'read')], { prefix: 'none', reserved: ['read'] })[0] ?? '';
  const names = namesOf([server('x', 'read', taken)], { prefix: 'none', reserved: ['read'] });
  expect(new Set(names).size).toBe(2);
  expect(names.every((name) => name !== 'read' && name.length <= maxToolNameLength)).toBe(true);
});

it('names a tool that a server lists twice once', () => {
  expect(namesOf([server('x', 'a', 'a'), server('x', 'a')])).toEqual(['x__a']);
});

it('follows the prefix of a server before the general one', () => {
  expect(namesOf([{ ...server('x', 'a'), prefix: 'none' }, server('y', 'a')])).toEqual([
    'a',
    'y__a',
  ]);
});

it('makes names that every provider accepts from anything', () => {
  const odd = [
    '',
    ' ',
    '日本語',
    '日本国',
    'a.b',
    'a/b',
    '__proto__',
    'x'.repeat(300),
    '💥',
    'mcp',
  ];
  const names = namesOf(odd.map((name) => server(name, ...odd)));
  expect(names).toHaveLength(odd.length * odd.length);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name))).toEqual([]);
});
