import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BundleStore } from '../../../../src/mcp/bundles/bundleStore.js';
import { packBundle } from '../../../helpers/bundles.js';

let root: string;
let store: BundleStore;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pi-mcp-bundles-'));
  store = new BundleStore({
    platform: process.platform,
    homeDir: root,
    getVariable: () => undefined,
  });
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(root, { recursive: true, force: true });
});

it('keeps a bundle whose entry takes long to be written from a window that removes another one', async () => {
  const path = join(root, 'notes.mcpb');
  await writeFile(path, packBundle());
  const config = join(root, 'mcp.json');
  const opened = await store.open(path);
  const kept = () => readdir(store.directory);
  await store.add(opened, config, async () => {
    // such as a keyring that asks for its password
    let now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 500));
    await store.sweep({ command: opened.folder }, [config]);
    await writeFile(config, JSON.stringify({ mcpServers: { a: { command: opened.folder } } }));
  });
  expect(await kept()).toHaveLength(2);
  await writeFile(config, '{}');
  await store.sweep({ command: opened.folder }, [config]);
  expect(await kept()).toEqual([]);
});
