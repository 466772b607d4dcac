/** Conversations that have tabs beside the one of the view, with the real Pi and the scripted model. */
import { expect, it } from 'vitest';
import type { AgentPanel } from '../../src/agent/panel/agentPanel.js';
import type { TabConversation } from '../../src/agent/panel/shownSessions.js';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harness = useAgentHarness();

/** Keeps what a panel asks of the tabs. */
function fakeTabs(inTabs: readonly string[] = []) {
  const revealed: string[] = [];
  const opened: (string | undefined)[] = [];
  const tabs = {
    reveal: (id: string) => {
      if (inTabs.includes(id)) {
        revealed.push(id);
      }
      return inTabs.includes(id);
    },
    open: (_folder: string, id: string | undefined) => {
      opened.push(id);
      return Promise.resolve();
    },
  };
  return { tabs, revealed, opened };
}

async function openTab(
  { panel, folders: [folder] }: AgentHarness,
  conversation: Partial<TabConversation> = {},
): Promise<AgentPanel> {
  const tab = panel.openTab({ folder: folder?.uri ?? '', ...conversation });
  await tab.ensureSession();
  return tab;
}

const textsOf = (panel: AgentPanel) =>
  panel.snapshot().transcript.flatMap((entry) => (entry.kind === 'user' ? entry.text : []));

async function ask(panel: AgentPanel, text: string): Promise<string> {
  await panel.prompt(text);
  const isAnswered = () => {
    const { state, transcript } = panel.snapshot();
    return (
      state.status === 'ready' &&
      transcript.some((entry) => entry.kind === 'assistant' && !entry.isStreaming)
    );
  };
  await expect.poll(isAnswered).toBe(true);
  return panel.conversation ?? '';
}

it('shows two conversations at once, each with its own messages, queue and title', async () => {
  const h = await harness();
  const first = await ask(h.panel, 'hello');
  const tab = await openTab(h);
  const second = await ask(tab, 'what can you do?');
  expect(second).not.toBe(first);
  expect([h.panel, tab].map(textsOf)).toEqual([['hello'], ['what can you do?']]);
  expect([h.panel, tab].map((panel) => panel.snapshot().state.title)).toEqual([
    'hello',
    'what can you do?',
  ]);
  await ask(h.panel, 'hello again');
  expect(textsOf(tab)).toEqual(['what can you do?']);
  expect(tab.snapshot().state.folders).toEqual([]);
  tab.dispose();
});

it('takes over the conversation of the view, with its draft, and leaves it to the view', async () => {
  const h = await harness();
  const id = await ask(h.panel, 'hello');
  await h.panel.keepDraft(id, { text: 'half a sentence', writtenAt: 1 });
  const tab = await openTab(h, { id });
  expect(tab.snapshot()).toMatchObject({ conversation: id, draft: { text: 'half a sentence' } });
  await ask(tab, 'hello again');
  tab.dispose();
  expect(textsOf(h.panel)).toEqual(['hello', 'hello again']);
});

it('opens a conversation once that both its tab and the view bring back', async () => {
  const h = await harness();
  const id = await ask(h.panel, 'hello');
  h.panel.dispose();
  const view = h.openSecondWindow();
  const [folder] = h.folders;
  const tab = view.openTab({ folder: folder?.uri ?? '', id, isBegun: true });
  await tab.ensureSession();
  await view.ensureSession();
  expect([view.conversation, tab.conversation]).toEqual([id, id]);
  expect(view.snapshot().transcript.filter(({ kind }) => kind === 'notice')).toEqual([]);
  tab.dispose();
  view.dispose();
});

it('goes on in a tab that a reload brings back, and says so when it was deleted', async () => {
  const h = await harness();
  await h.panel.ensureSession();
  const tab = await openTab(h);
  const id = await ask(tab, 'what can you do?');
  tab.dispose();
  await h.reload();
  const again = await openTab(h, { id, isBegun: true });
  expect(textsOf(again)).toEqual(['what can you do?']);
  expect(h.panel.conversation).not.toBe(id);

  await again.library.delete(id);
  const gone = {
    status: 'unavailable',
    problem: { message: 'This conversation is not there any more.', actions: ['newConversation'] },
  };
  expect(again.snapshot().state).toMatchObject(gone);
  await expect(again.prompt('are you there?')).rejects.toThrow('is not there any more');
  again.dispose();

  await h.reload();
  const late = await openTab(h, { id, isBegun: true });
  expect(late.snapshot()).toMatchObject({ conversation: id, state: gone, transcript: [] });
  await h.panel.library.restore(id);
  await late.reloadModels();
  expect(textsOf(late)).toEqual(['what can you do?']);
  late.dispose();
});

it('keeps the draft of a tab in which nothing was said yet', async () => {
  const h = await harness();
  await h.panel.ensureSession();
  const tab = await openTab(h);
  const id = tab.conversation ?? '';
  await tab.keepDraft(id, { text: 'not yet', writtenAt: 1 });
  tab.dispose();
  await h.reload();
  const again = await openTab(h, { id, isBegun: false });
  expect(again.snapshot()).toMatchObject({ conversation: id, draft: { text: 'not yet' } });
  expect(again.snapshot().state.problem).toBeUndefined();
  again.dispose();
});

it('leads from the view to the tab of a conversation, and from a tab to another one', async () => {
  const inTabs: string[] = [];
  const { tabs, revealed, opened } = fakeTabs(inTabs);
  const h = await harness({ tabs });
  await h.panel.ensureSession();
  const tab = await openTab(h);
  const id = await ask(tab, 'what can you do?');
  inTabs.push(id);
  const shown = h.panel.conversation;
  await h.panel.library.open(id);
  expect(revealed).toEqual([id]);
  expect(h.panel.conversation).toBe(shown);

  await tab.newSession();
  await tab.library.fork(id);
  expect(opened).toEqual([undefined, expect.stringMatching(/\.jsonl$/)]);
  expect(tab.conversation).toBe(id);
  tab.dispose();
});

it('lets the view go on with a new conversation when its own is deleted in a tab', async () => {
  const h = await harness();
  const id = await ask(h.panel, 'hello');
  const tab = await openTab(h, { id });
  await tab.library.delete(id);
  const { state, conversation } = await h.until(
    'another one',
    (one) => one.conversation !== id && one.state.status === 'ready',
  );
  expect(state.title).toBeUndefined();
  expect(conversation).not.toBe('');
  expect(tab.snapshot().state.status).toBe('unavailable');
  tab.dispose();
});

it('comes back in view and tab when the folder is trusted', async () => {
  const h = await harness({ isTrusted: false });
  const first = await ask(h.panel, 'hello');
  const tab = await openTab(h);
  const second = await ask(tab, 'what can you do?');
  h.workspace.setTrusted(true);
  await h.until(
    'no Restricted Mode',
    ({ state }) => !state.isRestricted && state.status === 'ready',
  );
  await expect.poll(() => [h.panel.conversation, tab.conversation]).toEqual([first, second]);
  await expect.poll(() => [h.panel, tab].map(textsOf)).toEqual([['hello'], ['what can you do?']]);
  await ask(tab, 'hello again');
  tab.dispose();
});
