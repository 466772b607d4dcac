import { describe, expect, it } from 'vitest';
import type { ParsedEntry } from '../../../../src/config/parse/configTypes.js';
import { parseConfig } from '../../../../src/config/parse/parseConfig.js';

const path = '/w/.mcp.json';
const parse = (text: string) => parseConfig(text, { path, layer: 'project' });

function onlyEntry(entry: unknown): ParsedEntry {
  const file = parse(JSON.stringify({ mcpServers: { s: entry } }));
  expect(file.entries).toHaveLength(1);
  return file.entries[0] as ParsedEntry;
}

describe('shapes', () => {
  const server = '{"command":"node"}';
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['mcpServers', `{"mcpServers":{"a":${server}}}`, ['mcpServers', 'a']],
    ['mcp-servers', `{"mcp-servers":{"a":${server}}}`, ['mcp-servers', 'a']],
    ['servers', `{"servers":{"a":${server}}}`, ['servers', 'a']],
    ['bare', `{"a":${server}}`, ['a']],
    ['bare', `{"servers":${server}}`, ['servers']],
    ['mcp', `{"mcp":{"a":{"type":"local","command":["node"]}}}`, ['mcp', 'a']],
    ['mcp', `{"mcp":{"inputs":[],"servers":{"a":${server}}}}`, ['mcp', 'servers', 'a']],
  ];
  it.each(cases)('reads %s in %s', (shape, text, entryPath) => {
    const file = parse(text);
    expect(file.problems).toEqual([]);
    expect(file.shape).toBe(shape);
    expect(file.entries.map((entry) => [entry.kind, entry.path])).toEqual([['stdio', entryPath]]);
  });

  it('reads comments, trailing commas, CRLF and a byte order mark, with offsets behind the mark', () => {
    const text = '{ // servers\r\n "mcpServers": { /* one */ "a": {"command": "x",},\r\n},}';
    const file = parse(`\uFEFF${text}`);
    const [entry] = file.entries;
    expect(file.hasSyntaxError).toBe(false);
    expect(text.slice(entry?.nameRange.start, entry?.nameRange.end)).toBe('a');
    expect(text.slice(entry?.range.start, entry?.range.end)).toBe('"a": {"command": "x",}');
  });

  it('finds nothing in an empty, blank or unrelated file and says nothing about it', () => {
    for (const text of ['', ' \n', '{}', '{"disabled":false}']) {
      expect(parse(text)).toMatchObject({ shape: 'empty', entries: [], problems: [] });
    }
  });

  it('takes only the mcp block of a file of another program', () => {
    const text = `{"theme":"dark","servers":{"b":${server}},"mcp":{"a":${server},"autoStart":true},"disabled":true}`;
    const file = parseConfig(text, { path, layer: 'pi-settings', isForeignFile: true });
    expect(file.entries.map((entry) => entry.name)).toEqual(['a']);
    expect(file).toMatchObject({ problems: [], isMasterDisabled: undefined });
  });
});

describe('servers that nobody reads', () => {
  const server = '{"command":"x"}';

  it.each([
    [`{"mcps":{"a":${server}}}`, 'mcps'],
    [`{"McpServers":{"a":${server}},"mcpServers":{}}`, 'McpServers'],
    [`{"mcpServers":{"a":${server}},"b":${server}}`, 'b'],
    [`{"tools":[${server}]}`, 'tools'],
    ['{"command":"x","env":{"A":"y"}}', 'command'],
    ['{"mcpServers":{},"url":"https://a"}', 'url'],
  ])('are reported in %s', (text, name) => {
    const { problems } = parse(text);
    expect(problems).toMatchObject([{ code: 'unread-servers', severity: 'warning' }]);
    const { start = 0, end = 0 } = problems[0]?.range ?? {};
    expect(text.slice(start, end)).toBe(name);
  });

  it('are none of the parts of one that has no name', () => {
    expect(parse('{"command":"x","env":{"url":"y"}}').entries).toEqual([]);
  });

  it('are to be moved where there is a block, or their own is to be called one', () => {
    const remedies = [`{"mcpservers":{"a":${server}}}`, `{"servers":{},"mcps":{"a":${server}}}`];
    expect(remedies.map((text) => parse(text).problems[0]?.remedy)).toEqual([
      'Write it as "mcpServers".',
      'Move it into "servers".',
    ]);
  });

  it('are none of what other tools keep in the file', () => {
    const text = `{"mcpServers":{"a":${server}},"meta":{"command":{}},"x":[1,{"name":"y"}],"inputs":[{"id":"i"}]}`;
    expect(parse(text).problems).toEqual([]);
  });

  it.each([
    [`{"mcpServers":{"a":${server}}}`, ['unread-servers']],
    [`{"servers":[${server}]}`, ['servers-not-object']],
    ['{"servers":{}}', []],
    [`{"servers":{"a":${server}},"mcpServers":{"b":${server}}}`, []],
    ['{"lsp":{"ts":{"command":["tsserver"]}}}', []],
  ])('are reported in the file of another program: %s', (text, codes) => {
    const options = { path, layer: 'import', isForeignFile: true, block: ['servers'] } as const;
    expect(parseConfig(text, options).problems.map(({ code }) => code)).toEqual(codes);
  });
});

