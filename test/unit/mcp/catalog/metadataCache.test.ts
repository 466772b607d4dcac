import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { McpServerOptions } from '../../../../src/config/definition.js';
import { MetadataCache } from '../../../../src/mcp/catalog/metadataCache.js';
import { emptyCatalog, type McpTool } from '../../../../src/mcp/mcpTypes.js';
import { nullLogger } from '../../../../src/platform/ports.js';
import { fakeDefinition } from '../../../helpers/fakes/fakeMcp.js';

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

it('keeps each server in a file of its own', async () => {
  const second = { ...catalog, instructions: 'Be loud.' };
  cache.save(fakeDefinition('two'), second);
  await cache.flush();
  expect(await readdir(directory)).toHaveLength(2);
  expect(await cache.load(definition)).toEqual(catalog);
  expect(await cache.load(fakeDefinition('two'))).toEqual(second);
});

it('holds for other options of the same launch', async () => {
  const options: Partial<McpServerOptions> = {
    lifecycle: 'eager',
    idleTimeout: 1,
    debug: true,
    exposeResources: false,
    excludeTools: ['a'],
  };
  const changed = { ...definition, options: { ...definition.options, ...options } };
  expect(await cache.load(changed)).toEqual(catalog);
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
  const [name = ''] = await readdir(directory);
  const before = await stat(join(directory, name));
  for (let round = 0; round < 50; round++) {
    cache.save(definition, { ...catalog, instructions: `own ${round}` });
    other.save(definition, { ...catalog, instructions: `other ${round}` });
  }
  await Promise.all([cache.flush(), other.flush()]);
  expect((await cache.load(definition))?.instructions).toMatch(/^(own|other) 49$/);
  expect(await readdir(directory)).toEqual([name]);
  // put in its place, never written over
  expect((await stat(join(directory, name))).ino).not.toBe(before.ino);
});

it('does not write again what is there', async () => {
  const [name = ''] = await readdir(directory);
  const before = await stat(join(directory, name));
  cache.save(definition, catalog);
  await cache.flush();
  expect((await stat(join(directory, name))).ino).toBe(before.ino);
});

const tools: readonly McpTool[] = [
  { name: 'plain', inputSchema: { type: 'object', properties: { a: { type: 'string' } } } },
  { name: 'typed', inputSchema: { type: 'object' }, outputSchema: { type: 'object', title: 'é' } },
  { name: 'shown', description: 'Shows.', inputSchema: {}, annotations: { readOnlyHint: true } },
];

/** The file of {@link definition} with what `change` makes of it. */
async function rewrite(change: (text: string) => string): Promise<void> {
  const [name = ''] = await readdir(directory);
  const path = join(directory, name);
  await writeFile(path, change(await readFile(path, 'utf8')));
}

it('remembers tools with their schemas', async () => {
  cache.save(definition, { ...catalog, tools });
  await cache.flush();
  const loaded = await cache.load(definition);
  expect(loaded).toEqual({ ...catalog, tools });
  expect(loaded?.tools.map((tool) => ({ ...tool }))).toEqual(tools);
  expect(structuredClone(loaded?.tools)).toEqual(tools);
  expect('outputSchema' in (loaded?.tools[0] ?? {})).toBe(false);
  cache.save(definition, { ...catalog, tools: loaded?.tools ?? [] });
  await cache.flush();
  expect(await cache.load(definition)).toEqual({ ...catalog, tools });
});

it('remembers resources, their templates and prompts', async () => {
  const full = {
    ...catalog,
    resources: [{ uri: 'docs:///a', name: 'a', description: 'First.', mimeType: 'text/plain' }],
    resourceTemplates: [{ uriTemplate: 'docs:///{path}', name: 'any' }],
    prompts: [{ name: 'review', arguments: [{ name: 'path', required: true }] }],
  };
  cache.save(definition, full);
  await cache.flush();
  expect(await cache.load(definition)).toEqual(full);
});

it('leaves the schemas unread until one is asked for', async () => {
  cache.save(definition, { ...catalog, tools });
  await cache.flush();
  await rewrite((text) =>
    text.replace(/\[\{"inputSchema.*\n$/, (line) => `${'x'.repeat(line.length - 1)}\n`),
  );
  const loaded = await cache.load(definition);
  expect(loaded?.tools.map(({ name, description }) => [name, description])).toEqual([
    ['plain', undefined],
    ['typed', undefined],
    ['shown', 'Shows.'],
  ]);
  expect(loaded?.tools[0]?.inputSchema).toEqual({ type: 'object' });
});

it.each([
  ['was cut off', (text: string) => text.slice(0, -10)],
  ['is of another version', (text: string) => text.replace('"version":2', '"version":1')],
  ['is of the time before versions', (text: string) => text.replace('"version":2,', '')],
  ['has no time', (text: string) => text.replace('"savedAt"', '"stored"')],
  ['is damaged', (text: string) => text.replace('"tools"', '"fools"')],
  ['is empty', () => ''],
])('takes no notice of a file that %s', async (_what, change) => {
  await rewrite(change);
  expect(await cache.load(definition)).toBeUndefined();
  cache.save(definition, catalog);
  await cache.flush();
  expect(await cache.load(definition)).toEqual(catalog);
});
