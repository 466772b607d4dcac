/** Statistics of calls, as the settings of the user keep them. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ToolFeatures } from '../../src/agent/policy/toolFeatures.js';
import { ValueEmitter } from '../../src/base/valueEmitter.js';
import { createNodeHostEnvironment } from '../../src/platform/environment/nodeHostEnvironment.js';
import { NodeFileWatcher } from '../../src/platform/nodeFileWatcher.js';
import { nullLogger } from '../../src/platform/ports.js';
import { CoreHarness } from '../helpers/coreHarness.js';
import { FakeKept } from '../helpers/fakes/fakeKept.js';

let harness: CoreHarness;
let features: ToolFeatures | undefined;

beforeEach(async () => {
  harness = await CoreHarness.create();
  await harness.writeGlobal({});
});

afterEach(async () => {
  features?.dispose();
  await harness.dispose();
});

const home = () => join(harness.root, 'home');

/** Counts a call under these settings, and waits until it was written, if it is. */
async function countOne(captureStats: unknown): Promise<void> {
  const file = join(home(), '.pi', 'agent', 'mcp.json');
  await writeFile(file, JSON.stringify({ settings: { captureStats } }));
  const service = await harness.start();
  features = new ToolFeatures({
    directory: undefined,
    watcher: new NodeFileWatcher(),
    logger: nullLogger,
    service,
    environment: createNodeHostEnvironment({ homeDir: home(), env: {} }),
    profiles: new ValueEmitter<unknown>({}),
    profileMemory: new FakeKept(),
  });
  await features.start();
  features.statistics.record({ server: 's', tool: 't', durationMs: 1, bytes: 2, tokens: 3 });
  await features.statistics.flush();
}

const read = async (...path: readonly string[]) =>
  JSON.parse(await readFile(join(home(), ...path), 'utf8'));

it('are kept beside the other files of Pi', async () => {
  await countOne(true);
  expect(await read('.pi', 'agent', 'mcp-tool-stats.json')).toMatchObject([
    { server: 's', tool: 't', calls: 1 },
  ]);
});

it('are kept where the user wants them', async () => {
  await countOne({ path: '~/numbers/mine.json', flushDelayMs: 100 });
  expect(await read('numbers', 'mine.json')).toMatchObject([{ tool: 't' }]);
});

it('are kept nowhere unless they are wanted', async () => {
  await countOne(undefined);
  expect(features?.statistics.all).toMatchObject([{ tool: 't', calls: 1 }]);
  await expect(read('.pi', 'agent', 'mcp-tool-stats.json')).rejects.toThrow('ENOENT');
});
