import { describe, expect, it } from 'vitest';
import { lintConfig } from '../../../../src/config/lint/lintConfig.js';
import type { LintSurroundings } from '../../../../src/config/lint/lintTypes.js';
import { isPinned, packageOf } from '../../../../src/config/lint/packageSpec.js';
import { withSeverities } from '../../../../src/config/lint/severityChoices.js';
import { parseJsonDocument } from '../../../../src/config/parse/jsonDocument.js';
import { parseConfig } from '../../../../src/config/parse/parseConfig.js';

const surroundings: LintSurroundings = {
  isVariableSet: (name) => name === 'SET',
  findCommand: async (command) =>
    command === 'lost'
      ? { isFound: false, elsewhere: '/opt/bin/lost', searchedCount: 3 }
      : { isFound: command !== 'nowhere', searchedCount: 3 },
  findRoot: async (path) => ({ kind: path === 'gone' ? 'missing' : 'given', path }),
  isDirectory: async (path) => path !== '/gone',
  isIgnoredByGit: async (path) => path === '/local/.mcp.json',
  usesClient: () => true,
  cwdOf: (entry) => String(entry.raw?.cwd ?? '/work'),
};

/** Each finding as `rule: text it points at`. */
async function lint(text: string, layer: 'project' | 'user' = 'project'): Promise<string[]> {
  const findings = await lintConfig(
    {
      file: parseConfig(text, { path: '/work/.mcp.json', layer }),
      document: parseJsonDocument(text),
      isCommitted: layer === 'project',
    },
    surroundings,
  );
  return findings.map(
    ({ code, range }) => `${code}: ${text.slice(range?.start ?? 0, range?.end ?? 0)}`,
  );
}

function servers(value: object): string {
  return JSON.stringify({ mcpServers: value });
}

const uuid = '7f3b9c1e-4d2a-4c8b-9e1f-0a2b3c4d5e6f';
const random = 'q7Jd0sK2mVx9Lw3ZtB5hR8nC';
const supabase = `sbp_${'0f1e2d3c4b'.repeat(4)}`;

