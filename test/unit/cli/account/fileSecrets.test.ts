import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FileSecrets } from '../../../../src/cli/account/fileSecrets.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pi-mcp-accounts-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** As a process that waited ten seconds for one that stood still. */
async function takeOver(lock: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    try {
      const [holder = ''] = readdirSync(lock);
      unlinkSync(join(lock, holder));
      rmdirSync(lock);
      return;
    } catch {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  throw new Error('Nobody took the lock');
}

it('stores an account also where another process took the lock meanwhile', async () => {
  const directory = join(root, 'pi-mcp');
  mkdirSync(directory);
  const secrets = new FileSecrets(directory);
  await secrets.store('other', 'kept');
  const stored = secrets.store('key', 'value');
  await takeOver(`${secrets.path}.lock`);
  await stored;
  expect(await secrets.get('key')).toBe('value');
  expect(await secrets.get('other')).toBe('kept');
});
