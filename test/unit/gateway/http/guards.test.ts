import { describe, expect, it } from 'vitest';
import { AccessTokens } from '../../../../src/gateway/http/accessTokens.js';
import { judgeRequest } from '../../../../src/gateway/http/guards.js';

const tokens = new AccessTokens();
const port = 4711;
const good = ['Host', `127.0.0.1:${port}`, 'Authorization', `Bearer ${tokens.use}`];

function judge(changes: {
  readonly method?: string;
  readonly url?: string;
  readonly rawHeaders?: readonly string[];
}) {
  const head = { method: 'POST', url: '/mcp', rawHeaders: good, ...changes };
  return judgeRequest(head, { port, tokens });
}

function statusOf(changes: Parameters<typeof judge>[0]): number | 'pass' {
  const verdict = judge(changes);
  if (verdict.kind === 'refused') {
    expect(verdict.reason).toMatch(/^[A-Z][\w ]+\.$/);
  }
  return verdict.kind === 'refused' ? verdict.status : 'pass';
}

function withHost(...hosts: readonly string[]): readonly string[] {
  return [...hosts.flatMap((host) => ['host', host]), ...good.slice(2)];
}

function withToken(...values: readonly string[]): readonly string[] {
  return [...good.slice(0, 2), ...values.flatMap((value) => ['authorization', value])];
}

