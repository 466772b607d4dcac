import { expect, it } from 'vitest';
import { holdsLiteralSecret } from '../../../../src/config/lint/literalSecrets.js';

// of no service: only its shape is one of a token
const token = `ghp_${'aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5'}`;

it('sees a secret in a file of the user however long that is', () => {
  const text = (env: object) =>
    JSON.stringify({
      mcpServers: { a: { command: 'a', env } },
      notes: 'x'.repeat(2 * 1024 * 1024),
    });
  const place = { path: '/x', layer: 'user' } as const;
  expect(holdsLiteralSecret(text({ GITHUB_TOKEN: token }), place)).toBe(true);
  expect(holdsLiteralSecret(text({ GITHUB_TOKEN: '${env:GITHUB_TOKEN}' }), place)).toBe(false);
});
