import { describe, expect, it } from 'vitest';
import { readPaste } from '../../../../src/config/paste/pastedServers.js';

// of no service: only its shape is one of a token
const token = `ghp_${'aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5'}`;

function outcome(text: string, as?: 'command' | 'search'): unknown {
  try {
    const reading = readPaste(text, as);
    return reading.kind === 'servers' ? [reading.form, reading.servers[0]?.entry] : reading;
  } catch (error) {
    const { code, facts } = error as { code: string; facts?: { at?: number } };
    return facts?.at === undefined ? code : [code, facts.at];
  }
}

const npx = (...args: string[]) => ({ command: 'npx', args });

const a = { type: 'http', url: 'https://a.example/mcp' };
const proto = { ...a, headers: JSON.parse('{"__proto__":"x"}') };

const wrong: readonly (readonly [text: string, code: string, at?: number])[] = [
  ['\n {"a": {"command": "x" "y"}}', 'paste_syntax', 24],
  ['{"command": "x",', 'paste_syntax', 15],
  ['[mcp_servers.a]\ncommand = "x" y', 'paste_syntax'],
  ['[mcp_servers.a]\nx = 1', 'paste_no_server'],
  ['[mcp_servers.a]\nurl = "https://user:canary@a.example/mcp"', 'credentials_in_address'],
  ['[mcp_servers.a]\ncommand = "a\\u202eb"', 'paste_hidden'],
  [`[mcp_servers.a]\nargs = ${'['.repeat(120_000)}`, 'paste_syntax'],
  ['{"context_servers":{"a":{"command":"x\\u202e"}}}', 'paste_hidden'],
  ['{"context_servers":{"a":{"settings":{}}}}', 'paste_no_server'],
  ['[1]', 'paste_no_server'],
  ['npx a "b', 'paste_shell_syntax', 6],
  ['  npx a \\\n | b', 'paste_shell_syntax', 11],
  ['npx a\u202eb', 'paste_hidden', 5],
  ['{"command":"x","args":["a\u200bb"]}', 'paste_hidden', 25],
  ['{"command":"x","args":["a\\u202eb"]}', 'paste_hidden'],
  ['web\u200bsearch', 'paste_hidden', 3],
  ['https://user:canary@a.example/mcp', 'credentials_in_address'],
  ['https://', 'paste_unknown'],
  [`${'word '.repeat(60)}`, 'paste_unknown'],
  ['one\ntwo', 'paste_unknown'],
  ['x'.repeat(300 * 1024), 'paste_too_long'],
  [`{"mcpServers":{"a":${'['.repeat(120_000)}`, 'paste_syntax', 117],
  ['curl -H "A: b" a.example/mcp', 'paste_no_server'],
  ['curl -d https://a.example/mcp', 'paste_no_server'],
  ['curl https://user:canary@a.example/mcp', 'credentials_in_address'],
  ['curl https://a.example/mcp -H "A: \u202eb"', 'paste_hidden', 34],
  ['curl https://a.example/mcp | sh', 'paste_shell_syntax', 27],
  [token, 'paste_secret'],
  [`find ${token}`, 'paste_secret'],
];

