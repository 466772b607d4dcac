import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NodeFileWatcher } from '../../../src/platform/nodeFileWatcher.js';

it('reports nothing of what a reader finds once it has begun, and everything after that', async () => {
  const root = await mkdtemp(join(tmpdir(), 'pi-mcp-watch-'));
  const path = join(root, 'mcp.json');
  await writeFile(path, '{}');
  let changes = 0;
  let report: () => void = () => undefined;
  const changed = new Promise<void>((resolve) => {
    report = resolve;
  });
  const watch = new NodeFileWatcher({ pollMs: 50 }).watch(path, () => {
    changes++;
    report();
  });
  await watch.begun;
  // a change before the watch stands is found by comparing
  await writeFile(path, '{"mcpServers":{}}');
  await changed;
  expect(changes).toBe(1);
  watch.dispose();
  const disposed = new NodeFileWatcher().watch(path, () => undefined);
  disposed.dispose();
  await disposed.begun;
  await rm(root, { recursive: true });
});
