import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MetadataCache } from '../../../../src/mcp/catalog/metadataCache.js';
import { emptyCatalog } from '../../../../src/mcp/mcpTypes.js';
import { nullLogger } from '../../../../src/mcp/ports.js';
import { fakeDefinition } from '../../../fakes/fakeMcp.js';

const day = 24 * 60 * 60 * 1000;
const definition = fakeDefinition('one');
const catalog = { ...emptyCatalog, instructions: 'Be brief.' };
let directory: string;
let now: number;
let cache: MetadataCache;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pi-mcp-cache-'));
  now = Date.now();
  cache = new MetadataCache({ directory, logger: nullLogger, now: () => now });
  cache.save(definition, catalog);
  await cache.flush();
});

afterEach(() => rm(directory, { recursive: true, force: true }));

it('remembers the catalog of exactly this definition', async () => {
  const other = { kind: 'stdio', command: 'x', args: [], env: {}, inheritEnv: false } as const;
  expect(await cache.load(definition)).toEqual(catalog);
  expect(await cache.load({ ...definition, launch: other })).toBeUndefined();
  expect(await cache.load(fakeDefinition('two'))).toBeUndefined();
});

it('forgets after seven days', async () => {
  now += 6 * day;
  expect(await cache.load(definition)).toEqual(catalog);
  now += 2 * day;
  expect(await cache.load(definition)).toBeUndefined();
  await cache.evict();
  expect(await readdir(directory)).toEqual([]);
});

it('writes only the last of a burst, and the last of all windows stays whole', async () => {
  const other = new MetadataCache({ directory, logger: nullLogger, now: () => now });
  for (let round = 0; round < 50; round++) {
    cache.save(definition, { ...catalog, instructions: `own ${round}` });
    other.save(definition, { ...catalog, instructions: `other ${round}` });
  }
  await Promise.all([cache.flush(), other.flush()]);
  expect((await cache.load(definition))?.instructions).toMatch(/^(own|other) 49$/);
  expect(await readdir(directory)).toHaveLength(1);
});

it('does not write again what is there', async () => {
  const [name = ''] = await readdir(directory);
  const before = await stat(join(directory, name));
  cache.save(definition, catalog);
  await cache.flush();
  expect((await stat(join(directory, name))).ino).toBe(before.ino);
});