describe('lintConfig', () => {
  it('finds nothing in a careful file', async () => {
    const careful = {
      a: { command: 'npx', args: ['-y', 'pkg@1.2.3'] },
      b: { type: 'http', url: 'https://example.com/mcp' },
    };
    expect(await lint(servers(careful))).toEqual([]);
  });

  it('finds folders that no server is told of, and what the user forgot to set for theirs', async () => {
    const text = servers({
      a: { type: 'http', url: 'https://e.example', roots: ['gone', '${NONE}'] },
    });
    expect(await lint(text)).toEqual(['root-not-given: "gone"']);
    expect(await lint(text, 'user')).toEqual([
      'root-not-given: "gone"',
      'unknown-variable: "${NONE}"',
    ]);
  });

  it('finds profiles that are not understood, and patterns that mean nothing here', async () => {
    const profiles = {
      good: ['a', '!a/delete_*'],
      typo: ['a', 'b', 'a/x'],
      odd: { tools: ['c'], readOnly: true },
      wrong: 'a',
    };
    const text = JSON.stringify({
      mcpServers: { a: { type: 'http', url: 'https://e.example/' } },
      settings: { profiles },
    });
    expect(await lint(text)).toEqual([
      'unknown-profile-pattern: "b"',
      'unknown-profile-pattern: "c"',
      'profile-shape: "a"',
    ]);
    // a file of the user counts for every folder
    expect(await lint(text, 'user')).toEqual(['profile-shape: "a"']);
  });

  it('says which remote entries ask everybody for consent, by the traits that the gate goes by', async () => {
    const entries = {
      fine: { type: 'http', url: 'https://e.example/', headers: { A: '${SET}' } },
      inner: { type: 'http', url: 'http://127.0.0.1/' },
    };
    expect(await lint(servers(entries))).toEqual([
      'vscode-no-variables: "${SET}"',
      'asks-for-consent: "http://127.0.0.1/"',
    ]);
    expect(await lint(servers(entries), 'user')).toEqual([]);
  });

  it.each([
    [{ command: 'x', env: { API_TOKEN: 'abcdef123456' } }, '"abcdef123456"'],
    [{ command: 'x', environment: { API_TOKEN: 'abcdef123456' } }, '"abcdef123456"'],
    [{ command: 'x', env: { HARMLESS: 'ghp_abcdefghijklmnopqrst' } }, '"ghp_abcdefghijklmnopqrst"'],
    [
      { command: 'x', env: { DATABASE_URL: 'postgres://app:hunter22@db/app' } },
      '"postgres://app:hunter22@db/app"',
    ],
    [{ command: 'x', env: { DB: 'Server=db;Password=hunter22' } }, '"Server=db;Password=hunter22"'],
    [{ command: 'x', args: ['--api-key=abcdef'] }, '"--api-key=abcdef"'],
    [{ command: 'x', args: ['--token', 'abcdef'] }, '"abcdef"'],
    [{ command: ['x', '--token', 'abcdef'] }, '"abcdef"'],
    [{ command: 'docker', args: ['run', '-e', 'API_KEY=abcdef', 'i:1'] }, '"API_KEY=abcdef"'],
    [
      { command: 'x', args: ['--header', 'Authorization: Bearer abcdef'] },
      '"Authorization: Bearer abcdef"',
    ],
    [
      { type: 'http', url: 'https://e.com', headers: { Authorization: 'Bearer abcdef' } },
      '"Bearer abcdef"',
    ],
    [{ type: 'http', url: 'https://e.com/?api_key=abcdef' }, '"https://e.com/?api_key=abcdef"'],
    [
      { url: 'https://e.com', auth: { CLIENT_ID: 'i', CLIENT_SECRET: 'abcdef', scopes: ['s'] } },
      '"abcdef"',
    ],
    [{ url: 'https://e.com', oauth: { clientId: 'i', clientSecret: 'abcdef' } }, '"abcdef"'],
    [{ type: 'http', url: 'https://u:pw123@e.com/' }, '"https://u:pw123@e.com/"'],
    [{ command: 'x', args: ['--key', uuid] }, `"${uuid}"`],
    [{ command: 'x', args: [supabase] }, `"${supabase}"`],
    [{ command: 'x', args: ['--access-token', supabase] }, `"${supabase}"`],
    [{ command: 'x', env: { WORKSPACE: random } }, `"${random}"`],
    [
      { command: 'sh', args: ['-c', 'node x.js --api-key abcdef --level info'] },
      '"node x.js --api-key abcdef --level info"',
    ],
    [{ command: 'x', args: ['--config', '{"apiKey":"abcdef"}'] }, '"{\\"apiKey\\":\\"abcdef\\"}"'],
    [{ url: `https://e.com/s/${random}/mcp` }, `"https://e.com/s/${random}/mcp"`],
  ])('points at the secret of %j', async (entry, value) => {
    const text = servers({ s: entry });
    expect(await lint(text)).toContain(`literal-secret: ${value}`);
    expect(await lint(text, 'user')).toEqual([]);
  });

  it.each([
    { command: 'x', env: { API_TOKEN: '${API_TOKEN:-}' } },
    { command: 'x', env: { API_TOKEN: '<your token>' } },
    { command: 'x', env: { API_TOKEN: '' } },
    { command: 'x', env: { LOG_LEVEL: 'debug' } },
    { command: 'x', env: { DATABASE_URL: 'postgres://app@localhost/app' } },
    { command: 'x', env: { DATABASE_URL: 'postgres://postgres:password@localhost/app' } },
    { command: 'x', env: { DATABASE_URL: 'postgres://app:${DB_PASSWORD:-}@localhost/app' } },
    { command: 'x', env: { DOCS: 'https://example.com/?page=1' } },
    { command: 'x', args: ['--token', '--verbose'] },
    { command: 'docker', args: ['run', '-e', 'API_KEY', '-e', 'LOG_LEVEL=debug', 'auth:1.2'] },
    { command: 'docker', args: ['run', '-e', 'API_KEY=<your key>', 'i'] },
    { type: 'http', url: 'https://e.com', headers: { Authorization: 'Bearer ${SET}' } },
    { command: 'x', env: { API_TOKEN: 'YOUR_API_KEY' } },
    { command: 'x', env: { API_TOKEN: 'your-token-here' } },
    { command: 'x', env: { API_TOKEN: 'xxx' } },
    { command: 'x', env: { API_TOKEN: 'ghp_xxxxxxxxxxxxxxxxxxxx' } },
    { command: 'x', env: { PASSWORD: 'changeme' } },
    { command: 'x', args: ['--api-key', '<your-key>'] },
    { command: 'x', args: ['postgres://user@host/db'] },
    { command: 'x', env: { WORKSPACE: uuid } },
    { command: 'x', env: { COMMIT_SHA: 'da39a3ee5e6b4b0d3255bfef95601890afd80709' } },
    { command: 'x', env: { GOOGLE_APPLICATION_CREDENTIALS: './key.json' } },
    { command: 'x', args: ['/home/me/.cache/9f86d081884c7d659a2feaa0c55ad015/x.js'] },
    { url: `https://e.com/projects/${uuid}/mcp` },
  ])('sees no secret in %j', async (entry) => {
    const rules = (await lint(servers({ s: entry }))).map((finding) => finding.split(':')[0]);
    expect(rules).not.toContain('literal-secret');
  });

  it('takes a secret less seriously in a file that git ignores', async () => {
    const text = servers({ s: { command: 'x', env: { API_TOKEN: 'abcdef123456' } } });
    const severities = async (path: string) => {
      const file = parseConfig(text, { path, layer: 'project' });
      const document = parseJsonDocument(text);
      const found = await lintConfig({ file, document, isCommitted: true }, surroundings);
      return found.map(({ code, severity, detail }) => [code, severity, detail?.kind]);
    };
    expect(await severities('/work/.mcp.json')).toEqual([['literal-secret', 'warning', 'secret']]);
    expect(await severities('/local/.mcp.json')).toEqual([['literal-secret', 'info', 'secret']]);
  });

  it('reports packages without an exact version at the package', async () => {
    const text = servers({
      s: { command: 'npx', args: ['-y', '@scope/pkg@latest', '--port', '1'] },
    });
    expect(await lint(text)).toEqual(['unpinned-package: "@scope/pkg@latest"']);
  });

  it('reports executables and directories that are missing', async () => {
    const text = servers({
      a: { command: 'nowhere' },
      b: { command: 'lost' },
      c: { command: 'x', cwd: '/gone' },
      d: { command: '${SET}/bin/x' },
      e: { command: 'nowhere', env: { PATH: '/own' } },
    });
    expect(await lint(text)).toEqual([
      'executable-not-found: "nowhere"',
      'executable-not-found: "lost"',
      'cwd-missing: "/gone"',
      'vscode-ignores-field: "/gone"',
      'vscode-no-variables: "${SET}/bin/x"',
      'may-run-other-code: "nowhere"',
    ]);
  });

  it('reports words that may run other code, to those who share the file', async () => {
    const text = servers({
      a: { command: 'npx', args: ['-y', 'a@1.0.0'] },
      b: { command: 'npx', args: ['-y', 'b@1.0.0'], env: { NODE_OPTIONS: '--require=./x.js' } },
      c: { command: 'sh', args: ['-c', 'x'] },
      own: { command: 'x', args: ['--y'] },
    });
    expect(await lint(text)).toEqual(['may-run-other-code: "npx"', 'may-run-other-code: "sh"']);
    expect(await lint(text, 'user')).toEqual([]);
  });

  it('hides in such words what any place makes a secret', async () => {
    const secret = 'kR7vQ2xLm9#';
    const text = servers({ s: { command: 'sh', args: ['-c', secret, '--api-key', secret] } });
    const findings = await lintConfig(
      {
        file: parseConfig(text, { path: '/work/.mcp.json', layer: 'project' }),
        document: parseJsonDocument(text),
        isCommitted: true,
      },
      surroundings,
    );
    const [found] = findings.filter(({ code }) => code === 'may-run-other-code');
    expect(found?.message).toContain('-c, ***REDACTED***');
    expect(found?.message).not.toContain(secret);
  });

  it('reports variables that nothing sets, in the user file too', async () => {
    const text = servers({
      s: { command: 'x', args: ['${SET}', '${UNSET}', '${UNSET:-d}', '${odd:thing}'] },
    });
    expect(await lint(text, 'user')).toEqual([
      'unknown-variable: "${UNSET}"',
      'unknown-variable: "${odd:thing}"',
    ]);
  });

  it('reports variables that only a shell would fill in', async () => {
    const args = ['$HOME/x', 'a$BC', '^FOO$', '$5', '$HOME_2', '-c', 'echo $PATH'];
    const text = servers({
      s: { command: 'x', args, env: { A_KEY: '$A_KEY', B: '$env:SET', C: '${SET}' } },
      shell: { command: '/bin/bash', args: ['-lc', 'exec $SHELL', '$HOME'] },
      remote: { type: 'http', url: 'https://e.com/$TENANT', headers: { X: '!echo $SET' } },
    });
    expect(await lint(text, 'user')).toEqual([
      'shell-variable: "$HOME/x"',
      'shell-variable: "$HOME_2"',
      'shell-variable: "$A_KEY"',
      'shell-variable: "https://e.com/$TENANT"',
    ]);
  });

  it('says what other clients refuse or ignore', async () => {
    expect(await lint('{ "servers": { "my server": { "url": "https://e.com", }, }, }')).toEqual([
      'claude-code-shape: servers',
      'claude-code-name: my server',
      'claude-code-needs-type: "https://e.com"',
      'strict-json: }',
    ]);
    expect(await lint('{ // note\n "mcpServers": {} }')).toEqual(['strict-json: // note']);
  });

  it('stays silent while the file has a syntax error', async () => {
    expect(await lint('{ "mcpServers": { "a": { "command": "nowhere" ')).toEqual([]);
  });
});