describe('a file that cannot be read', () => {
  const cases: readonly (readonly [string, number])[] = [
    ['{"mcpServers": {', 1],
    ['{\n"mcpServers": {\n "a": {"command": "x"}\n "b": {}}}', 4],
    ['{"a": }', 1],
    ['[[['.repeat(40_000), 1],
    ['{} {}', 1],
  ];
  it.each(cases)('%.20s… has a syntax problem in line %i', (text, line) => {
    const file = parse(text);
    expect(file).toMatchObject({ hasSyntaxError: true, entries: [] });
    expect(file.problems.map((problem) => problem.code)).toEqual(['syntax']);
    expect(file.problems[0]?.message).toContain(`line ${line}:`);
  });

  it.each(['[]', '"x"', '3', 'null'])('%s is no object', (text) => {
    expect(parse(text).problems.map((problem) => problem.code)).toEqual(['not-an-object']);
  });

  it('says which block is no object', () => {
    const file = parse('{"mcpServers": []}');
    expect(file.problems).toMatchObject([
      { code: 'servers-not-object', range: { start: 15, end: 17 } },
    ]);
  });
});

describe('one entry', () => {
  const invalid: readonly (readonly [string, unknown, string])[] = [
    ['both', { command: 'x', url: 'https://a' }, 'command-and-url'],
    ['neither', { args: ['x'] }, 'no-command-or-url'],
    ['empty', {}, 'no-command-or-url'],
    ['null', null, 'entry-not-object'],
    ['array', [], 'entry-not-object'],
    ['string', 'npx x', 'entry-not-object'],
    ['empty command', { command: ' ' }, 'empty-command'],
    ['command of the wrong type', { command: 3 }, 'wrong-type'],
    ['empty argv', { command: [] }, 'empty-command'],
    ['args of the wrong type', { command: 'x', args: 'a b' }, 'wrong-type'],
    ['null argument', { command: 'x', args: [null] }, 'wrong-type'],
    ['env of the wrong type', { command: 'x', env: ['A=1'] }, 'wrong-type'],
    ['nested env', { command: 'x', env: { A: {} } }, 'wrong-type'],
    ['url without a scheme', { url: 'example.com/mcp' }, 'bad-url'],
    ['url of another scheme', { url: 'file:///etc/passwd' }, 'bad-url'],
    ['empty url', { url: '' }, 'bad-url'],
    ['unknown transport', { url: 'https://a', transport: 'websocket' }, 'unknown-value'],
    ['enabled of the wrong type', { command: 'x', enabled: 'no' }, 'wrong-type'],
    ['headers of the wrong type', { url: 'https://a', headers: 'x' }, 'wrong-type'],
  ];
  it.each(invalid)('is invalid: %s', (_label, value, code) => {
    const entry = onlyEntry(value);
    expect(entry.kind).toBe('invalid');
    expect(entry.launch).toBeUndefined();
    const errors = entry.problems.filter((problem) => problem.severity === 'error');
    expect(errors.map((problem) => problem.code)).toEqual([code]);
    expect(errors[0]?.server).toBe('s');
    expect(errors[0]?.message).toContain('s');
    expect(errors[0]?.remedy).toMatch(/\.$/);
  });

  const tolerated: readonly (readonly [string, object, string, string])[] = [
    ['unknown field', { command: 'x', foo: 1 }, 'unknown-field', 'info'],
    ['field of another program', { command: 'x', autoApprove: ['*'] }, 'ignored-field', 'hint'],
    ['header of a stdio server', { command: 'x', headers: {} }, 'field-of-other-kind', 'warning'],
    ['number as argument', { command: 'x', args: [3] }, 'not-a-string', 'warning'],
    ['unknown lifecycle', { command: 'x', lifecycle: 'often' }, 'unknown-value', 'warning'],
    ['negative timeout', { command: 'x', idleTimeout: -1 }, 'wrong-type', 'warning'],
    ['contradicting type', { command: 'x', type: 'http' }, 'kind-contradiction', 'warning'],
    [
      'stdio transport with url',
      { url: 'https://a', transport: 'stdio' },
      'kind-contradiction',
      'warning',
    ],
  ];
  it.each(tolerated)('is used all the same: %s', (_label, value, code, severity) => {
    const entry = onlyEntry(value);
    expect(entry.launch).toBeDefined();
    expect(entry.problems).toMatchObject([{ code, severity }]);
  });

  it('says nothing of what is for people, or says nothing itself', () => {
    const notes = { description: 'd', name: 'n', _comment: 'c', '//': 'c', tags: ['t'] };
    const empty = { autoApprove: [], trust: false, alwaysAllow: null };
    expect(onlyEntry({ command: 'x', ...notes, ...empty }).problems).toEqual([]);
  });

  const clean: readonly (readonly [string, object, object])[] = [
    [
      'pilot stdio',
      { transport: 'stdio', command: 'x', enabled: true },
      { kind: 'stdio', command: 'x' },
    ],
    ['Claude http', { type: 'http', url: 'https://a' }, { kind: 'http', transport: 'auto' }],
    ['Claude sse', { type: 'sse', url: 'https://a' }, { kind: 'http', transport: 'sse' }],
    [
      'pinned transport',
      { url: 'https://a', transport: 'streamable-http' },
      { transport: 'streamable-http' },
    ],
    [
      'opencode local',
      { type: 'local', command: ['bun', 'x', 'm'], environment: { A: '1' } },
      { command: 'bun', args: ['x', 'm'], env: { A: '1' } },
    ],
    [
      'loader local',
      { type: 'local', command: ['uvx', 'mcp-searxng'], env: { URL: 'https://b' }, enabled: true },
      { command: 'uvx', args: ['mcp-searxng'], env: { URL: 'https://b' } },
    ],
    [
      'opencode remote',
      { type: 'remote', url: 'https://a', headers: { H: 'v' } },
      { url: 'https://a', headers: { H: 'v' } },
    ],
    ['url of variables', { url: '${BASE}/mcp' }, { url: '${BASE}/mcp' }],
    ['port of a variable', { url: 'http://127.0.0.1:${PORT:-80}/mcp' }, { kind: 'http' }],
    ['switch off', { command: 'x', disabled: true }, { kind: 'stdio' }],
  ];
  it.each(clean)('has nothing to say about %s', (_label, value, launch) => {
    const entry = onlyEntry(value);
    expect(entry.problems).toEqual([]);
    expect(entry.launch).toMatchObject(launch);
  });

  it('reads the switches', () => {
    expect(onlyEntry({ enabled: false }).kind).toBe('overrides');
    expect(onlyEntry({ command: 'x', disabled: true }).enabled).toBe(false);
    expect(onlyEntry({ command: 'x', enabled: false }).enabled).toBe(false);
    expect(onlyEntry({ command: 'x', enabled: true }).enabled).toBe(true);
    expect(onlyEntry({ command: 'x', enabled: true, disabled: true }).enabled).toBe(false);
    expect(onlyEntry({ command: 'x' }).enabled).toBeUndefined();
    expect(onlyEntry({ command: 'x', directTools: ['a'], idleTimeout: 0 }).options).toEqual({
      directTools: ['a'],
      idleTimeout: 0,
    });
  });

  it('points at the value that is wrong', () => {
    const text = '{"mcpServers":{"s":{"url":"https://a","transport":"pigeon"}}}';
    const range = parse(text).entries[0]?.problems[0]?.range;
    expect(text.slice(range?.start, range?.end)).toBe('"pigeon"');
  });
});

