/** Conversations and their files taken back to an earlier message, with the real Pi and real files. */
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { OpenEditors } from '../../src/agent/changes/ports.js';
import { Emitter } from '../../src/base/event.js';
import type { AgentSnapshot } from '../../src/protocol/agentProtocol.js';
import type { AgentHarness, AgentHarnessOptions } from '../helpers/fakes/agentHarness.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const openHarness = useAgentHarness();

/** Without questions. */
const openFree = (options: AgentHarnessOptions = {}) =>
  openHarness({ mode: 'runFreely', ...options });

const text = (h: AgentHarness, name: string) => readFile(h.path(name), 'utf8');
const write = (path: string, content: string) => `call write ${JSON.stringify({ path, content })}`;
const edit = (path: string, oldText: string, newText: string) =>
  `call edit ${JSON.stringify({ path, edits: [{ oldText, newText }] })}`;

const users = ({ transcript }: AgentSnapshot) =>
  transcript.filter((entry) => entry.kind === 'user');
const idOf = (h: AgentHarness, said: string): string =>
  users(h.panel.snapshot()).findLast((entry) => entry.text === said)?.message?.id ?? '';

/** What the user sees before anything is done. */
async function preview(h: AgentHarness, id: string): Promise<readonly string[]> {
  await h.panel.restoring.show(id);
  return (h.panel.restoring.view?.files ?? []).map(
    ({ path, becomes, added, removed, isChosen }) =>
      `${isChosen ? '[x]' : '[ ]'} ${path} ${becomes} +${added} -${removed}`,
  );
}

async function restore(
  h: AgentHarness,
  parts: { readonly files?: boolean; readonly conversation?: boolean },
  restored: readonly string[] = [],
) {
  const { files = false, conversation = false } = parts;
  const stamp = h.panel.restoring.view?.stamp ?? '';
  return await h.panel.restoring.restore({ stamp, files, conversation, restored, left: [] });
}

async function redo(h: AgentHarness): Promise<void> {
  await h.panel.restoring.redoConversation();
  await h.panel.shown?.builtInCalls.changes.redo();
}

it('takes files and conversation back to before a message, and both forth again', async () => {
  const h = await openFree();
  await writeFile(h.path('a.txt'), '\uFEFFone\r\ntwo\r\n');
  const second = edit('a.txt', 'ONE', 'Uno');
  await h.say(edit('a.txt', 'one', 'ONE'), second, write('deep/b.txt', 'b\n'));
  const all = h.said();
  const id = idOf(h, second);
  expect(await preview(h, id)).toEqual(['[x] a.txt changed +1 -1', '[x] deep/b.txt deleted +0 -1']);
  expect(h.panel.snapshot().state.restore).toMatchObject({ parts: ['files', 'conversation'] });
  // to look changes nothing
  expect(await text(h, 'a.txt')).toBe('\uFEFFUno\r\ntwo\r\n');
  expect(await restore(h, { files: true, conversation: true })).toEqual({ draft: second });
  expect(await text(h, 'a.txt')).toBe('\uFEFFONE\r\ntwo\r\n');
  expect(existsSync(h.path('deep/b.txt'))).toBe(false);
  expect(h.said()).toEqual(all.slice(0, 1));
  const { state } = await h.until('a redo', (one) => one.state.changes?.undone === 2);
  expect(state.changes?.isConversationLeft).toBe(true);
  expect(state.changes?.files.map(({ path }) => path)).toEqual(['a.txt']);
  expect(state.restore).toBeUndefined();
  await redo(h);
  expect(await text(h, 'a.txt')).toBe('\uFEFFUno\r\ntwo\r\n');
  expect(await text(h, 'deep/b.txt')).toBe('b\n');
  expect(h.said()).toEqual(all);
});

