import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ConfigFileStore, emptyFileMs } from '../../../../src/config/discovery/configFileStore.js';
import type { ConfigFileLocation } from '../../../../src/config/parse/configLocations.js';

let folder: string;
let location: ConfigFileLocation;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pi-mcp-store-'));
  location = { path: join(folder, '.mcp.json'), scope: 'project', folder } as never;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

const names = async (store: ConfigFileStore) =>
  (await store.read(location)).parsed.entries.map(({ name }) => name);

it.each([
  '{\n  "mcpServers": {\n    "one": { "command": "a" },\n    "two": { "url": "http://b" }\n  }\n}\n',
  '\uFEFF// ours\n/* both */ {"one": {"command": "a"}, "two": {"command": "b"}}',
])('keeps its servers while it is written, wherever it is cut: %j', async (text) => {
  for (let length = 0; length <= text.length; length++) {
    const store = new ConfigFileStore();
    await writeFile(location.path, text);
    await names(store);
    await writeFile(location.path, text.slice(0, length));
    expect([length, await names(store)]).toEqual([length, ['one', 'two']]);
  }
});

it('believes at once that its servers are gone where it says so, and after a quiet second where it says nothing', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const store = new ConfigFileStore();
  const write = async (text: string, seconds: number) => {
    await writeFile(location.path, text);
    await utimes(location.path, seconds, seconds);
  };
  await write('{"mcpServers": {"one": {"command": "a"}}}', 1);
  expect(await names(store)).toEqual(['one']);
  await write('', 2);
  expect([await names(store), store.isWaiting]).toEqual([['one'], true]);
  now.mockReturnValue(emptyFileMs - 1);
  // emptied once more: the second begins anew
  await write('', 3);
  expect(await names(store)).toEqual(['one']);
  now.mockReturnValue(emptyFileMs + 1);
  expect(await names(store)).toEqual(['one']);
  now.mockReturnValue(2 * emptyFileMs);
  expect([await names(store), store.isWaiting]).toEqual([[], false]);
  await write('{"mcpServers": {"one": {"command": "a"}}}', 4);
  expect(await names(store)).toEqual(['one']);
  await write('{"mcpServers": {}}', 5);
  expect([await names(store), store.isWaiting]).toEqual([[], false]);
});
