/** Conversations whose files cannot be read for a moment, as while a scanner of viruses has them. */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import {
  KnownConversations,
  listConversations,
} from '../../../../src/agent/conversations/conversations.js';
import { ConversationLibrary } from '../../../../src/agent/panel/library.js';
import type { ShownSessions } from '../../../../src/agent/panel/shownSessions.js';

// else a file before it in the same worker has loaded what is put in place here
vi.hoisted(() => vi.resetModules());
const disk = vi.hoisted(() => ({ isBusy: false }));
vi.mock(import('../../../../src/platform/boundedFile.js'), async (load) => {
  const actual = await load();
  return {
    ...actual,
    readFileLines: (...request) => {
      if (disk.isBusy) {
        throw Object.assign(new Error('resource busy or locked'), { code: 'EBUSY' });
      }
      return actual.readFileLines(...request);
    },
  };
});

const lines = [
  { type: 'session', id: 's', cwd: '/app' },
  {
    type: 'message',
    id: 'm1',
    parentId: null,
    message: { role: 'user', content: [{ type: 'text', text: 'Find the leak' }] },
  },
];

async function storedConversation() {
  const directory = await mkdtemp(join(tmpdir(), 'pi-mcp-reads-'));
  onTestFinished(async () => {
    disk.isBusy = false;
    await rm(directory, { recursive: true, force: true });
  });
  const path = join(directory, '2026_one.jsonl');
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return { directory, path };
}

it('lists a conversation under its name again once its file can be read', async () => {
  const { directory } = await storedConversation();
  const known = new KnownConversations();
  const list = async () => await listConversations([{ directory, folder: '/app' }], known);
  disk.isBusy = true;
  expect(await list()).toEqual([]);
  disk.isBusy = false;
  expect(await list()).toMatchObject([{ title: 'Find the leak' }]);
});

it('finds what was said in a conversation again once its file can be read', async () => {
  const { directory, path } = await storedConversation();
  const sessions = { places: async () => [{ directory }] } as unknown as ShownSessions;
  const library = new ConversationLibrary(sessions, {} as never);
  const { mtimeMs: modifiedAt } = await stat(path);
  const textOf = async () => await library.textOf({ id: '2026_one.jsonl', title: '', modifiedAt });
  disk.isBusy = true;
  expect(await textOf()).toBe('');
  disk.isBusy = false;
  expect(await textOf()).toContain('Find the leak');
});
