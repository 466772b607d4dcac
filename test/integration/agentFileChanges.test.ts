/** Files that the real Pi writes: what the user is asked, what the cards show. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { OpenEditors } from '../../src/agent/changes/ports.js';
import { pruneConversations } from '../../src/agent/conversations/conversations.js';
import { fileTextsOf } from '../../src/agent/panel/fileTexts.js';
import { Emitter } from '../../src/base/event.js';
import type { ChangesView, FileChangeView } from '../../src/protocol/fileChanges.js';
import type { AgentHarness, AgentHarnessOptions } from '../helpers/fakes/agentHarness.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const openHarness = useAgentHarness();

function call(tool: string, args: object): string {
  return `call ${tool} ${JSON.stringify(args)}`;
}

function lines(change: FileChangeView | undefined): readonly string[] {
  const signs = { same: ' ', added: '+', removed: '-' };
  return (change?.hunks ?? []).flat().map(({ kind, text }) => `${signs[kind]}${text}`);
}

it('asks about an edit with the lines that it changes, and shows them in its card', async () => {
  const harness = await openHarness();
  const path = harness.path('README.md');
  await writeFile(path, '# Sample\r\n\r\nOne\r\nTwo\r\n');
  await harness.panel.prompt(
    call('edit', { path: 'README.md', edits: [{ oldText: 'Two', newText: 'Three' }] }),
  );
  const { state } = await harness.untilAsked();
  const [approval] = state.approvals;
  expect(approval?.fileChange).toMatchObject({ kind: 'edit', path: 'README.md', added: 1 });
  expect(lines(approval?.fileChange)).toEqual([' # Sample', ' ', ' One', '-Two', '+Three']);
  await expect(
    fileTextsOf(harness.panel.shown, { approvalId: approval?.id }),
  ).resolves.toMatchObject({
    before: '# Sample\r\n\r\nOne\r\nTwo\r\n',
    after: '# Sample\r\n\r\nOne\r\nThree\r\n',
  });
  // the question changes nothing
  expect(await readFile(path, 'utf8')).toContain('Two');
  await harness.answer('once');
  const [entry] = harness.tools();
  expect(entry).toMatchObject({ status: 'done', args: '', change: { removed: 1, notes: [] } });
  expect(lines(entry?.change)).toEqual(lines(approval?.fileChange));
  await expect(
    fileTextsOf(harness.panel.shown, { callId: entry?.change?.callId }),
  ).resolves.toMatchObject({
    path,
  });
  expect(await readFile(path, 'utf8')).toBe('# Sample\r\n\r\nOne\r\nThree\r\n');
});

it('tells a new file from one that is overwritten', async () => {
  const harness = await openHarness();
  await writeFile(harness.path('old.txt'), 'one\ntwo\n');
  for (const [path, kind, shown] of [
    ['new.txt', 'create', ['+fresh']],
    ['old.txt', 'overwrite', ['-one', '-two', '+fresh']],
  ] as const) {
    await harness.panel.prompt(call('write', { path, content: 'fresh\n' }));
    const { state } = await harness.untilAsked();
    expect(state.approvals[0]?.fileChange?.kind).toBe(kind);
    expect(lines(state.approvals[0]?.fileChange)).toEqual(shown);
    await harness.answer('once');
    expect(harness.tools().at(-1)?.change).toMatchObject({ kind, path });
    expect(lines(harness.tools().at(-1)?.change)).toEqual(shown);
  }
});

it('shows what was wanted of a call that was denied or failed', async () => {
  const harness = await openHarness();
  await writeFile(harness.path('a.txt'), 'other\n');
  const edit = call('edit', { path: 'a.txt', edits: [{ oldText: 'one', newText: 'two' }] });
  await harness.panel.prompt(edit);
  const { state } = await harness.untilAsked();
  expect(lines(state.approvals[0]?.fileChange)).toEqual(['-one', '+two']);
  await harness.answer('deny');
  expect(harness.tools().at(-1)).toMatchObject({ status: 'denied', args: '' });
  expect(lines(harness.tools().at(-1)?.change)).toEqual(['-one', '+two']);
  harness.defaultMode.set('runFreely');
  await harness.say(edit);
  const failed = harness.tools().at(-1);
  expect(failed?.status).toBe('failed');
  expect(lines(failed?.change)).toEqual(['-one', '+two']);
  expect(JSON.stringify(failed?.result)).toContain('Could not find the exact text');
});

it('shows the same after the window was opened again', async () => {
  const harness = await openHarness();
  await writeFile(harness.path('a.txt'), 'one\ntwo\n');
  harness.defaultMode.set('runFreely');
  await harness.say(call('edit', { path: 'a.txt', edits: [{ oldText: 'two', newText: 'three' }] }));
  await harness.say(call('write', { path: 'b.txt', content: 'b\n' }));
  const before = harness.tools();
  await harness.reload();
  expect(harness.tools().map(({ change }) => change)).toEqual(before.map(({ change }) => change));
  expect(harness.tools()).toHaveLength(2);
});

it('asks about what the user made of the arguments with their lines', async () => {
  const harness = await openHarness();
  await harness.panel.prompt(call('write', { path: 'a.txt', content: 'one\n' }));
  const args = JSON.stringify({ path: 'a.txt', content: 'mine\n' });
  await harness.answer('once', args);
  expect(lines(harness.tools().at(-1)?.change)).toEqual(['+mine']);
  expect(await readFile(harness.path('a.txt'), 'utf8')).toBe('mine\n');
});

function edit(path: string, oldText: string, newText: string): string {
  return call('edit', { path, edits: [{ oldText, newText }] });
}

/** Without questions. */
const openFree = (options: AgentHarnessOptions = {}) =>
  openHarness({ mode: 'runFreely', ...options });