describe('names', () => {
  it('keeps names that mean something to JavaScript', () => {
    const text =
      '{"mcpServers":{"__proto__":{"command":"a"},"constructor":{"command":"b","env":{"__proto__":"v"}}}}';
    const file = parse(text);
    expect(file.entries.map((entry) => entry.name)).toEqual(['__proto__', 'constructor']);
    const env = file.entries[1]?.launch?.kind === 'stdio' ? file.entries[1].launch.env : {};
    expect(Object.entries(env)).toEqual([['__proto__', 'v']]);
    expect(({} as { command?: string }).command).toBeUndefined();
  });

  it('takes the last of two entries with one name and points at the first', () => {
    const text = '{"mcpServers":{"a":{"command":"one"},"a":{"command":"two"}}}';
    const file = parse(text);
    expect(file.entries).toMatchObject([{ name: 'a', launch: { command: 'two' } }]);
    expect(file.entries[0]?.problems).toMatchObject([
      { code: 'duplicate-name', range: { start: 16, end: 17 } },
    ]);
  });
});

describe('top level', () => {
  it.each(['\\ud800a', 'a\\udfff', '\\udc00\\ud800'])('refuses the name "%s"', (name) => {
    const file = parse(`{"mcpServers":{"${name}":{"command":"x"},"good":{"command":"y"}}}`);
    expect(file.entries).toMatchObject([
      { kind: 'invalid', launch: undefined, problems: [{ code: 'malformed-name' }] },
      { name: 'good', kind: 'stdio', problems: [] },
    ]);
    const [problem] = file.entries[0]?.problems ?? [];
    expect(problem?.message).toBe(`The name "${name}" holds half of a character.`);
  });

  it('takes whole pairs in names', () => {
    expect(parse('{"mcpServers":{"😀":{"command":"x"}}}').entries).toMatchObject([
      { name: '😀', kind: 'stdio', problems: [] },
    ]);
  });

  const long = 'x'.repeat(64 * 1024 + 1);
  const many = Array.from({ length: 1001 }, (_item, index) => String(index));
  it.each([
    ['a long command', { command: long }, '"command" is too long: 65537, at most 65536'],
    ['a long argument', { command: 'x', args: ['y', long] }, '"args[1]" is too long: 65537'],
    ['a long variable', { command: 'x', env: { A: long } }, '"env.A" is too long: 65537'],
    [
      'a long name of a variable',
      { command: 'x', env: { [long]: '1' } },
      `"env.${long.slice(0, 40)}…" is too long: 65537`,
    ],
    [
      'a long value deep in OAuth',
      { url: 'https://h', oauth: { a: { b: long } } },
      '"oauth.a.b" is too long: 65537',
    ],
    ['many arguments', { command: 'x', args: many }, '"args" is too long: 1001, at most 1000'],
    [
      'many variables',
      { command: 'x', env: Object.fromEntries(many.map((name) => [name, '1'])) },
      '"env" is too long: 1001',
    ],
    [
      'many fields',
      { command: 'x', ...Object.fromEntries(many.map((name) => [name, 1])) },
      '"bad" is too long: 1002, at most 1000',
    ],
  ])(
    'refuses a server with %s alone, and says which, how large and the bound',
    (_, entry, said) => {
      const text = JSON.stringify({ mcpServers: { bad: entry, good: { command: 'x' } } });
      const file = parse(text);
      expect(file.entries).toMatchObject([
        { name: 'bad', kind: 'invalid', launch: undefined, problems: [{ code: 'too-large' }] },
        { name: 'good', kind: 'stdio' },
      ]);
      const [problem] = file.entries[0]?.problems ?? [];
      expect(problem?.message).toContain(said);
      // the place is that of the field
      const { start, end } = problem?.range ?? { start: 0, end: 0 };
      const [field = 'bad'] = /(?<=")\w+/.exec(said) ?? [];
      expect(text.slice(start, end)).toBe(`"${field}"`);
    },
  );

  it('takes what is as large as it may be', () => {
    const entry = { command: long.slice(1), args: many.slice(1) };
    expect(onlyEntry(entry)).toMatchObject({ kind: 'stdio', problems: [] });
  });

  it('refuses a server with a long name', () => {
    const file = parse(JSON.stringify({ mcpServers: { ['n'.repeat(1001)]: { command: 'x' } } }));
    expect(file.entries).toMatchObject([{ kind: 'invalid', problems: [{ code: 'too-large' }] }]);
  });

  it('takes a thousand servers of a file and says that there are more', () => {
    const entries = Array.from({ length: 1001 }, (_item, index) => [`s${index}`, { command: 'x' }]);
    const file = parse(JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
    expect(file.entries).toHaveLength(1000);
    expect(file.problems).toMatchObject([{ code: 'too-many-servers', severity: 'error' }]);
  });

  it('ignores settings and inputs beyond measure', () => {
    const file = parse(JSON.stringify({ settings: { toolPrefix: long }, inputs: [{ id: long }] }));
    expect(file).toMatchObject({ settings: {}, inputs: [], problems: [{ code: 'wrong-setting' }] });
  });

  it.each([
    ['a text that is too long', `{"mcpServers":{"a":{"command":"${'x'.repeat(1024 * 1024)}"}}}`],
    ['101 levels', `${'['.repeat(101)}${']'.repeat(101)}`],
    ['a million levels', '{"a":'.repeat(200_000)],
  ])('does not read %s', (_what, text) => {
    const file = parse(text);
    expect(file).toMatchObject({
      hasSyntaxError: true,
      entries: [],
      problems: [{ code: 'syntax' }],
    });
    expect(file.problems[0]?.message).toMatch(/more than 1048576 characters|nested too deeply/);
  });

  it('counts levels that are levels', () => {
    const brackets = '['.repeat(200);
    const text = `{"a": "${brackets}\\"${brackets}", /* ${brackets} "*/ "b": [] } // ${brackets}`;
    expect(parse(text).hasSyntaxError).toBe(false);
    const nested = `${'['.repeat(99)}/* ] */ "]" [] ${']'.repeat(99)}`.replace('"]" ', '"]", ');
    expect(parse(nested).problems).toMatchObject([{ code: 'not-an-object' }]);
  });

  it('takes `__proto__` for a name like any other', () => {
    const file = parse(
      '{"settings":{"__proto__":{"yolo":true}},"mcpServers":{"a":{"command":"x","env":{"__proto__":"1"},"__proto__":{"url":"y"}}}}',
    );
    const [only] = file.entries;
    expect(Object.keys(only?.raw ?? {})).toEqual(['command', 'env', '__proto__']);
    expect(Object.getPrototypeOf(only?.raw)).toBe(Object.prototype);
    expect(Object.entries(only?.launch?.kind === 'stdio' ? only.launch.env : {})).toEqual([
      ['__proto__', '1'],
    ]);
    expect(Object.getPrototypeOf(file.settings)).toBe(Object.prototype);
  });

  it('reads master switch, settings, imports and inputs', () => {
    const file = parse(
      JSON.stringify({
        disabled: true,
        imports: ['cursor', 'nothing'],
        settings: { toolPrefix: 'short', idleTimeout: 'x', custom: 1 },
        inputs: [{ id: 'key', type: 'promptString', password: true }, 3],
      }),
    );
    expect(file).toMatchObject({
      isMasterDisabled: true,
      imports: ['cursor'],
      settings: { toolPrefix: 'short', custom: 1 },
      inputs: [{ id: 'key', isPassword: true }],
    });
    expect(file.problems.map((problem) => problem.code)).toEqual([
      'wrong-setting',
      'unknown-setting',
      'unknown-import',
    ]);
  });

  it('reads the truncation that pi-forge writes beside the servers', () => {
    const read = (truncation: unknown) => {
      const text = JSON.stringify({ truncation, mcpServers: {} });
      const { settings, problems } = parseConfig(text, { path, layer: 'user' });
      return [settings.truncation, problems.map(({ code }) => code)];
    };
    expect(read({ enabled: true, maxChars: 500 })).toEqual([{ enabled: true, maxChars: 500 }, []]);
    for (const wrong of [3, { maxChars: 0 }, { maxChars: 2_000_000 }, { enabled: 'no' }]) {
      expect(read(wrong)).toEqual([undefined, ['wrong-setting']]);
    }
  });

  it('says which settings have no effect where they stand', () => {
    const text = JSON.stringify({
      settings: { approveTools: false, yolo: true, toolPrefix: 'mcp' },
    });
    const codes = (layer: 'user' | 'project') =>
      parseConfig(text, { path, layer }).problems.map(
        ({ code, range }) => `${code} ${text.slice(range?.start, range?.end)}`,
      );
    expect(codes('user')).toEqual(['ignored-setting "yolo"']);
    expect(codes('project')).toEqual(['ignored-setting "approveTools"', 'ignored-setting "yolo"']);
  });

  it('is off when the master switch cannot be understood', () => {
    const file = parse('{"disabled":"yes"}');
    expect(file.isMasterDisabled).toBe(true);
    expect(file.problems).toMatchObject([{ code: 'wrong-type', severity: 'error' }]);
  });
});

it('takes the longest time there is for one that is longer, and says so', () => {
  const { options, problems } = onlyEntry({
    command: 'x',
    requestTimeoutMs: 9_999_999_999,
    startupTimeoutMs: 600_001,
    idleTimeout: 100_000,
  });
  expect(options).toMatchObject({
    requestTimeoutMs: 600_000,
    startupTimeoutMs: 600_000,
    idleTimeout: 10_080,
  });
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('0–10080'),
    expect.stringContaining('1–600000'),
    expect.stringContaining('1–600000'),
  ]);
});
