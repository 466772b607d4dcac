import { hash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { pruneFolders } from '../../../../src/agent/changes/prune.js';
import {
  ResultFiles,
  resultsFolder,
  type StoredResult,
} from '../../../../src/agent/conversations/resultFiles.js';
import { createMask } from '../../../../src/config/secrets/secretMask.js';
import { fakeDefinition } from '../../../helpers/fakes/fakeMcp.js';

const mask = createMask(['hunter2hunter2', 'correct-horse']);
const dayMs = 24 * 60 * 60 * 1000;

async function conversation(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'pi-mcp-results-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return join(root, '2026_one.jsonl');
}

function resultOf(text: string, more: object = {}): StoredResult {
  const result = { content: [{ type: 'text', text }], isError: false, ...more };
  return { serverId: fakeDefinition('docs').id, server: 'docs', tool: 'read', args: {}, result };
}

it('has whole results again in the next window, of whatever call', async () => {
  const path = await conversation();
  const files = await ResultFiles.open(path);
  const stored = resultOf('long text');
  await files.add('../../call|1', stored, { shown: 'long', mask });
  const next = await ResultFiles.open(path);
  expect(next.has('../../call|1')).toBe(true);
  expect(await next.get('../../call|1')).toEqual(stored);
  expect(await next.get('other')).toBeUndefined();
  const names = await readdir(resultsFolder(path));
  expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.gz$/)]);
  const { mode } = await stat(join(resultsFolder(path), names[0] ?? ''));
  expect((mode & 0o777).toString(8)).toBe('600');
});

it('holds no secret that the conversation does not hold', async () => {
  const path = await conversation();
  const files = await ResultFiles.open(path);
  const content = [
    { type: 'text', text: 'shown: hunter2hunter2' },
    { type: 'text', text: 'cut away: correct-horse' },
    { type: 'resource', resource: { uri: 'a', text: 'correct-horse', blob: 'aHVudGVy' } },
    { type: 'image', mimeType: 'image/png', data: 'aHVudGVyMg' },
  ];
  const structuredContent = { token: ['correct-horse'], data: 'correct-horse' };
  const stored = resultOf('', { content, structuredContent });
  await files.add('call', stored, { shown: 'before\nshown: hunter2hunter2\nafter', mask });
  const [name = ''] = await readdir(resultsFolder(path));
  const text = gunzipSync(await readFile(join(resultsFolder(path), name))).toString();
  expect(text).not.toContain('correct-horse');
  expect(text).toContain('shown: hunter2hunter2');
  expect(text).toContain('"aHVudGVy"');
  expect(text).toContain('"aHVudGVyMg"');
});

it('lets the oldest make room, and keeps nothing that is larger than all', async () => {
  const path = await conversation();
  const files = await ResultFiles.open(path, 3_000);
  // not to be packed
  const noise = (call: string) => hash('sha512', call) + hash('sha512', `${call}!`);
  for (const call of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']) {
    const text = Array.from({ length: 4 }, (_, at) => noise(`${call}${at}`)).join('');
    await files.add(call, resultOf(text), { shown: '', mask });
  }
  expect(files.has('one')).toBe(false);
  expect(files.has('nine')).toBe(true);
  const sizes = await Promise.all(
    (await readdir(resultsFolder(path))).map(
      async (name) => (await stat(join(resultsFolder(path), name))).size,
    ),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(3_000);
  const tiny = await ResultFiles.open(path, 10);
  await tiny.add('large', resultOf('text'), { shown: '', mask });
  expect(tiny.has('large')).toBe(false);
});

it.each(['', 'no gzip', '{}'])('does not take the file "%s" for a result', async (text) => {
  const path = await conversation();
  const files = await ResultFiles.open(path);
  await files.add('call', resultOf('text'), { shown: '', mask });
  const [name = ''] = await readdir(resultsFolder(path));
  await writeFile(join(resultsFolder(path), name), text);
  expect(await (await ResultFiles.open(path)).get('call')).toBeUndefined();
});

it('takes no half of a result for the whole', async () => {
  const path = await conversation();
  const files = await ResultFiles.open(path);
  await files.add('call', resultOf('text '.repeat(1_000)), { shown: '', mask });
  const [name = ''] = await readdir(resultsFolder(path));
  const file = join(resultsFolder(path), name);
  const whole = await readFile(file);
  for (let length = 0; length < whole.byteLength; length++) {
    await writeFile(file, whole.subarray(0, length));
    expect(await files.get('call')).toBeUndefined();
  }
});

it('says that it cannot write, so that the call can go on without it', async () => {
  const path = await conversation();
  await writeFile(resultsFolder(path), 'in the way');
  const files = await ResultFiles.open(path);
  await expect(files.add('call', resultOf('text'), { shown: '', mask })).rejects.toThrow();
});

it('goes with its conversation, and with time', async () => {
  const path = await conversation();
  const add = async (to: string) => {
    await (await ResultFiles.open(to)).add('call', resultOf('text'), { shown: '', mask });
    return resultsFolder(to);
  };
  const folder = await add(path);
  const directory = join(path, '..');
  await writeFile(path, '{}\n');
  const isThere = () =>
    stat(folder).then(
      () => true,
      () => false,
    );
  await pruneFolders([directory], new Set(), '.results', { now: Date.now() });
  expect(await isThere()).toBe(true);
  await rm(path);
  await pruneFolders([directory], new Set([path]), '.results', { now: Date.now() });
  expect(await isThere()).toBe(true);
  await pruneFolders([directory], new Set(), '.results', { now: Date.now() });
  expect(await isThere()).toBe(false);
  await writeFile(path, '{}\n');
  await add(path);
  await pruneFolders([directory], new Set(), '.results', { now: Date.now() + 31 * dayMs });
  expect(await isThere()).toBe(false);
});
