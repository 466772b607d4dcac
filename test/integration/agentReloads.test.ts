/** A page that is loaded again, a window that opens again, and two windows on the same file. */
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AgentPanel } from '../../src/agent/panel/agentPanel.js';
import type { TranscriptEntry } from '../../src/protocol/agentProtocol.js';
import { applyChanges } from '../../src/webview/agent/transcript/transcriptModel.js';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { demoServer } from '../helpers/fakes/demoServer.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harness = useAgentHarness();

/** A page that was loaded now. */
function openPage({ panel }: AgentHarness) {
  let entries: readonly TranscriptEntry[] = panel.snapshot().transcript;
  let isBroken = false;
  panel.onDidChangeEntries((changes) => {
    const next = applyChanges(entries, changes);
    entries = next.transcript;
    isBroken ||= next.isBroken;
  });
  return {
    get entries() {
      return entries;
    },
    get isBroken() {
      return isBroken;
    },
  };
}

it('shows a page that is loaded in the middle of an answer all of it', async () => {
  const h = await harness();
  await h.panel.prompt('Tell me a long story');
  const pages = [];
  for (const length of [1, 40, 200]) {
    await h.until(`${length} characters`, ({ transcript }) => {
      const last = transcript.at(-1);
      return last?.kind === 'assistant' && last.text.length >= length;
    });
    pages.push(openPage(h));
  }
  const { transcript } = await h.untilDone();
  for (const page of pages) {
    expect(page.entries).toEqual(transcript);
    expect(page.isBroken).toBe(false);
  }
});

it('shows a page that is loaded while an approval waits the question, and what came of it', async () => {
  const h = await harness({ servers: () => [demoServer()] });
  await h.panel.prompt('echo first');
  await h.untilAsked();
  const page = openPage(h);
  const { approvals } = h.panel.snapshot().state;
  expect(approvals).toHaveLength(1);
  expect(page.entries.at(-1)).toMatchObject({ kind: 'tool', status: 'awaiting_approval' });
  h.panel.decide(approvals[0]?.id ?? '', 'once');
  const { transcript } = await h.untilDone();
  expect(page.entries).toEqual(transcript);
});

const shown = ({ panel }: { readonly panel: AgentPanel }) => panel.snapshot().conversation;
const draftOf = ({ panel }: AgentHarness) => panel.snapshot().draft?.text;

it('has a draft for each conversation, over windows, and also when its conversation is closed', async () => {
  const h = await harness();
  await h.say('hello');
  const first = shown(h);
  await h.panel.keepDraft(first, { text: 'for the first', writtenAt: 1 });
  await h.panel.newSession();
  expect(draftOf(h)).toBeUndefined();
  const second = shown(h);
  await h.panel.keepDraft(second, { text: 'for the second', writtenAt: 1 });
  // what was on its way when the user went on
  await h.panel.keepDraft(first, { text: 'for the first, longer', writtenAt: 2 });
  expect((await h.reload()).draft?.text).toBe('for the second');
  // no request was made in it yet, and still it is the same one
  expect(shown(h)).toBe(second);
  await h.panel.library.open(first);
  expect(draftOf(h)).toBe('for the first, longer');
  await expect(h.panel.keepDraft('../elsewhere', { text: 'x', writtenAt: 3 })).rejects.toThrow();
});

it('starts anew when the conversation was deleted that was shown last, and leaves that as it is', async () => {
  const h = await harness();
  await h.say('hello');
  const id = shown(h);
  const folder = await h.conversationsDir();
  h.panel.dispose();
  await rename(join(folder, id), join(folder, `${id}.deleted`));
  expect((await h.reload()).transcript).toEqual([]);
  expect(shown(h)).not.toBe(id);
  await h.say('hello again');
  await h.panel.library.restore(id);
  await h.panel.library.open(id);
  expect(h.panel.snapshot().transcript[0]).toMatchObject({ text: 'hello' });
});

