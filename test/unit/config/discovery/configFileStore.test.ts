import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ConfigFileStore } from '../../../../src/config/discovery/configFileStore.js';
import { parseLocation } from '../../../../src/config/parse/parseLocation.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'config-file-store-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

it('keeps the last good state of a file on which the parser fails', async () => {
  const location = {
    layer: 'project',
    path: join(root, '.mcp.json'),
    isForeignFile: false,
    isPrimary: true,
  } as const;
  const store = new ConfigFileStore((text, place) => {
    if (text.includes('trap')) {
      throw new RangeError('nobody thought of this');
    }
    return parseLocation(text, place);
  });
  await writeFile(location.path, '{"mcpServers": {"a": {"command": "x"}}}');
  const before = await store.read(location);
  await writeFile(location.path, '{"mcpServers": {"trap": {"command": "x"}}}');
  expect(await store.read(location)).toMatchObject({
    parsed: before.parsed,
    problems: [{ code: 'unreadable', severity: 'error' }],
  });
});
