import { describe, expect, it } from 'vitest';
import {
  redactArgs,
  redactEntry,
  redactUrl,
  secretsInArgs,
  secretsInUrl,
} from '../../../../src/config/secrets/redact.js';

const hidden = '***REDACTED***';

describe('entries', () => {
  it('hides values and keeps keys', () => {
    const entry = {
      command: 'x',
      env: { A: '1', B: '${B}', LEVEL: 'error', API_KEY: 'k', RUN: '!print k', N: 1 },
      environment: { C_TOKEN: '2' },
      headers: { Accept: 'text/plain', 'X-Key': 'v' },
      bearerToken: 't',
      bearerTokenEnv: 'NAME',
      oauth: { clientId: 'i', clientSecret: 's', privateKey: 'p', assertion: 'a' },
      custom: { a: 1, apiKey: 'k', more: [{ password: 'p' }, 'open'], secrets: ['t', 1] },
      apiKey: 'k',
      passwords: ['p', { open: 'o' }],
      auth: 'oauth',
    };
    expect(redactEntry(entry)).toEqual({
      command: 'x',
      env: { A: '1', B: '${B}', LEVEL: 'error', API_KEY: hidden, RUN: hidden, N: 1 },
      environment: { C_TOKEN: hidden },
      headers: { Accept: 'text/plain', 'X-Key': hidden },
      bearerToken: hidden,
      bearerTokenEnv: 'NAME',
      oauth: { clientId: 'i', clientSecret: hidden, privateKey: hidden, assertion: hidden },
      custom: { a: 1, apiKey: hidden, more: [{ password: hidden }, 'open'], secrets: [hidden, 1] },
      apiKey: hidden,
      passwords: [hidden, { open: 'o' }],
      auth: 'oauth',
    });
  });

  const args: readonly (readonly [readonly string[], readonly string[]])[] = [
    [
      ['--api-key', 'k', 'rest'],
      ['--api-key', hidden, 'rest'],
    ],
    [['--token=k'], [`--token=${hidden}`]],
    [
      ['--accessToken', 'k'],
      ['--accessToken', hidden],
    ],
    [
      ['--token', '${TOKEN}'],
      ['--token', '${TOKEN}'],
    ],
    [
      ['--token', '--verbose'],
      ['--token', '--verbose'],
    ],
    [
      ['-y', '@scope/server-auth', '/tmp'],
      ['-y', '@scope/server-auth', '/tmp'],
    ],
    [
      ['--max-tokens', '5', '--author', 'me'],
      ['--max-tokens', '5', '--author', 'me'],
    ],
    [['postgres://me:pw@host/db'], [`postgres://me:${hidden}@host/db`]],
    [[`x ghp_${'a'.repeat(36)}`], [`x ${hidden}`]],
    [
      ['-e', 'API_KEY=k', '-e', 'LOG_LEVEL=debug', '-e', 'GITHUB_TOKEN'],
      ['-e', `API_KEY=${hidden}`, '-e', 'LOG_LEVEL=debug', '-e', 'GITHUB_TOKEN'],
    ],
    [['--env=DB_PASSWORD=k=='], [`--env=DB_PASSWORD=${hidden}`]],
    [
      ['-e', 'DB=postgres://me:pw@host/db'],
      ['-e', `DB=postgres://me:${hidden}@host/db`],
    ],
    [
      ['--header', 'Authorization: Bearer k', '-H', 'X-API-Key:k'],
      ['--header', `Authorization: Bearer ${hidden}`, '-H', `X-API-Key:${hidden}`],
    ],
    [
      ['--header', 'Authorization: Bearer ${TOKEN}', '-H', 'Accept: text/plain'],
      ['--header', 'Authorization: Bearer ${TOKEN}', '-H', 'Accept: text/plain'],
    ],
    [
      ['--token', 'c2VjcmV0LXZhbHVl=='],
      ['--token', hidden],
    ],
    [['Server=db;User Id=sa;Password=k;'], [`Server=db;User Id=sa;Password=${hidden};`]],
    [
      ['--image', 'auth:1.2', 'token=${T}'],
      ['--image', 'auth:1.2', 'token=${T}'],
    ],
  ];
  it.each(args)('shows %j as %j', (given, expected) => {
    expect(redactArgs(given)).toEqual(expected);
  });

  it.each<[readonly string[], readonly string[]]>([
    [['-e', 'API_KEY=value'], ['value']],
    [['--header', 'Authorization: Bearer value'], ['value']],
    [
      ['-e', 'DB=postgres://user:pass%20word@host/db'],
      ['pass%20word', 'pass word'],
    ],
    [['Server=db;Password=value;'], ['value']],
    [['--token', 'a', '--verbose'], ['a']],
    [['-e', 'LOG_LEVEL=debug', '--image', 'auth:1.2'], []],
  ])('knows the secrets themselves in %j', (given, expected) => {
    expect(secretsInArgs(given)).toEqual(expected);
  });

  const urls: readonly (readonly [string, string])[] = [
    ['https://a/mcp?page=2', 'https://a/mcp?page=2'],
    ['https://u:p@a/mcp', `https://u:${hidden}@a/mcp`],
    ['https://a/?api_key=k&x=1#f', `https://a/?api_key=${hidden}&x=1#f`],
    ['https://a/?token=${T}', 'https://a/?token=${T}'],
    ['https://a/?key=k', `https://a/?key=${hidden}`],
  ];
  it.each(urls)('shows %s as %s', (given, expected) => {
    expect(redactUrl(given)).toBe(expected);
  });

  it('knows the secrets of an address as its server will read them', () => {
    const query =
      'a?token=no&%74oken=p%2Bq+r&TOKEN=x=y&token&key=&=z&sig=%zz&token=second#token=no';
    const url = `https://u%40:p@a/?${query}`;
    expect(secretsInUrl(url)).toEqual(
      expect.arrayContaining(['p', 'p+q r', 'x=y', '%zz', 'second']),
    );
    expect(secretsInUrl(url)).not.toContain('no');
  });
});
