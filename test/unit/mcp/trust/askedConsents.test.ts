import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nullLogger } from '../../../../src/mcp/ports.js';
import { AskedConsents } from '../../../../src/mcp/trust/askedConsents.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pi-mcp-asked-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function open(): Promise<AskedConsents> {
  const watcher = { watch: () => ({ dispose: () => undefined }) };
  const asked = new AskedConsents({ directory, watcher, logger: nullLogger });
  await asked.start();
  return asked;
}

it('remembers the last question of each folder over sessions', async () => {
  const before = await open();
  await before.remember('file:///a', 'one');
  await before.remember('file:///b', 'one');
  await before.remember('file:///a', 'two');
  const after = await open();
  expect(after.has('file:///a', 'two')).toBe(true);
  expect(after.has('file:///a', 'one')).toBe(false);
  expect(after.has('file:///b', 'one')).toBe(true);
  expect(after.has('__proto__', 'one')).toBe(false);
});

it('asks again when what it kept is damaged', async () => {
  await writeFile(join(directory, 'asked-consents.json'), '{"file:///a": 3, "file:///b": "one"}');
  const asked = await open();
  expect(asked.has('file:///a', '3')).toBe(false);
  expect(asked.has('file:///b', 'one')).toBe(true);
});
