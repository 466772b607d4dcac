import { createHash, randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findInValue, isRealSecret } from '../../../../src/config/secrets/findSecrets.js';
import {
  isInertSecret,
  isPlaceholder,
  looksLikeCredential,
  looksRandom,
} from '../../../../src/config/secrets/secretValues.js';

const letters = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';

function drawn(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Always the same, since a draw may look like anything. */
function fixed(encoding: 'hex' | 'base64' | 'base64url', length: number): string {
  return createHash('sha512').update(`${length}`).digest(encoding).slice(0, length);
}

describe('a long random value', () => {
  it.each([
    fixed('hex', 32),
    fixed('hex', 40),
    fixed('hex', 64),
    fixed('base64', 24),
    fixed('base64', 44),
    fixed('base64url', 43),
    'q7Jd0sK2mVx9Lw3ZtB5h',
    'k3j9d0f8a7s6q2w1e5r4t9y8',
    'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    'XkRtPqLmWzVbNcYhJgDsFaQe',
    '7f3b9c1e-4d2a-4c8b-9e1f-0a2b3c4d5e6f',
  ])('is seen in %s', (value) => {
    expect(looksRandom(value)).toBe(true);
    expect(findInValue(value, 'ANYTHING')).toMatchObject([{ reason: 'random' }]);
  });

  it.each([
    'error',
    'info',
    'true',
    '8080',
    '1.2.3-beta.4',
    '2024-11-05T10:00:00.000Z',
    '1234567890123456789012345',
    'localhost:5432',
    'db.internal.example.com',
    'abcdefghijklmnopqrst.supabase.co',
    'https://api.example.com/v1/projects?page=2',
    'https://example.com/a/very/long/path/with-many-words-in-it',
    '/usr/local/lib/node_modules/server/dist/index.js',
    '/home/me/.cache/9f86d081884c7d659a2feaa0c55ad015/bin',
    'C:\\Users\\me\\AppData\\Roaming\\npm',
    './build/static/media/logo.8f3e9c1a2b.svg',
    '@modelcontextprotocol/server-filesystem@2025.11.25',
    'ghcr.io/github/github-mcp-server:0.13.0',
    `image@sha256:${fixed('hex', 64)}`,
    'claude-sonnet-4-5-20250929',
    'us-east-1',
    'resource-group-production-westeurope-001',
    'arn:aws:iam::123456789012:role/MyRoleWithLongName',
    'SOME_CONSTANT_NAME_WITH_WORDS',
    'MyCompanyInternalServiceAccountName',
    'application/json, text/event-stream',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)',
    '--max-old-space-size=4096 --experimental-vm-modules',
    'en-US,en;q=0.9',
    'A sentence of many words, with a number such as 42 in it.',
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  ])('is not seen in %s', (value) => {
    expect(looksRandom(value)).toBe(false);
    expect(findInValue(value, 'ANYTHING')).toEqual([]);
  });

  it('is seen in nearly all that is drawn', () => {
    const alphabets = [
      ['0123456789abcdef', 32],
      [letters + letters.toUpperCase() + digits, 20],
      [letters + letters.toUpperCase() + digits, 32],
      [letters + digits, 32],
    ] as const;
    for (const [alphabet, length] of alphabets) {
      const seen = Array.from({ length: 500 }, () => looksRandom(drawn(alphabet, length)));
      // of the lower ones nine of ten, of the others all but one of two hundred
      expect(seen.filter(Boolean).length).toBeGreaterThan(425);
    }
  });

  it('is left alone under a name of identifiers and of what is public', () => {
    const id = fixed('hex', 40);
    for (const name of ['PROJECT_ID', 'COMMIT_SHA', 'X-Request-Id', 'etag', 'PUBLIC_KEY']) {
      expect(findInValue(id, name)).toEqual([]);
    }
  });
});

