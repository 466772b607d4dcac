import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  deleteConversation,
  pruneConversations,
  restoreConversation,
} from '../../../../src/agent/conversations/conversations.js';

import { acquireFileLock } from '../../../../src/platform/stores/fileLock.js';

const dayMs = 24 * 60 * 60 * 1000;
const noLimits = { maxCount: 0, maxAgeDays: 0 };

/** Deleted here, while another window has it open and goes on with it: that one writes it whole again. */
async function deletedAndGoneOn() {
  const root = await mkdtemp(join(tmpdir(), 'pi-mcp-deleted-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const folder = join(root, 'folder');
  await mkdir(join(folder, '2026_one.changes'), { recursive: true });
  await writeFile(join(folder, '2026_one.changes', 'changes.jsonl'), '');
  await mkdir(join(folder, '2026_one.results'));
  await writeFile(join(folder, '2026_one.results', 'one.gz'), '');
  const path = join(folder, '2026_one.jsonl');
  await writeFile(path, 'before\n');
  await deleteConversation(path);
  await writeFile(path, 'before\nsince\n');
  await writeFile(`${path}.queue`, 'waits');
  return { root, folder, path };
}

it('forgets what was deleted and went on in another window, and leaves what it is now', async () => {
  const { root, folder } = await deletedAndGoneOn();
  const later = { kept: new Set<string>(), now: Date.now() + 2 * dayMs };
  await pruneConversations(root, noLimits, later);
  const names = await readdir(folder);
  expect(names.sort()).toEqual([
    '2026_one.changes',
    '2026_one.jsonl',
    '2026_one.jsonl.queue',
    '2026_one.results',
  ]);
});

it('brings back no older conversation over one that went on in another window', async () => {
  const { path } = await deletedAndGoneOn();
  await restoreConversation(path);
  expect(await readFile(path, 'utf8')).toBe('before\nsince\n');
});

it('leaves one beyond the limits to the window that shows it, and removes it once that has closed', async () => {
  const { root, folder, path } = await deletedAndGoneOn();
  const lock = await acquireFileLock(`${path}.open`, { isKept: true });
  const limits = { maxCount: 0, maxAgeDays: 1 };
  const later = { kept: new Set<string>(), now: Date.now() + 2 * dayMs };
  await pruneConversations(root, limits, later);
  expect(await readFile(`${path}.queue`, 'utf8')).toBe('waits');
  expect(await readFile(path, 'utf8')).toBe('before\nsince\n');
  lock.release();
  await pruneConversations(root, limits, later);
  expect(await readdir(folder)).toEqual([]);
});
