/** Files that the real Pi writes: what the user is asked, what the cards show. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { FileChangeView } from '../../src/protocol/fileChanges.js';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const openHarness = useAgentHarness();

function pathIn(harness: AgentHarness, name: string): string {
  return join(harness.folders[0]?.fsPath ?? '', name);
}

function call(tool: string, args: object): string {
  return `call ${tool} ${JSON.stringify(args)}`;
}

function lines(change: FileChangeView | undefined): readonly string[] {
  const signs = { same: ' ', added: '+', removed: '-' };
  return (change?.hunks ?? []).flat().map(({ kind, text }) => `${signs[kind]}${text}`);
}

it('asks about an edit with the lines that it changes, and shows them in its card', async () => {
  const harness = await openHarness();
  const path = pathIn(harness, 'README.md');
  await writeFile(path, '# Sample\r\n\r\nOne\r\nTwo\r\n');
  await harness.panel.prompt(
    call('edit', { path: 'README.md', edits: [{ oldText: 'Two', newText: 'Three' }] }),
  );
  const { state } = await harness.untilAsked();
  const [approval] = state.approvals;
  expect(approval?.fileChange).toMatchObject({ kind: 'edit', path: 'README.md', added: 1 });
  expect(lines(approval?.fileChange)).toEqual([' # Sample', ' ', ' One', '-Two', '+Three']);
  expect(harness.panel.fileTexts({ approvalId: approval?.id })).toMatchObject({
    before: '# Sample\r\n\r\nOne\r\nTwo\r\n',
    after: '# Sample\r\n\r\nOne\r\nThree\r\n',
  });
  // the question changes nothing
  expect(await readFile(path, 'utf8')).toContain('Two');
  harness.panel.decide(approval?.id ?? '', 'once');
  await harness.untilDone();
  const [entry] = harness.tools();
  expect(entry).toMatchObject({ status: 'done', args: '', change: { removed: 1, notes: [] } });
  expect(lines(entry?.change)).toEqual(lines(approval?.fileChange));
  expect(harness.panel.fileTexts({ callId: entry?.change?.callId })).toMatchObject({ path });
  expect(await readFile(path, 'utf8')).toBe('# Sample\r\n\r\nOne\r\nThree\r\n');
});

it('tells a new file from one that is overwritten', async () => {
  const harness = await openHarness();
  await writeFile(pathIn(harness, 'old.txt'), 'one\ntwo\n');
  for (const [path, kind, shown] of [
    ['new.txt', 'create', ['+fresh']],
    ['old.txt', 'overwrite', ['-one', '-two', '+fresh']],
  ] as const) {
    await harness.panel.prompt(call('write', { path, content: 'fresh\n' }));
    const { state } = await harness.untilAsked();
    expect(state.approvals[0]?.fileChange?.kind).toBe(kind);
    expect(lines(state.approvals[0]?.fileChange)).toEqual(shown);
    harness.panel.decide(state.approvals[0]?.id ?? '', 'once');
    await harness.untilDone();
    expect(harness.tools().at(-1)?.change).toMatchObject({ kind, path });
    expect(lines(harness.tools().at(-1)?.change)).toEqual(shown);
  }
});

it('shows what was wanted of a call that was denied or failed', async () => {
  const harness = await openHarness();
  await writeFile(pathIn(harness, 'a.txt'), 'other\n');
  const edit = call('edit', { path: 'a.txt', edits: [{ oldText: 'one', newText: 'two' }] });
  await harness.panel.prompt(edit);
  const { state } = await harness.untilAsked();
  expect(lines(state.approvals[0]?.fileChange)).toEqual(['-one', '+two']);
  harness.panel.decide(state.approvals[0]?.id ?? '', 'deny');
  await harness.untilDone();
  expect(harness.tools().at(-1)).toMatchObject({ status: 'denied', args: '' });
  expect(lines(harness.tools().at(-1)?.change)).toEqual(['-one', '+two']);
  harness.yolo.set(true);
  await harness.panel.prompt(edit);
  await harness.untilDone();
  const failed = harness.tools().at(-1);
  expect(failed?.status).toBe('failed');
  expect(lines(failed?.change)).toEqual(['-one', '+two']);
  expect(JSON.stringify(failed?.result)).toContain('Could not find the exact text');
});

it('shows the same after the window was opened again', async () => {
  const harness = await openHarness();
  await writeFile(pathIn(harness, 'a.txt'), 'one\ntwo\n');
  harness.yolo.set(true);
  await harness.panel.prompt(
    call('edit', { path: 'a.txt', edits: [{ oldText: 'two', newText: 'three' }] }),
  );
  await harness.untilDone();
  await harness.panel.prompt(call('write', { path: 'b.txt', content: 'b\n' }));
  await harness.untilDone();
  const before = harness.tools();
  await harness.reload();
  expect(harness.tools().map(({ change }) => change)).toEqual(before.map(({ change }) => change));
  expect(harness.tools()).toHaveLength(2);
});

it('asks about what the user made of the arguments with their lines', async () => {
  const harness = await openHarness();
  await harness.panel.prompt(call('write', { path: 'a.txt', content: 'one\n' }));
  const { state } = await harness.untilAsked();
  const args = JSON.stringify({ path: 'a.txt', content: 'mine\n' });
  harness.panel.decide(state.approvals[0]?.id ?? '', 'once', args);
  await harness.untilDone();
  expect(lines(harness.tools().at(-1)?.change)).toEqual(['+mine']);
  expect(await readFile(pathIn(harness, 'a.txt'), 'utf8')).toBe('mine\n');
});
