/** What the page shows of what is under review. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ChangesSummary, uncoveredText } from '../../../../src/agent/changes/changesSummary.js';
import { SessionChanges } from '../../../../src/agent/changes/sessionChanges.js';
import { MemoryFiles } from '../../../helpers/fakes/memoryFiles.js';

it('shows files with counts, whether the last run can be undone, and what can be brought back', async () => {
  const root = await mkdtemp(join(tmpdir(), 'pi-mcp-summary-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const files = new MemoryFiles();
  const changes = new SessionChanges({ files, onError: (error) => expect.fail(String(error)) });
  await changes.open(join(root, 'one.jsonl'));
  const summary = new ChangesSummary(changes, '/w');
  onTestFinished(() => summary.dispose());
  const run = async (path: string, content: string | Buffer) => {
    changes.startRun();
    const journal = changes.journalOf(path);
    await journal.begin(path, await files.read(path));
    files.set(path, content);
    await journal.end(await files.read(path));
  };
  const shown = () => expect.poll(() => summary.view);
  files.set('/w/bytes', Buffer.from([0xff]));
  await run('/w/bytes', Buffer.from([0xfe]));
  await run('/w/a.txt', 'one\n');
  await shown().toMatchObject({
    files: [
      { path: 'bytes', added: 0, removed: 0, kind: 'edited', isOfLastRun: false },
      { path: 'a.txt', added: 1, removed: 0, kind: 'created', isOfLastRun: true },
    ],
    more: 0,
    canUndoRun: true,
  });
  await changes.keep(['/w/bytes']);
  await shown().toMatchObject({ files: [{ path: 'a.txt' }], canUndoRun: false });
  await changes.undo();
  await shown().toMatchObject({ files: [], undone: 1 });
  await changes.redo();
  await changes.keep();
  await shown().toBeUndefined();
  await changes.checkpoints.noteLeft('place');
  await shown().toMatchObject({ files: [], undone: 0, isConversationLeft: true });
});

it.each([
  [0, 0, undefined],
  [1, 0, 'Undo does not cover 1 command.'],
  [2, 1, 'Undo does not cover 2 commands, 1 MCP call.'],
])('says of %d commands and %d calls what an undo does not cover', (command, server, text) => {
  expect(uncoveredText({ command, server })).toBe(text);
});