it('shows the last conversation again after a window that was closed while another one opened', async () => {
  const h = await harness();
  await h.say('hello');
  const first = shown(h);
  await h.panel.newSession();
  const second = shown(h);
  await h.reload();
  const folder = await h.conversationsDir();
  const opening = h.panel.library.open(first);
  while (!existsSync(join(folder, `${first}.open`))) {
    await new Promise(setImmediate);
  }
  h.panel.dispose();
  await opening;
  await h.reload();
  expect(shown(h)).toBe(second);
});

it('lets go of a conversation whose folder leaves the window while it opens', async () => {
  const h = await harness({ folderNames: ['app', 'other'] });
  await h.panel.ensureSession();
  const [app, other] = h.folders;
  const opening = h.panel.selectFolder(other?.uri ?? '');
  const root = join(h.root, 'storage', 'sessions');
  const opened = async () => {
    const names = await readdir(root, { recursive: true });
    return names.filter((name) => name.endsWith('.open')).length;
  };
  while ((await opened()) < 2) {
    await new Promise(setImmediate);
  }
  h.workspace.setFolders(app ? [app] : []);
  await opening;
  await h.panel.whenStarted();
  // a window that opens the folder gets the conversation, and no copy
  await expect.poll(opened).toBe(1);
});

it('starts the other conversations again for a change of trust where the file of one cannot be read any more', async () => {
  const h = await harness({ isTrusted: false });
  await h.say('hello');
  const damaged = shown(h);
  const tab = h.panel.openTab({ folder: h.panel.folder });
  try {
    await tab.ensureSession();
    const before = tab.snapshot().state.tools.builtIn;
    const folder = await h.conversationsDir();
    await writeFile(join(folder, damaged), 'no conversation\n');
    h.workspace.setTrusted(true);
    await h.panel.whenStarted();
    expect(tab.snapshot().state.tools.builtIn).toBeGreaterThan(before);
    expect(h.panel.snapshot().state.problem).toBeUndefined();
  } finally {
    tab.dispose();
  }
});

it('lets two conversations change one file at once, and takes back what each did alone', async () => {
  const h = await harness({ mode: 'runFreely' });
  const path = h.path('a.txt');
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  await writeFile(path, `${lines.join('\n')}\n`);
  const other = h.openSecondWindow();
  try {
    await h.panel.ensureSession();
    await other.ensureSession();
    const edit = (line: number) => {
      const edits = [{ oldText: `line ${line}\n`, newText: `LINE ${line}\n` }];
      return `call edit ${JSON.stringify({ path: 'a.txt', edits })}`;
    };
    await Promise.all([h.panel.prompt(edit(2)), other.prompt(edit(27))]);
    await h.untilDone();
    await expect.poll(() => other.snapshot().state.status).toBe('ready');
    const text = await readFile(path, 'utf8');
    for (const [panel, line] of [
      [h.panel, 'LINE 2'],
      [other, 'LINE 27'],
    ] as const) {
      const tool = panel.snapshot().transcript.find(({ kind }) => kind === 'tool');
      // who came too late is told so, and writes over nothing
      expect([line, text.includes(line)]).toEqual([
        line,
        tool?.kind === 'tool' && tool.status === 'done',
      ]);
    }
    expect(text).toMatch(/LINE/);
    await h.panel.shown?.builtInCalls.changes.undo();
    const left = await readFile(path, 'utf8');
    expect(left).not.toContain('LINE 2\n');
    expect(left.includes('LINE 27')).toBe(text.includes('LINE 27'));
  } finally {
    other.dispose();
  }
});

it('keeps the first message before there is an answer', async () => {
  const h = await harness({ servers: () => [demoServer()] });
  await h.panel.prompt('Tell me a long story');
  const folder = await h.conversationsDir();
  const file = join(folder, shown(h));
  await h.until('a message that is stored', () => existsSync(file));
  expect(await readFile(file, 'utf8')).toContain('Tell me a long story');
  const { transcript, state } = await h.reload();
  expect(transcript[0]).toMatchObject({ kind: 'user', text: 'Tell me a long story' });
  expect(transcript.at(-1)).toMatchObject({ kind: 'notice', level: 'info' });
  expect(state.queue.messages).toEqual([]);
});