it('takes the files back alone, or the conversation alone', async () => {
  const h = await openFree();
  const first = write('a.txt', 'one\n');
  const second = write('a.txt', 'two\n');
  await h.say(first, second);
  expect(await preview(h, idOf(h, second))).toEqual(['[x] a.txt changed +1 -1']);
  await restore(h, { files: true });
  expect([await text(h, 'a.txt'), h.said()]).toEqual(['one\n', [first, second]]);
  await redo(h);
  await preview(h, idOf(h, second));
  await restore(h, { conversation: true });
  expect([await text(h, 'a.txt'), h.said()]).toEqual(['two\n', [first]]);
  // the files of a message that is not shown any more can be taken back, too
  const { choices } = h.panel.restoring;
  expect(choices.map(({ kind }) => kind)).toEqual(['redo', 'restore', 'message', 'message']);
  const [, , left] = choices;
  await preview(h, left?.id ?? '');
  await restore(h, { files: true });
  expect(await text(h, 'a.txt')).toBe('one\n');
});

it('goes on after a restore in another branch, and the first one keeps its files for a restore', async () => {
  const h = await openFree();
  const second = write('a.txt', 'two\n');
  await h.say(write('a.txt', 'one\n'), second);
  const id = idOf(h, second);
  await preview(h, id);
  await restore(h, { files: true, conversation: true });
  const other = write('a.txt', 'other\n');
  await h.say(other);
  await h.until(
    'nothing is left to go back to',
    () => h.panel.snapshot().state.changes?.isConversationLeft === undefined,
  );
  await h.panel.messages.showBranch(idOf(h, other), 'previous');
  expect(h.said().at(-1)).toBe(second);
  expect(await text(h, 'a.txt')).toBe('other\n');
  const [snapshot] = h.panel.restoring.choices.filter(({ kind }) => kind === 'restore');
  await preview(h, snapshot?.id ?? '');
  await restore(h, { files: true });
  expect(await text(h, 'a.txt')).toBe('two\n');
});

it('has everything again in the next window', async () => {
  const h = await openFree();
  const second = write('a.txt', 'two\n');
  await h.say(write('a.txt', 'one\n'), second);
  await h.reload();
  const [listed] = await h.panel.library.list();
  expect(listed).toMatchObject({ changedFiles: 1, keptBytes: expect.any(Number) });
  expect(listed?.keptBytes).toBeGreaterThan(0);
  expect(await preview(h, idOf(h, second))).toEqual(['[x] a.txt changed +1 -1']);
  expect(h.panel.restoring.view?.notes.join()).toContain(
    'Kept for restores of this conversation: 1 KB.',
  );
  await restore(h, { files: true, conversation: true });
  await h.reload();
  expect(h.said()).toHaveLength(1);
  await redo(h);
  expect([await text(h, 'a.txt'), h.said().at(-1)]).toEqual(['two\n', second]);
});

it('shows what it would do once more when the files are others by then', async () => {
  const h = await openFree();
  const message = write('a.txt', 'one\ntwo\nthree\n');
  await writeFile(h.path('a.txt'), 'old\ntwo\nthree\n');
  await h.say(message);
  await preview(h, idOf(h, message));
  await writeFile(h.path('a.txt'), 'one\ntwo\nthree\nmine\n');
  expect(await restore(h, { files: true, conversation: true })).toBeUndefined();
  expect(h.said()).toEqual([message]);
  const view = h.panel.restoring.view;
  expect(view).toMatchObject({ isChanged: true });
  expect(view?.files[0]?.remarks.join()).toContain('stays');
  expect(await restore(h, { files: true, conversation: true })).toBeDefined();
  expect(await text(h, 'a.txt')).toBe('old\ntwo\nthree\nmine\n');
});

it('leaves what others changed in the same lines unless it is chosen, and names what is not covered', async () => {
  const h = await openFree();
  await writeFile(h.path('a.txt'), 'old\n');
  const message = edit('a.txt', 'old', 'new');
  await h.say(message, 'run touch other.txt');
  await writeFile(h.path('a.txt'), 'new and mine\n');
  expect(await preview(h, idOf(h, message))).toEqual(['[ ] a.txt changed +1 -1']);
  expect(h.panel.restoring.view?.notes.join()).toContain('not cover 1 command.');
  await restore(h, { files: true });
  expect(await text(h, 'a.txt')).toBe('new and mine\n');
  await preview(h, idOf(h, message));
  await restore(h, { files: true }, [h.path('a.txt')]);
  expect(await text(h, 'a.txt')).toBe('old\n');
  await redo(h);
  expect(await text(h, 'a.txt')).toBe('new and mine\n');
});

