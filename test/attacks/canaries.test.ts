/** The canaries themselves: each sings when it should. */
import { readFileSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Lookups } from '../helpers/attacks/lookups.js';
import { createSecret, findSecrets } from '../helpers/attacks/secrets.js';

describe('the search for secrets', () => {
  const secret = createSecret('a');
  const encoded: Readonly<Record<string, string>> = {
    plain: secret,
    'the part that matters': secret.slice(2, 26),
    'in JSON': JSON.stringify({ secret }),
    'in JSON in JSON': JSON.stringify(JSON.stringify({ secret })),
    'in a URL': `https://host.test/?a=${encodeURIComponent(secret)}`,
    'in a form': new URLSearchParams({ secret }).toString(),
    'in hexadecimal': Buffer.from(secret).toString('hex'),
    'in Base64': Buffer.from(secret).toString('base64'),
    'in Base64 after one byte': Buffer.from(`:${secret}`).toString('base64'),
    'in Base64 after two bytes': Buffer.from(`::${secret}:`).toString('base64url'),
  };

  it.each(Object.entries(encoded))('finds one %s', (_form, text) => {
    expect(findSecrets({ log: `before ${text} after` }, { secret })).toContainEqual(
      expect.objectContaining({ surface: 'log', secret: 'secret' }),
    );
  });

  it('finds nothing where nothing is', () => {
    const texts = Object.fromEntries(
      Object.entries(encoded).map(([name]) => [name, createSecret('a')]),
    );
    expect(findSecrets(texts, { secret })).toEqual([]);
  });
});

describe('the look-ups', () => {
  it('show who asks for a file, until they are disposed', async () => {
    const path = join(tmpdir(), 'looked-up', 'by-nobody-else');
    const ask = (name: string) => stat(`${path}-${name}`).catch(() => undefined);
    const lookups = new Lookups();
    try {
      await ask('stat');
      await access(`${path}-access`).catch(() => undefined);
      readFileOrNothing(`${path}-read`);
    } finally {
      lookups.dispose();
    }
    await ask('later');
    expect(lookups.of('by-nobody-else')).toEqual(
      ['stat', 'access', 'read'].map((name) => `${path}-${name}`),
    );
  });
});

function readFileOrNothing(path: string): void {
  try {
    readFileSync(path);
  } catch {
    // is not there
  }
}