describe('what is pasted', () => {
  it.each<readonly [text: string, expected: unknown]>([
    ['  \n', { kind: 'empty' }],
    // JSON comes first, whatever stands in it
    ['{"url":"https://a.example/mcp"}', ['json', { url: 'https://a.example/mcp' }]],
    ['{"command":"claude","args":["mcp"]}', ['json', { command: 'claude', args: ['mcp'] }]],
    [
      'cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=eyJjb21tYW5kIjoibnB4In0=',
      ['link', { command: 'npx' }],
    ],
    [
      'claude mcp add a https://a.example/mcp',
      ['client', { type: 'http', url: 'https://a.example/mcp' }],
    ],
    [`code --add-mcp '{"name":"a","command":"x"}'`, ['client', { command: 'x' }]],
    [
      '```toml\n[mcp_servers.a]\nurl = "https://a.example/mcp"\nhttp_headers = { X = "1" }\n```',
      ['import', expect.objectContaining({ url: 'https://a.example/mcp', headers: { X: '1' } })],
    ],
    [
      'model = "x"\n [mcp_servers."a b"]\ncommand = "npx"\nargs = ["y"]\nenv_vars = ["K"]',
      ['import', expect.objectContaining({ ...npx('y'), env: { K: '${K:-}' } })],
    ],
    [
      '"context_servers": {"a": {"source": "custom", "command": {"path": "npx", "args": ["y"]}}}',
      ['json', expect.objectContaining(npx('y'))],
    ],
    [
      '{"context_servers":{"off":{"settings":{}},"a":{"command":"npx","args":["y"]}}}',
      ['json', expect.objectContaining(npx('y'))],
    ],
    ['{/*\n[mcp_servers.a]*/"command":"x"}', ['json', { command: 'x' }]],
    ['https://a.example/mcp', ['url', { type: 'http', url: 'https://a.example/mcp' }]],
    [
      'curl -XPOST https://a.example/mcp -sH "Authorization: Bearer $KEY" -H\'X-A: b\'',
      ['url', { ...a, headers: { Authorization: 'Bearer ${KEY}', 'X-A': 'b' } }],
    ],
    // what belongs to the one request, and addresses that are none of the server
    [
      '$ curl.exe -sS --proxy http://p.example -e http://r.example \\\n --header "Accept: */*" \\\n -H "mcp-session-id: 1" -d http://d.example --url https://a.example/mcp',
      ['url', a],
    ],
    ['curl https://a.example/mcp -H "__proto__: x" -H "no header"', ['url', proto]],
    ['curl tutorial', { kind: 'search', text: 'curl tutorial' }],
    ['npx -y a', ['command', npx('-y', 'a')]],
    ['$ npx a', ['command', npx('a')]],
    ['uvx mcp-server-git', ['command', { command: 'uvx', args: ['mcp-server-git'] }]],
    ['docker run -i a', ['command', { command: 'docker', args: ['run', '-i', 'a'] }]],
    ['docker run a', ['command', { command: 'docker', args: ['run', 'a'] }]],
    ['podman run a', ['command', { command: 'podman', args: ['run', 'a'] }]],
    ['nerdctl run a', ['command', { command: 'nerdctl', args: ['run', 'a'] }]],
    ['A=b my-server', ['command', { command: 'my-server', args: [], env: { A: 'b' } }]],
    ['./server', ['command', { command: './server', args: [] }]],
    ['C:\\\\tools\\\\server.exe', ['command', { command: 'C:\\tools\\server.exe', args: [] }]],
    ['C:\\tools\\srv.exe --x', ['command', { command: 'C:\\tools\\srv.exe', args: ['--x'] }]],
    ['.\\srv.exe', ['command', { command: '.\\srv.exe', args: [] }]],
    ['tools\\srv.cmd --x', ['command', { command: 'tools\\srv.cmd', args: ['--x'] }]],
    ['\\\\host\\share\\srv.exe', ['command', { command: '\\\\host\\share\\srv.exe', args: [] }]],
    ['npx a C:\\Users\\me D:\\', ['command', npx('a', 'C:\\Users\\me', 'D:\\')]],
    [
      'npx a --dir=..\\data "\\\\host\\a b"',
      ['command', npx('a', '--dir=..\\data', '\\\\host\\a b')],
    ],
    ['claude mcp add a -- C:\\a\\b.exe', ['client', { command: 'C:\\a\\b.exe', args: [] }]],
    ['npx a "\\\\d+" \\\\d', ['command', npx('a', '\\d+', '\\d')]],
    // of other shells a backslash takes the meaning of what follows
    ['./my\\ server a\\&b', ['command', { command: './my server', args: ['a&b'] }]],
    ['my-server --stdio', ['command', { command: 'my-server', args: ['--stdio'] }]],
    ['github-mcp-server stdio', ['command', { command: 'github-mcp-server', args: ['stdio'] }]],
    ['server.py', ['command', { command: 'server.py', args: [] }]],
    ['@scope/name', ['package', npx('-y', '@scope/name')]],
    ['@scope/name@1.2.3', ['package', npx('-y', '@scope/name@1.2.3')]],
    ['name@1.2.3', ['package', npx('-y', 'name@1.2.3')]],
    ['name==1.2', ['package', { command: 'uvx', args: ['name==1.2'] }]],
    ['name[extra]==1.2', ['package', { command: 'uvx', args: ['name[extra]==1.2'] }]],
    // words are no command
    ['postgres database', { kind: 'search', text: 'postgres database' }],
    ['weather', { kind: 'search', text: 'weather' }],
    ['io.github.example/weather', { kind: 'search', text: 'io.github.example/weather' }],
    ['files, notes', { kind: 'search', text: 'files, notes' }],
    ['docker', { kind: 'search', text: 'docker' }],
    ['what is "this"', { kind: 'search', text: 'what is "this"' }],
    ["it's", { kind: 'search', text: "it's" }],
  ])('%j', (text, expected) => {
    expect(outcome(text)).toEqual(expected);
  });

  it.each([
    'https://a.example/server.mcpb',
    'https://a.example/server.MCPB?download=1#x',
    'https://a.example/old.dxt',
  ])('%s is a bundle, and no server at that address', (text) => {
    expect(outcome(text)).toBe('paste_bundle');
  });

  it.each([
    ['/home/dev/server.mcpb', '/home/dev/server.mcpb'],
    ['C:\\Users\\dev\\My Files\\server.mcpb', 'C:\\Users\\dev\\My Files\\server.mcpb'],
    ['"/home/dev/my server.mcpb"', '/home/dev/my server.mcpb'],
    ['file:///home/dev/my%20server.mcpb', '/home/dev/my server.mcpb'],
    ['server.mcpb', 'server.mcpb'],
    ['~/old.dxt', '~/old.dxt'],
  ])('%s is the path of a bundle', (text, path) => {
    expect(outcome(text)).toEqual({ kind: 'bundle', path });
  });

  it('control: an address or a command that only names one is none', () => {
    expect(outcome('https://a.example/mcpb')).toMatchObject(['url', {}]);
    expect(outcome('npx run-bundle a.mcpb')).toMatchObject(['command', {}]);
  });

  it('is what the user says where it could be either', () => {
    expect(outcome('postgres database', 'command')).toMatchObject(['command', {}]);
    expect(outcome('weather', 'command')).toEqual(['command', { command: 'weather', args: [] }]);
    expect(outcome('python server', 'search')).toEqual({ kind: 'search', text: 'python server' });
    expect(outcome('{"command":"x"}', 'search')).toEqual(['json', { command: 'x' }]);
  });

  it.each(wrong.map(([text, code, at]) => ({ text, code, at })))(
    '$text is refused as $code',
    ({ text, code, at }) => {
      expect(outcome(text)).toEqual(at === undefined ? code : [code, at]);
    },
  );

  it('shows nothing of a refused text but where it is wrong', () => {
    for (const text of [token, `https://user:${token}@a.example/`, `{"a": "${token}`]) {
      expect(() => readPaste(text)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining(token) }),
      );
    }
  });

  it.each([
    ['quotes', `npx ${'"'.repeat(200_001)}`],
    ['escapes', `npx ${'\\'.repeat(200_000)}`],
    ['assignments', 'A=b '.repeat(60_000)],
    ['braces', `{"a":${'{"b":'.repeat(40_000)}`],
    ['servers', `{${'"a":{"command":"x"},'.repeat(12_000)}}`],
    ['headers', `curl https://a.example ${'-H "a: b" '.repeat(6_000)}`],
    ['blanks', ` ${' '.repeat(200_000)}x`],
    ['tables', '[mcp_servers.a]\n'.repeat(16_000)],
    [
      'tables of servers',
      Array.from({ length: 8_000 }, (_, at) => `[mcp_servers.a${at}]\n`).join(''),
    ],
  ])('is read once, however many %s it has', (_what, text) => {
    outcome(text);
  });
});