describe('what a name says', () => {
  it.each([
    ['API_KEY', 'k'],
    ['OPENAI_KEY', 'abcdefg'],
    ['githubToken', 'x1'],
    ['PGPASSWORD', 'two words'],
    ['AWS_SECRET_ACCESS_KEY', 'abc/def+g'],
    ['TOKEN_2', 'x1'],
    ['X-Api-Key', 'x1'],
    ['Cookie', 'a=b'],
    ['Authorization', 'Bearer x1'],
    ['API_KEY', '${API_KEY:-x1}'],
  ])('%s=%s is a secret', (name, value) => {
    const [found] = findInValue(value, name);
    expect(found?.reason).toBe('name');
    expect(value.slice(found?.start, found?.end)).toBe(
      value.replace(/^Bearer |^\$\{API_KEY:-|\}$/g, ''),
    );
  });

  it.each([
    ['API_KEY', '${API_KEY}'],
    ['API_KEY', '${API_KEY:-}'],
    ['API_KEY', '$env:API_KEY'],
    ['Authorization', 'Bearer ${TOKEN}'],
    ['AUTH', 'none'],
    ['REQUIRE_PASSWORD', 'false'],
    ['MAX_TOKENS', '4096'],
    ['max_token', '4096'],
    ['TOKENIZER', 'cl100k_base'],
    ['AUTHOR', 'me'],
    ['KEYBOARD', 'dvorak'],
    ['PRIMARY_KEY', 'id'],
    ['SSH_ASKPASS', '/usr/bin/ask'],
    ['GOOGLE_APPLICATION_CREDENTIALS', '/home/me/key.json'],
    ['PATH', '/usr/bin:/bin'],
  ])('%s=%s is none', (name, value) => {
    expect(findInValue(value, name)).toEqual([]);
  });
});

describe('a placeholder', () => {
  it.each([
    '<your-key>',
    '<token>',
    'YOUR_API_KEY',
    'your-token-here',
    'your_api_key_here',
    'xxx',
    'xxxxxxxx',
    'sk-xxxx',
    'ghp_xxxxxxxxxxxxxxxxxxxx',
    'changeme',
    'change_me_please',
    'REPLACE_ME',
    'replace-with-your-key',
    'INSERT_KEY_HERE',
    'enter your token',
    'my-api-key',
    'API_KEY',
    'TODO',
    '...',
    'sk-...',
    '***',
    '{{API_KEY}}',
    '[your key]',
    '%API_KEY%',
    '$API_KEY',
    'example',
    'dummy',
    'placeholder',
  ])('%s hides nothing', (value) => {
    expect(isRealSecret(value)).toBe(false);
    expect(isPlaceholder(value)).toBe(true);
    expect(findInValue(value, 'API_KEY')).toEqual([]);
  });

  it.each([fixed('base64', 32), 'hunter22', 'correct horse', 'yourself', 'x1x2x3', 'exampleX9!'])(
    '%s is none',
    (value) => {
      expect(isPlaceholder(value)).toBe(false);
    },
  );

  it('is told from a word that everybody tries, which is hidden where it stands', () => {
    expect(isRealSecret('postgres')).toBe(false);
    expect(findInValue('postgres', 'PASSWORD')).toHaveLength(1);
  });
});

describe('behind a flag that is perhaps for a secret', () => {
  it.each(['a1b2c3d4', 'Tr0ub4dor&3', 'p@ssw0rd!', fixed('hex', 16)])('%s is one', (value) => {
    expect(looksLikeCredential(value)).toBe(true);
  });

  it.each([
    ...[
      './dir',
      '/etc/x1y2z3w4',
      '8080',
      'my-index-2024',
      'gpt-4o-mini',
      'us-east-1',
      'v1.2.3-rc1',
    ],
    ...[
      'node20:latest',
      'image:1.2.3',
      '@scope/pkg1',
      'host1.example.com:8080',
      'short1',
      'two words1',
    ],
    ...['https://h1.example.com', '2024-11-05T10:00:00Z', 'config.json', 'localhost:8080'],
  ])('%s is none', (value) => {
    expect(looksLikeCredential(value)).toBe(false);
  });
});

describe('what the question about consent may hide', () => {
  it.each([fixed('hex', 40), fixed('base64', 44), 'ghp_0123456789', 'hunter2', 'user-1:pw'])(
    '%s can be nothing but a secret',
    (value) => {
      expect(isInertSecret(value)).toBe(true);
    },
  );

  it.each([
    'evil.sh',
    './run1',
    '/tmp/run1',
    'a1; touch x',
    'a1 touch x',
    '$(touch x1)',
    '`touch x1`',
    'a1|sh',
    'a1&b',
    '!touch x1',
    'C:\\run1',
    'https://evil.example/1.js',
    Buffer.from('touch /tmp/x').toString('base64'),
    Buffer.from('touch /tmp/x').toString('hex'),
    'reboot',
    'import("x1")',
  ])('%s could be something else', (value) => {
    expect(isInertSecret(value)).toBe(false);
  });
});
