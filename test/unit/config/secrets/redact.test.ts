import { describe, expect, it } from 'vitest';
import { maskSecrets, redactEntry } from '../../../../src/config/secrets/redact.js';
import { redactArgs, secretsInArgs } from '../../../../src/config/secrets/secretArgs.js';
import { redactUrl, secretsInUrl } from '../../../../src/config/secrets/secretShapes.js';

const hidden = '***REDACTED***';

describe('text', () => {
  it('hides secrets in every spelling, the longest first', () => {
    const secrets = ['pass', 'pass word"', 'ü&x='];
    expect(maskSecrets('a pass word" b pass c', secrets)).toBe(`a ${hidden} b ${hidden} c`);
    expect(maskSecrets('https://a/?k=pass%20word%22', secrets)).toBe(`https://a/?k=${hidden}`);
    expect(maskSecrets(JSON.stringify('pass word"'), secrets)).toBe(`"${hidden}"`);
    expect(maskSecrets(encodeURIComponent('ü&x='), secrets)).toBe(hidden);
    const twice = JSON.stringify(JSON.stringify('pass word"'));
    expect(maskSecrets(twice, secrets)).toBe(JSON.stringify(`"${hidden}"`));
    const { href } = new URL('https://a/?k=a"\\^|b');
    expect(maskSecrets(href, ['a"\\^|b'])).toBe(`https://a/?k=${hidden}`);
  });

  it.each(['', 'u', 'me', 'bob', 'user:', 'a longer user:'])(
    'hides a secret that stands behind %j in Base64 or hexadecimal digits',
    (before) => {
      for (const secret of ['s3cret/+pass?word', 'pässwörd 👍', 'secret']) {
        for (const encoding of ['base64', 'base64url', 'hex'] as const) {
          for (const after of ['', '\n', ' and more']) {
            const text = Buffer.from(before + secret + after).toString(encoding);
            const masked = maskSecrets(`Authorization: Basic ${text}.`, [secret]);
            const [, rest = ''] = /Basic (.*)\.$/.exec(masked) ?? [];
            expect(rest).toContain(hidden);
            const [lead = '', tail = ''] = rest.split(hidden);
            const shown = Buffer.from(lead, encoding).toString() + Buffer.from(tail, encoding);
            // at most the bits of one letter that it shares with its neighbour
            expect(shown).not.toContain(secret.slice(1, 3));
          }
        }
      }
    },
  );

  it('hides what a form or another writer of addresses makes of a secret', () => {
    const secret = 'a b/+"c';
    const form = new URLSearchParams({ key: secret }).toString();
    expect(maskSecrets(form, [secret])).toBe(`key=${hidden}`);
    expect(maskSecrets('a%20b%2f%2b%22c', [secret])).toBe(hidden);
  });

  it('hides the beginning of a secret at which a text was cut', () => {
    const secrets = ['correct horse battery', 'Y29ycmVjdA=='];
    expect(maskSecrets('said: correct hor', secrets)).toBe(`said: ${hidden}`);
    expect(maskSecrets('it said correct ho… And more.', secrets)).toBe(
      `it said ${hidden}… And more.`,
    );
    expect(maskSecrets('said: correct', ['correct'])).toBe(`said: ${hidden}`);
    const others = ['correct hors d’œuvre', 'is it correct hor then', 'corr'];
    expect(others.map((text) => maskSecrets(text, secrets))).toEqual(others);
  });

  it('leaves values alone that are too short to be secrets, and survives half a surrogate pair', () => {
    expect(maskSecrets('exit 1 dev', ['1', 'dev', '', '\uD800abc'])).toBe('exit 1 dev');
  });
});

describe('entries', () => {
  it('hides values and keeps keys', () => {
    const entry = {
      command: 'x',
      env: { A: '1', B: '${B}' },
      environment: { C: '2' },
      headers: { H: 'v' },
      bearerToken: 't',
      bearerTokenEnv: 'NAME',
      oauth: { clientId: 'i', clientSecret: 's', privateKey: 'p', assertion: 'a' },
      custom: { a: 1, apiKey: 'k' },
      apiKey: 'k',
      auth: 'oauth',
    };
    expect(redactEntry(entry)).toEqual({
      command: 'x',
      env: { A: hidden, B: hidden },
      environment: { C: hidden },
      headers: { H: hidden },
      bearerToken: hidden,
      bearerTokenEnv: 'NAME',
      oauth: { clientId: 'i', clientSecret: hidden, privateKey: hidden, assertion: hidden },
      custom: { a: 1, apiKey: hidden },
      apiKey: hidden,
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
    [['postgres://me:pw@host/db'], [`postgres://${hidden}@host/db`]],
    [[`x ghp_${'a'.repeat(36)}`], [`x ${hidden}`]],
    [
      ['-e', 'API_KEY=k', '-e', 'LOG_LEVEL=debug', '-e', 'GITHUB_TOKEN'],
      ['-e', `API_KEY=${hidden}`, '-e', 'LOG_LEVEL=debug', '-e', 'GITHUB_TOKEN'],
    ],
    [['--env=DB_PASSWORD=k=='], [`--env=DB_PASSWORD=${hidden}`]],
    [
      ['-e', 'DB=postgres://me:pw@host/db'],
      ['-e', `DB=postgres://${hidden}@host/db`],
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
      ['user', 'pass word'],
    ],
    [['Server=db;Password=value;'], ['value']],
    [['--token', 'a', '--verbose'], ['a']],
    [['-e', 'LOG_LEVEL=debug', '--image', 'auth:1.2'], []],
  ])('knows the secrets themselves in %j', (given, expected) => {
    expect(secretsInArgs(given)).toEqual(expected);
  });

  const urls: readonly (readonly [string, string])[] = [
    ['https://a/mcp?page=2', 'https://a/mcp?page=2'],
    ['https://u:p@a/mcp', `https://${hidden}@a/mcp`],
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
    expect(secretsInUrl(url)).toEqual(['u@', 'p', 'p+q r', 'x=y', '%zz', 'second']);
    expect(secretsInUrl('no address?token=x')).toEqual([]);
  });
});