describe('judgeRequest', () => {
  it('lets a client of this machine pass, with what its token allows', () => {
    expect(judge({ url: '/mcp/files?x=1' })).toEqual({
      kind: 'pass',
      path: '/mcp/files',
      grant: 'use',
    });
    const rawHeaders = withToken(`Bearer ${tokens.manage}`);
    expect(judge({ rawHeaders })).toMatchObject({ kind: 'pass', grant: 'manage' });
  });

  it.each([`localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])('serves %s', (host) => {
    expect(statusOf({ rawHeaders: withHost(host) })).toBe('pass');
  });

  it.each([
    'evil.example',
    `evil.example:${port}`,
    '127.0.0.1',
    '127.0.0.1:80',
    `127.0.0.1:${port}.evil.example`,
    `127.0.0.1.evil.example:${port}`,
    `user@127.0.0.1:${port}`,
    `127.1:${port}`,
    `0.0.0.0:${port}`,
    '',
  ])('refuses the host "%s"', (host) => {
    expect(statusOf({ rawHeaders: withHost(host) })).toBe(403);
  });

  it('refuses a request without a host, or with two', () => {
    expect(statusOf({ rawHeaders: withHost() })).toBe(403);
    expect(statusOf({ rawHeaders: withHost(`127.0.0.1:${port}`, 'evil.example') })).toBe(400);
  });

  it.each(['https://evil.example', 'null', `http://127.0.0.1:${port}`, 'vscode-webview://a', ''])(
    'refuses the origin "%s"',
    (origin) => {
      expect(statusOf({ rawHeaders: [...good, 'Origin', origin] })).toBe(403);
    },
  );

  it.each(['cross-site', 'same-site', 'same-origin'])('refuses a fetch that is %s', (site) => {
    expect(statusOf({ rawHeaders: [...good, 'Sec-Fetch-Site', site] })).toBe(403);
  });

  it.each([
    ['none', []],
    ['an empty one', ['']],
    ['another scheme', [`Basic ${tokens.use}`]],
    ['a shorter one', [`Bearer ${tokens.use.slice(0, -1)}`]],
    ['a longer one', [`Bearer ${tokens.use}A`]],
    ['another one', [`Bearer ${'A'.repeat(43)}`]],
    ['two in one', [`Bearer ${tokens.use}, Bearer ${tokens.use}`]],
  ])('asks for a token where there is %s', (_what, values) => {
    expect(judge({ rawHeaders: withToken(...values) })).toMatchObject({
      status: 401,
      challenge: 'Bearer',
    });
  });

  it('reads no token from anywhere else', () => {
    const url = `/mcp?token=${tokens.use}&access_token=${tokens.use}`;
    const cookie = ['Cookie', `token=${tokens.use}`];
    expect(statusOf({ url, rawHeaders: [...withToken(), ...cookie] })).toBe(401);
  });

  it.each(['Host', 'Origin', 'Authorization', 'Content-Length', 'Mcp-Session-Id'])(
    'refuses %s twice, since somebody else would read the second one',
    (name) => {
      const value = name === 'Host' ? `127.0.0.1:${port}` : '1';
      expect(statusOf({ rawHeaders: [...good, name, value, name.toLowerCase(), value] })).toBe(400);
    },
  );

  it.each(['/api/docs', '/api/v1/docs'])('takes the token as a password for %s alone', (url) => {
    const basic = (password: string) =>
      withToken(`Basic ${Buffer.from(`anyone:${password}`).toString('base64')}`);
    const get = { method: 'GET', url };
    expect(judge({ ...get, rawHeaders: basic(tokens.use) })).toMatchObject({ grant: 'use' });
    expect(judge({ ...get, rawHeaders: basic(tokens.manage) })).toMatchObject({ grant: 'manage' });
    expect(judge({ ...get })).toMatchObject({ grant: 'use' });
    const asked = { status: 401, challenge: expect.stringMatching(/^Basic realm="/) };
    for (const rawHeaders of [basic('wrong'), basic(''), withToken('Basic !'), withToken()]) {
      expect(judge({ ...get, rawHeaders })).toMatchObject(asked);
    }
    for (const other of [{ url }, { method: 'GET', url: `${url}/x` }]) {
      const verdict = judge({ ...other, rawHeaders: basic(tokens.use) });
      expect(verdict).toMatchObject({ status: 401, challenge: 'Bearer' });
    }
  });

  it('refuses a second token', () => {
    const rawHeaders = withToken('Bearer A', `Bearer ${tokens.use}`);
    expect(statusOf({ rawHeaders })).toBe(400);
  });

  it.each(['GET', 'POST', 'PUT', 'DELETE'])('serves %s', (method) => {
    expect(statusOf({ method })).toBe('pass');
  });

  it.each([
    ['OPTIONS', 403],
    ['TRACE', 405],
    ['CONNECT', 405],
    ['PATCH', 405],
  ])('does not serve %s', (method, status) => {
    expect(statusOf({ method })).toBe(status);
  });

  it.each([`http://127.0.0.1:${port}/mcp`, '//evil.example/mcp', '*'])(
    'does not read "%s" as a path',
    (url) => expect(statusOf({ url })).toBe(400),
  );

  it('refuses an address that is too long', () => {
    expect(statusOf({ url: `/${'a'.repeat(3000)}` })).toBe(414);
  });

  it('judges the host before the token, so that a rebound page learns nothing of it', () => {
    const host = 'evil.example';
    const wrong = [...withHost(host).slice(0, 2), 'authorization', 'Bearer wrong'];
    expect(judge({ rawHeaders: wrong })).toEqual(judge({ rawHeaders: withHost(host) }));
  });

  it('shows without a token that it is there, to this machine alone', () => {
    const healthz = { method: 'GET', url: '/healthz' };
    expect(judge({ ...healthz, rawHeaders: good.slice(0, 2) })).toEqual({ kind: 'alive' });
    expect(statusOf({ ...healthz, rawHeaders: ['host', 'evil.example'] })).toBe(403);
  });

  it('makes tokens that are never the same', () => {
    const { use, manage } = new AccessTokens();
    expect(new Set([use, manage, tokens.use, tokens.manage]).size).toBe(4);
    expect(Buffer.from(use, 'base64url').length).toBe(32);
  });
});

it.each(['é', '€', '😀'])('knows no password of %s, however long', (character) => {
  for (const length of [1, 20, 21, 22, 43, 44]) {
    const encoded = Buffer.from(`:${character.repeat(length)}`).toString('base64');
    expect(tokens.grantOfPassword(`Basic ${encoded}`)).toBeUndefined();
  }
});
