import { describe, expect, it, vi } from 'vitest';
import { PhraseFinder } from '../../../../src/config/secrets/phraseFinder.js';
import {
  createChangingMask,
  createMask,
  maskDocument,
  maskText,
} from '../../../../src/config/secrets/secretMask.js';

const hidden = '***REDACTED***';

function maskSecrets(text: string, secrets: readonly string[]): string {
  return createMask(secrets)(text);
}

describe('known secrets', () => {
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

describe('what a server says', () => {
  it.each([
    ['Error: token=abc123def', `Error: token=${hidden}`],
    ['password: hunter2.', `password: ${hidden}.`],
    ['Authorization: Bearer abcdef123456', `Authorization: Bearer ${hidden}`],
    ['GET https://h.example/?token=abc 401', `GET https://h.example/?token=${hidden} 401`],
    ['connect postgres://me:pw@db/app', `connect postgres://me:${hidden}@db/app`],
    ['{"apiKey":"a1b2c3d4e5","level":"info"}', `{"apiKey":"${hidden}","level":"info"}`],
    ['"{\\"apiKey\\":\\"a1b2c3d4e5\\"}"', `"{\\"apiKey\\":\\"${hidden}\\"}"`],
    ['ran tool --api-key a1b2c3d4e5 --verbose', `ran tool --api-key ${hidden} --verbose`],
    ['ran ["tool","--api-key","a1b2c3d4e5"]', `ran ["tool","--api-key","${hidden}"]`],
    ['curl -k a1b2c3d4e5 -o out', `curl -k ${hidden} -o out`],
    ['Server=db;Password=a1b2c3;Timeout=3', `Server=db;Password=${hidden};Timeout=3`],
  ])('loses the secret of %s', (text, expected) => {
    expect(maskText(text)).toBe(expected);
    expect(maskText(expected)).toBe(expected);
  });

  it.each([
    'The server reported an error',
    'invalid token: expected string',
    'Unexpected token } in JSON at position 42',
    'key: my-index-2024',
    'using model gpt-4o-mini in us-east-1 on port 8080',
    'commit da39a3ee5e6b4b0d3255bfef95601890afd80709',
    'session 7f3b9c1e-4d2a-4c8b-9e1f-0a2b3c4d5e6f started',
    'tokens: 4096, max_tokens: 8192',
    'The password must have a digit',
    'at Object.<anonymous> (/a/b1/c2.js:1:2)',
    '{"type":"object","properties":{"token":{"type":"string"}}}',
    'token: ${TOKEN}',
    'Basic authentication is required',
  ])('keeps %s', (text) => {
    expect(maskText(text)).toBe(text);
  });
});

describe('the work', () => {
  /** How often the spellings of a secret are made. */
  function compilations(run: () => void): number {
    const encode = vi.spyOn(Buffer, 'concat');
    run();
    const { length } = encode.mock.calls;
    encode.mockRestore();
    return length;
  }

  it('of preparing is done once for many lines, and again when a secret came', () => {
    const secrets = ['a-first-secret'];
    const mask = createChangingMask(() => [...secrets]);
    const once = compilations(() => mask('a line'));
    expect(once).toBeGreaterThan(0);
    expect(
      compilations(() => {
        for (let line = 0; line < 1000; line++) {
          mask(`line ${line} with a-first-secret`);
        }
      }),
    ).toBe(0);
    secrets.push('another-secret');
    expect(mask('said another-secret')).toBe(`said ${hidden}`);
    expect(compilations(() => mask('said another-secret'))).toBe(0);
  });

  it('looks at each character of a text a bounded number of times, however many secrets there are', () => {
    const secrets = Array.from({ length: 200 }, (_, index) => `secret-${index}-aaaaaaaa`);
    const steps = (count: number) => {
      const read = vi.spyOn(String.prototype, 'charCodeAt');
      const finder = new PhraseFinder(secrets.slice(0, count));
      read.mockClear();
      finder.find('secret-1-aaaa secret-'.repeat(100), '…', 6);
      const { length } = read.mock.calls;
      read.mockRestore();
      return length;
    };
    expect(steps(200)).toBe(steps(2));
  });
});

it('masks every text of a document, and leaves the rest as it is', () => {
  const mask = createMask(['a-first-secret']);
  const document = { a: ['a-first-secret', 1, null, true], b: { c: 'x a-first-secret' } };
  expect(maskDocument(document, mask)).toEqual({
    a: [hidden, 1, null, true],
    b: { c: `x ${hidden}` },
  });
  expect(maskDocument(undefined, mask)).toBeUndefined();
});

it('finds a token wherever it stands in a text of megabytes', () => {
  const token = `ghp_${'aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5'}`;
  const blob = `eyJ${'a'.repeat(12_000_000)}`;
  expect(maskText(blob)).toBe(blob);
  for (const before of [0, 1_000, 1_024 * 1_024 - 20, 1_024 * 1_024, 5_000_000]) {
    const text = (word: string) => `${blob.slice(0, before)} ${word} ${blob}`;
    expect(maskText(text(token)) === text(hidden), `behind ${before}`).toBe(true);
  }
});

it.each(['"', "'", ''])('finds a secret of megabytes, in quotes %s', (quote) => {
  const text = (value: string) => `password=${quote}${value}${quote} next`;
  expect(maskText(text('x7'.repeat(6_000_000)))).toBe(text(hidden));
  expect(maskText(text('\\7'.repeat(6_000_000)))).toMatch(/ next$/);
});
