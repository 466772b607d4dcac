import { describe, expect, it } from 'vitest';
import { assertSameReach } from '../../../../src/config/edit/secretReach.js';

const hidden = '***REDACTED***';
const value = 'k7Qz-91xV-wwP2-3rTb';
const stored = {
  url: 'https://good.example/mcp',
  headers: { Authorization: `Bearer ${value}` },
};

/** @param stays fields that the change leaves out */
function judge(change: object, before: object = stored, stays: object = {}): string {
  const typed = JSON.parse(JSON.stringify(change).replaceAll(hidden, value));
  try {
    assertSameReach({ ...change }, { ...before }, { ...typed, ...stays });
    return 'kept';
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
}

const headers = { Authorization: hidden };

describe('a hidden header', () => {
  it.each([
    'https://good.example/other?x=1',
    'https://GOOD.example:443/mcp',
    'https://user@good.example',
    // a path, as whoever connects reads it
    'https://good.example\\@evil.example/mcp',
    'https://good.example/${TENANT}/mcp',
  ])('stays for %s', (url) => {
    expect(judge({ url, headers })).toBe('kept');
  });

  it.each([
    'https://evil.example/mcp',
    'http://good.example/mcp',
    'https://good.example:8443/mcp',
    'https://good.example.evil.example/mcp',
    'https://good.example@evil.example/mcp',
    'https://good.example\n.evil.example/mcp',
    'https:evil.example/mcp',
    'https:///evil.example/mcp',
    ...['https://good.example${X:-.evil.example}/mcp', '${X:-https://evil.example}/mcp'],
    'https://${X:-evil.example/}@good.example/mcp',
    '{env:EVIL}/mcp',
    '$env:EVIL/mcp',
  ])('does not go to %j', (url) => {
    expect(judge({ url, headers })).toBe('secret_elsewhere');
    expect(judge({ serverUrl: url, headers })).toBe('secret_elsewhere');
    // left out, it would stay as well
    expect(judge({ url }, stored, { headers: stored.headers })).toBe('secret_elsewhere');
    // whoever knows it may send it anywhere
    expect(judge({ url, headers: { Authorization: 'Bearer another' } })).toBe('kept');
    expect(judge({ url })).toBe('kept');
  });

  it('does not follow through an entry without an address', () => {
    expect(judge({ url: stored.url, headers }, { headers: stored.headers })).toBe(
      'secret_elsewhere',
    );
  });

  it('stays with an address that is all variable, as it is', () => {
    const before = { ...stored, url: '${BASE}/mcp' };
    expect(judge({ url: before.url, headers }, before)).toBe('kept');
    expect(judge({ url: `${before.url}/other`, headers }, before)).toBe('secret_elsewhere');
  });
});

it.each([
  ['of the address', { url: `https://evil.example/?token=${hidden}` }, {}],
  ['of a token', { url: 'https://evil.example', bearerToken: hidden }, { bearerToken: value }],
  ['of a field that nobody knows', { url: 'https://evil.example', mine: hidden }, { mine: value }],
  [
    'of a sign-in',
    { url: 'https://evil.example', oauth: { clientSecret: hidden } },
    { oauth: { clientSecret: value } },
  ],
])('binds a value %s', (_what, change, before) => {
  expect(judge(change, { ...stored, ...before })).toBe('secret_elsewhere');
  expect(judge({ ...change, url: stored.url }, { ...stored, ...before })).toBe('kept');
});

it.each([
  { issuer: 'https://evil.example' },
  { authorizationUrl: 'https://evil.example' },
  { tokenUrl: 'https://evil.example/token' },
  { registrationUrl: 'https://evil.example' },
  { identityProvider: { issuer: 'https://evil.example' } },
  { identityProvider: { tokenEndpoint: 'https://evil.example/token' } },
])('keeps a secret of a sign-in from %j', (more) => {
  const { url } = stored;
  const oauth = { clientSecret: value, issuer: 'https://issuer.example' };
  const kept = { ...oauth, clientSecret: hidden };
  for (const name of ['oauth', 'auth']) {
    const before = { url, [name]: oauth };
    expect(judge({ url, [name]: { ...kept, ...more } }, before)).toBe('secret_elsewhere');
    expect(judge({ url, [name]: { ...kept, scope: 'more' } }, before)).toBe('kept');
  }
});

it.each(['headers', 'http_headers'])(
  'lets a header go anywhere that is entered anew, in %s',
  (name) => {
    const before = { url: stored.url, [name]: stored.headers };
    const typed = { Authorization: 'Bearer another-k7Qz-91xV' };
    const change = { url: 'https://evil.example', headers: typed };
    expect(judge(change, before, { [name]: typed })).toBe('kept');
  },
);

it('leaves the variables of a program whose command changes: what runs can read the file', () => {
  const before = { command: 'npx', env: { API_TOKEN: value } };
  expect(judge({ command: 'node', env: { API_TOKEN: hidden } }, before)).toBe('kept');
});