it('stops what runs before it restores', async () => {
  const h = await openFree();
  const first = write('a.txt', 'one\n');
  await h.say(first);
  h.defaultMode.set('ask');
  await h.panel.prompt(write('a.txt', 'two\n'));
  await h.untilAsked();
  expect(await preview(h, idOf(h, first))).toEqual(['[x] a.txt deleted +0 -1']);
  expect(await restore(h, { files: true, conversation: true })).toEqual({ draft: first });
  await h.untilDone();
  expect(h.said()).toEqual([]);
  expect(existsSync(h.path('a.txt'))).toBe(false);
});

it('says which file it left, and why, and restores the others', async () => {
  const editors = new SavedNowhere();
  const h = await openFree({ editors });
  const message = write('a.txt', 'one\n');
  await writeFile(h.path('a.txt'), 'old\n');
  await writeFile(h.path('b.txt'), 'old\n');
  await h.say(message, write('b.txt', 'one\n'));
  editors.unsaved.set(h.path('a.txt'), 'one\nunsaved\n');
  await preview(h, idOf(h, message));
  const [file] = h.panel.restoring.view?.files ?? [];
  expect(file?.remarks.join()).toContain('unsaved changes');
  const failure = restore(h, { files: true });
  await expect(failure).rejects.toThrow('a.txt was left as it is');
  expect([await text(h, 'a.txt'), await text(h, 'b.txt')]).toEqual(['one\n', 'old\n']);
});

it('restores a file that an editor has not saved, and saves it', async () => {
  const editors = new SavedNowhere();
  const replaceAndSave = async (path: string, next: string) => {
    editors.unsaved.delete(path);
    await writeFile(path, next);
  };
  const h = await openFree({ editors: Object.assign(editors, { replaceAndSave }) });
  await writeFile(h.path('a.txt'), 'old\ntwo\nthree\nfour\n');
  const message = edit('a.txt', 'old', 'new');
  await h.say(message);
  editors.unsaved.set(h.path('a.txt'), 'new\ntwo\nthree\nfour unsaved\n');
  expect(await preview(h, idOf(h, message))).toEqual(['[x] a.txt changed +1 -1']);
  const [file] = h.panel.restoring.view?.files ?? [];
  expect(file?.remarks.join()).toContain('Your unsaved changes are saved too.');
  await restore(h, { files: true });
  expect(await text(h, 'a.txt')).toBe('old\ntwo\nthree\nfour unsaved\n');
});

it('follows a folder that the user renamed', async () => {
  const editors = new SavedNowhere();
  const h = await openFree({ editors });
  const message = write('dir/a.txt', 'one\n');
  await h.say(write('dir/a.txt', 'zero\n'), message);
  await rename(h.path('dir'), h.path('other'));
  editors.moves.fire({ from: h.path('dir'), to: h.path('other') });
  expect(await preview(h, idOf(h, message))).toEqual([
    `[x] ${join('other', 'a.txt')} changed +1 -1`,
  ]);
  await restore(h, { files: true });
  expect(await text(h, 'other/a.txt')).toBe('zero\n');
});

it('takes back the first message', async () => {
  const h = await openFree();
  const first = write('a.txt', 'one\n');
  await h.say(first);
  await preview(h, idOf(h, first));
  await restore(h, { files: true, conversation: true });
  expect(h.said()).toEqual([]);
  await h.say('something else');
  expect(h.said()).toEqual(['something else']);
});

/** Editors in which saving fails. */
class SavedNowhere implements OpenEditors {
  readonly unsaved = new Map<string, string>();
  readonly moves = new Emitter<{ readonly from: string; readonly to: string }>();
  readonly onDidMove = this.moves.event;
  readonly onDidChange = new Emitter<string>().event;
  unsavedText = (path: string) => this.unsaved.get(path);
  replaceAndSave = (_path: string, _next: string): Promise<void> =>
    Promise.reject(new Error('The editor did not save it.'));
  moveToTrash = () => Promise.reject(new Error('There is no trash.'));
}