it('lets the user change or silence a rule, but not an error', () => {
  const problems = [
    { code: 'a', severity: 'info' },
    { code: 'b', severity: 'warning' },
    { code: 'c', severity: 'error' },
  ] as const;
  expect(withSeverities([...problems], { a: 'off', b: 'error', c: 'off' })).toEqual([
    { code: 'b', severity: 'error' },
    { code: 'c', severity: 'error' },
  ]);
});

it('lets a workspace raise what warns of it, but not lower it', () => {
  const found = [
    { code: 'literal-secret', severity: 'warning' },
    { code: 'unpinned-package', severity: 'info' },
    { code: 'strict-json', severity: 'info' },
  ] as const;
  const severities = (user: object, project: object) =>
    Object.fromEntries(
      withSeverities([...found], { ...user }, { ...project }).map((item) => [
        item.code,
        item.severity,
      ]),
    );
  const allOff = { 'literal-secret': 'off', 'unpinned-package': 'off', 'strict-json': 'off' };
  const asUsual = { 'literal-secret': 'warning', 'unpinned-package': 'info' };
  expect(severities({}, allOff)).toEqual(asUsual);
  expect(severities({ 'unpinned-package': 'error' }, { 'unpinned-package': 'info' })).toEqual({
    ...asUsual,
    'strict-json': 'info',
    'unpinned-package': 'error',
  });
  expect(severities(allOff, { 'literal-secret': 'error' })).toEqual({ 'literal-secret': 'error' });
  // the same choices of the user count
  expect(severities(allOff, {})).toEqual({});
});

