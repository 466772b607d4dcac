/** A direct call costs little more than the SDK alone. Built as it ships: vitest's own modules are slower. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { measureCallCost as measure } from '../bench/connections/callCost.js';

const maxRatio = 1.3;
// only what is too much takes more than one
const attempts = 4;

let dir: string;
let measureCallCost: typeof measure;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pi-mcp-call-cost-'));
  const outfile = join(dir, 'callCost.cjs');
  await build({
    entryPoints: [resolve('test/bench/connections/callCost.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
  ({ measureCallCost } = createRequire(import.meta.url)(outfile));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** The least of some attempts, unless an earlier one is small enough. */
async function leastCost(times?: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && !(least <= maxRatio); attempt++) {
    least = Math.min(least, await measureCallCost(times));
  }
  return least;
}

it('costs a call at most 1.3 times the processor time of the raw SDK', async () => {
  expect(await leastCost()).toBeLessThanOrEqual(maxRatio);
});

it('would be found if every call were made twice', async () => {
  expect(await leastCost(2)).toBeGreaterThan(maxRatio);
});
