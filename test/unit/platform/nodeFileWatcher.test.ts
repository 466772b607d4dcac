import fs from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NodeFileWatcher } from '../../../src/platform/nodeFileWatcher.js';
import { FakeClock } from '../../helpers/fakes/fakeClock.js';
import { until } from '../../helpers/until.js';

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

it('looks by itself less and less often while nothing happens, and at once when something does', async () => {
  const root = await mkdtemp(join(tmpdir(), 'pi-mcp-watch-'));
  const path = join(root, 'mcp.json');
  await writeFile(path, '{}');
  const clock = new PausesClock();
  let report: () => void = () => undefined;
  const watch = new NodeFileWatcher({ pollMs: 2000, clock }).watch(path, () => report());
  const pauses: number[] = [];
  for (let look = 0; look < 5; look++) {
    const pause = await clock.nextPause();
    pauses.push(pause);
    clock.advance(pause);
  }
  expect(pauses).toEqual([2000, 4000, 8000, 16_000, 16_000]);
  await clock.nextPause();
  // no more time passes: only an event can tell
  const changed = new Promise<void>((resolve) => {
    report = resolve;
  });
  await writeFile(path, '{"mcpServers":{}}');
  await changed;
  expect(await clock.nextPause()).toBe(2000);
  watch.dispose();
  expect(clock.pending).toEqual([]);
  await rm(root, { recursive: true });
});

it('keeps its pace where the system has no watches left', async () => {
  const root = await mkdtemp(join(tmpdir(), 'pi-mcp-watch-'));
  const { watch: realWatch } = fs;
  let tries = 0;
  fs.watch = () => {
    tries++;
    throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), {
      code: 'ENOSPC',
    });
  };
  syncBuiltinESMExports();
  const clock = new PausesClock();
  const watch = new NodeFileWatcher({ pollMs: 2000, clock }).watch(
    join(root, 'a'),
    () => undefined,
  );
  try {
    const pause = await Promise.race([clock.nextPause(), until(() => tries > 50)]);
    expect([pause, tries]).toEqual([2000, 1]);
  } finally {
    watch.dispose();
    fs.watch = realWatch;
    syncBuiltinESMExports();
    await rm(root, { recursive: true });
  }
});

/** Tells of each timer that is set. */
class PausesClock extends FakeClock {
  private readonly pauses: number[] = [];
  private told: () => void = () => undefined;

  override after(ms: number, callback: () => void) {
    this.pauses.push(ms);
    this.told();
    return super.after(ms, callback);
  }

  async nextPause(): Promise<number> {
    while (this.pauses.length === 0) {
      await new Promise<void>((resolve) => {
        this.told = resolve;
      });
    }
    return this.pauses.shift() ?? 0;
  }
}