describe('packageOf', () => {
  it.each([
    ['npx -y pkg', 'pkg', false],
    ['npx -y pkg@^1', 'pkg', false],
    ['npx --package=@s/p@2.0.0 bin', '@s/p', true],
    ['npm exec --yes --package @s/p@2.0.0 -- bin', '@s/p', true],
    ['pnpm dlx p@1.0.0-beta.1', 'p', true],
    ['uvx mcp-server-git', 'mcp-server-git', false],
    ['uvx mcp-server-git==2025.1.14', 'mcp-server-git', true],
    ['uvx --from mcp-server-git@2025.1.14 x', 'mcp-server-git', true],
    ['/usr/bin/npx.cmd p@1.0.0', 'p', true],
    ['cmd /c npx -y p', 'p', false],
    ['npx -y github:o/r', 'github:o/r', false],
    ['npx -y github:o/r#v1.2.0', 'github:o/r', true],
    ['uvx --from git+https://e.com/r x', 'git+https://e.com/r', false],
    ['uvx --from git+https://e.com/r.git@0123abc x', 'git+https://e.com/r.git', true],
    ['uvx --from git+https://e.com/r@main x', 'git+https://e.com/r', false],
    ['docker run -i --rm -e KEY --name=n -v a:/b o/i', 'o/i', false],
    ['docker run -it --rm host:5000/o/i:1.2 --port 1', 'host:5000/o/i', true],
    ['podman run o/i:latest', 'o/i', false],
    ['docker run -i o/i@sha256:0123abcd', 'o/i', true],
  ])('reads %s', (line, name, pinned) => {
    const [command, ...args] = line.split(' ');
    const spec = packageOf(command ?? '', args);
    expect(spec?.name).toBe(name);
    expect(spec && isPinned(spec)).toBe(pinned);
  });

  it.each([
    'node server.js',
    'npx ./local',
    'npm run start',
    'npx',
    'docker exec -i web x',
    'docker run -i ${IMAGE}',
    'bash script.sh',
  ])('sees none in %s', (line) => {
    const [command, ...args] = line.split(' ');
    expect(packageOf(command ?? '', args)).toBeUndefined();
  });

  it('reads what a shell runs in the end', () => {
    const line = 'source .env && exec npx -y @s/p@latest --stdio';
    expect(packageOf('bash', ['-lc', line])).toEqual({
      argIndex: 1,
      name: '@s/p',
      version: 'latest',
      registry: 'npm',
      written: '@s/p@latest',
    });
  });
});