function changesOf({ panel }: AgentHarness) {
  const { shown: reviewed } = panel;
  if (!reviewed) {
    throw new Error('No conversation is open.');
  }
  return reviewed.builtInCalls.changes;
}

/** Names, counts and kinds of the bar. */
function untilBar(harness: AgentHarness, expected: readonly string[]) {
  const rows = ({ changes }: { readonly changes?: ChangesView }) =>
    (changes?.files ?? []).map(
      ({ path, added, removed, kind }) => `${path} +${added} -${removed} ${kind}`,
    );
  return harness.until(`the changes ${expected.join(', ')}`, ({ state }) => {
    return JSON.stringify(rows(state)) === JSON.stringify(expected);
  });
}

it('lists what is changed in all runs, and undoes the last run or everything', async () => {
  const harness = await openFree();
  await writeFile(harness.path('a.txt'), 'one\r\ntwo\r\nthree\r\n');
  await harness.say(edit('a.txt', 'two', 'TWO'));
  await harness.say(call('write', { path: 'deep/b.txt', content: 'b\n' }));
  const { state } = await untilBar(harness, ['a.txt +1 -1 edited', 'deep/b.txt +1 -0 created']);
  expect(state.changes).toMatchObject({ added: 2, removed: 1, canUndoRun: true, undone: 0 });
  const changes = changesOf(harness);
  await changes.undo({ run: changes.lastRun });
  const undone = await untilBar(harness, ['a.txt +1 -1 edited']);
  expect(undone.state.changes).toMatchObject({ undone: 1, canUndoRun: false });
  expect(existsSync(harness.path('deep/b.txt'))).toBe(false);
  await changes.redo();
  await untilBar(harness, ['a.txt +1 -1 edited', 'deep/b.txt +1 -0 created']);
  await changes.undo();
  await harness.until('no changes', (snapshot) => snapshot.state.changes?.files.length === 0);
  expect(await readFile(harness.path('a.txt'), 'utf8')).toBe('one\r\ntwo\r\nthree\r\n');
});

