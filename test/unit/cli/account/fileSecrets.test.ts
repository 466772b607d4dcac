import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FileSecrets } from '../../../../src/cli/account/fileSecrets.js';
import { takeLock } from '../../../helpers/takeLock.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pi-mcp-accounts-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

it('stores an account also where another process took the lock meanwhile', async () => {
  const directory = join(root, 'pi-mcp');
  mkdirSync(directory);
  const secrets = new FileSecrets(directory);
  await secrets.store('other', 'kept');
  const stored = secrets.store('key', 'value');
  await takeLock(`${secrets.path}.lock`);
  await stored;
  expect(await secrets.get('key')).toBe('value');
  expect(await secrets.get('other')).toBe('kept');
});