it('has it all again in the next window, and nothing of it after the conversation was deleted', async () => {
  const harness = await openFree();
  await writeFile(harness.path('a.txt'), 'one\n');
  await harness.say(edit('a.txt', 'one', 'two'));
  await harness.reload();
  await untilBar(harness, ['a.txt +1 -1 edited']);
  const [entry] = harness.tools();
  await expect(
    fileTextsOf(harness.panel.shown, { callId: entry?.change?.callId }),
  ).resolves.toMatchObject({
    before: 'one\n',
    after: 'two\n',
  });
  const file = changesOf(harness).state && (await conversationFile(harness));
  const stored = async () =>
    (await readdir(join(harness.root, 'storage'), { recursive: true })).filter((name) =>
      name.includes('.changes'),
    );
  expect((await stored()).length).toBeGreaterThan(2);
  harness.panel.dispose();
  const prune = () =>
    pruneConversations(join(harness.root, 'storage', 'sessions'), harness.limits, {
      kept: new Set(),
    });
  await rename(`${file}`, `${file}.deleted`);
  await prune();
  // it may be brought back
  expect((await stored()).length).toBeGreaterThan(2);
  await rm(`${file}.deleted`);
  await prune();
  expect(await stored()).toEqual([]);
});

async function conversationFile(harness: AgentHarness): Promise<string> {
  const sessions = join(harness.root, 'storage', 'sessions');
  const names = await readdir(sessions, { recursive: true });
  return join(
    sessions,
    names.find((name) => /[^/]\.jsonl$/.test(name) && !name.includes('.changes')) ?? '',
  );
}

it('names what commands changed as not covered, and no command that only reads', async () => {
  const harness = await openFree();
  await harness.say('run true');
  await harness.say('run touch made.txt');
  await harness.say(call('write', { path: 'a.txt', content: 'a\n' }));
  const { state } = await untilBar(harness, ['a.txt +1 -0 created']);
  expect(state.changes?.uncovered).toContain('not cover 1 command.');
});

it('keeps a change under review when the user kept it before the next one', async () => {
  const harness = await openFree();
  await writeFile(harness.path('a.txt'), 'one\ntwo\nthree\n');
  await harness.say(edit('a.txt', 'one', 'ONE'));
  await changesOf(harness).keep();
  await harness.say(edit('a.txt', 'three', 'THREE'));
  await untilBar(harness, ['a.txt +1 -1 edited']);
  await changesOf(harness).undo();
  expect(await readFile(harness.path('a.txt'), 'utf8')).toBe('ONE\ntwo\nthree\n');
});

it('says that a file which cannot be written was left as it is', async () => {
  const harness = await openFree();
  await mkdir(harness.path('sub'));
  await writeFile(harness.path('sub/a.txt'), 'old\n');
  await harness.say(edit('sub/a.txt', 'old', 'new'));
  // a folder in its place: the user who runs the tests may write read-only files
  await rename(harness.path('sub/a.txt'), harness.path('moved.txt'));
  await mkdir(harness.path('sub/a.txt'));
  const [outcome] = await changesOf(harness).undo({ isForced: true });
  expect(outcome?.result).toBe('impossible');
  expect(await readFile(harness.path('moved.txt'), 'utf8')).toBe('new\n');
});

it('keeps the mode of a file through an edit and its undo', async () => {
  const harness = await openFree();
  await writeFile(harness.path('a.sh'), 'old\n');
  await chmod(harness.path('a.sh'), 0o755);
  await harness.say(edit('a.sh', 'old', 'new'));
  await changesOf(harness).undo();
  const { mode } = await stat(harness.path('a.sh'));
  expect((mode & 0o777).toString(8)).toBe('755');
});

/** Editors that hold one file which is not saved, and save as they are told. */
function editorOf(path: () => string, text: string, format = (saved: string) => saved) {
  let unsaved: string | undefined = text;
  const trashed: string[] = [];
  const changes = new Emitter<string>();
  const editors: OpenEditors = {
    unsavedText: (asked) => (asked === path() ? unsaved : undefined),
    replaceAndSave: async (_path, next) => {
      unsaved = undefined;
      await writeFile(path(), format(next));
    },
    moveToTrash: async (gone) => {
      trashed.push(gone);
      await rm(gone);
    },
    onDidChange: changes.event,
    onDidMove: new Emitter<{ readonly from: string; readonly to: string }>().event,
  };
  /** As the user does it. */
  const type = (typed: string | undefined) => {
    unsaved = typed;
    changes.fire(path());
  };
  return { editors, trashed, type };
}

it('edits what an editor has not saved yet, and gives it back', async () => {
  let path = '';
  const { editors } = editorOf(() => path, 'one\nunsaved\n');
  const harness = await openFree({ editors });
  path = harness.path('a.txt');
  await writeFile(path, 'one\n');
  await harness.say(edit('a.txt', 'unsaved', 'edited'));
  expect(await readFile(path, 'utf8')).toBe('one\nedited\n');
  expect(harness.tools()[0]?.change?.notes.join()).toContain('unsaved changes');
  await changesOf(harness).undo();
  expect(await readFile(path, 'utf8')).toBe('one\nunsaved\n');
});

it.each(['on disk', 'in an editor'])(
  'keeps mark and line ends through an edit of several lines, %s',
  async (where) => {
    const before = '\uFEFFone\r\ntwo\r\nthree\r\n';
    let path = '';
    const { editors } = editorOf(() => path, before);
    const harness = await openFree(where === 'on disk' ? {} : { editors });
    path = harness.path('a.txt');
    await writeFile(path, where === 'on disk' ? before : 'saved');
    await harness.say(edit('a.txt', 'one\ntwo', 'ONE\nnew\ntwo'));
    expect(await readFile(path, 'utf8')).toBe('\uFEFFONE\r\nnew\r\ntwo\r\nthree\r\n');
    await changesOf(harness).undo();
    expect(await readFile(path, 'utf8')).toBe(before);
  },
);

it('has nothing to review of what the user undoes in the editor, and again what they redo there', async () => {
  let path = '';
  const { editors, type } = editorOf(() => path, 'one\nunsaved\n');
  const harness = await openFree({ editors });
  path = harness.path('a.txt');
  await writeFile(path, 'one\n');
  await harness.say(edit('a.txt', 'unsaved', 'edited'));
  await untilBar(harness, ['a.txt +1 -1 edited']);
  // not saved yet, then saved
  type('one\nunsaved\n');
  await untilBar(harness, []);
  type(undefined);
  await untilBar(harness, ['a.txt +1 -1 edited']);
  expect(await changesOf(harness).undo()).toMatchObject([{ result: 'undone' }]);
  expect(await readFile(path, 'utf8')).toBe('one\nunsaved\n');
});

it('knows what an editor makes of a file when it saves it, and tells the model', async () => {
  let path = '';
  const { editors } = editorOf(
    () => path,
    'let a = 1\n',
    (text) => text.replaceAll('\n', ';\n'),
  );
  const harness = await openFree({ editors });
  path = harness.path('a.js');
  await writeFile(path, '');
  await harness.say(edit('a.js', '1', '2'));
  expect(lines(harness.tools()[0]?.change)).toEqual(['-let a = 1', '+let a = 2;']);
  expect(JSON.stringify(harness.demo.requests.at(-1)?.messages)).toContain('Read it again');
  expect(await changesOf(harness).undo()).toMatchObject([{ result: 'undone' }]);
  expect(await readFile(path, 'utf8')).toBe('let a = 1\n');
});

it('moves a file that it made to the trash', async () => {
  const { editors, trashed } = editorOf(() => '', '');
  const harness = await openFree({ editors });
  await harness.say(call('write', { path: 'a.txt', content: 'a\n' }));
  await changesOf(harness).undo();
  expect(trashed).toEqual([harness.path('a.txt')]);
});
