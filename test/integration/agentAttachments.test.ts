/** What is attached to messages, over the real Pi and the scripted model: what reaches the model, and what outlives a window. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { pruneConversations } from '../../src/agent/conversations/conversations.js';
import type { Attachment } from '../../src/agent/panel/attachments/attachment.js';
import { editedKey } from '../../src/agent/panel/attachments/editedAttachments.js';
import { changeAttached } from '../../src/agent/session/composePrompt.js';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { attachingPanel } from '../helpers/fakes/attachingPanel.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';
import { redPixel } from '../helpers/pages/states/agent.mjs';

const harness = useAgentHarness();

const image: Attachment = { kind: 'image', name: 'red.png', mimeType: 'image/png', data: redPixel };
const pasted: Attachment = {
  kind: 'text',
  what: 'pasted',
  name: 'Pasted text, 120 lines',
  text: 'line 119',
};
const fileOf = (h: AgentHarness, path: string): Attachment => ({
  kind: 'file',
  folder: h.folders[0]?.uri ?? '',
  name: path,
  path,
});
const lastMessage = (h: AgentHarness) => JSON.stringify(h.demo.requests.at(-1)?.messages.at(-1));
const lastAsked = (h: AgentHarness) =>
  h.panel.snapshot().transcript.findLast((entry) => entry.kind === 'user');
const labels = (h: AgentHarness) => lastAsked(h)?.attachments?.map(({ label }) => label);

async function withFile(h: AgentHarness, text: string): Promise<void> {
  await writeFile(h.path('my file#1.ts'), text);
}

it('sends files as they are when they are sent, texts as they were, and pictures as pictures', async () => {
  const h = await harness();
  const { attachments, send } = await attachingPanel(h);
  await withFile(h, 'first version');
  await attachments.add(fileOf(h, 'my file#1.ts'));
  await attachments.add(pasted);
  await attachments.add(image);
  await withFile(h, 'second version');
  await send('hello, look');
  await h.untilDone();
  const told = lastMessage(h);
  expect(told).toContain('second version');
  expect(told).toContain('my file#1.ts');
  expect(told).toContain('line 119');
  expect(told).toContain('data:image/png;base64,');
  expect(lastAsked(h)?.text).toBe('hello, look');
  expect(labels(h)).toEqual(['my file#1.ts', 'Pasted text, 120 lines', 'Image']);
  expect(attachments.list).toEqual([]);
});

it('keeps chips and pictures through the queue, another window, an edit and a fork', async () => {
  const h = await harness();
  const before = await attachingPanel(h);
  await h.startStory();
  await before.attachments.add(pasted);
  await before.attachments.add(image);
  await before.send('hello queue', 'after');
  const [waiting] = h.panel.snapshot().state.queue.messages;
  expect(waiting?.attachments.map(({ kind, isImage }) => kind ?? isImage)).toEqual([
    'pasted',
    true,
  ]);
  expect(h.panel.queue?.imagesOf(waiting?.id ?? '')).toMatchObject([{ data: redPixel }]);
  await h.panel.stop();
  await before.attachments.add(fileOf(h, 'my file#1.ts'));
  await before.attachments.add(image);

  await h.reload();
  const after = await attachingPanel(h);
  expect(after.attachments.list.map(({ what }) => what)).toEqual([
    fileOf(h, 'my file#1.ts'),
    image,
  ]);
  h.panel.queue?.resume();
  await h.until('it was sent', ({ state }) => state.queue.messages.length === 0);
  await h.untilDone();
  expect(lastMessage(h)).toContain('data:image/png;base64,');
  expect(labels(h)).toEqual(['Pasted text, 120 lines', 'Image']);

  const asked = lastAsked(h);
  const id = asked?.kind === 'user' ? (asked.message?.id ?? '') : '';
  expect(h.panel.messages.imagesOf(id)).toHaveLength(1);
  await h.panel.messages.resend(id, {
    words: 'hello again',
    body: { text: 'hello again', images: [] },
  });
  await h.untilDone();
  expect(lastMessage(h)).toContain('line 119');
  expect(lastMessage(h)).toContain('data:image/png;base64,');
  expect(labels(h)).toEqual(['Pasted text, 120 lines', 'Image']);

  await h.panel.library.fork(h.panel.snapshot().conversation);
  expect(labels(h)).toEqual(['Pasted text, 120 lines', 'Image']);
  const copy = lastAsked(h);
  const copyId = copy?.kind === 'user' ? (copy.message?.id ?? '') : '';
  await h.panel.messages.resend(copyId);
  await h.untilDone();
  expect(lastMessage(h)).toContain('data:image/png;base64,');
});

it('sends a picture without a word, and nothing where there is neither', async () => {
  const h = await harness();
  const { attachments, send } = await attachingPanel(h);
  await send(' ');
  expect(h.demo.requests).toEqual([]);
  await attachments.add(image);
  await send('');
  await h.untilDone();
  const content = h.demo.requests.at(-1)?.messages.at(-1)?.content;
  expect(Array.isArray(content) && content.map(({ type }) => type)).toEqual(['image_url']);
  expect(lastAsked(h)).toMatchObject({ text: '', attachments: [{ isImage: true }] });
});

it('takes out of a sent message what the user removes, and puts in what they attach', async () => {
  const h = await harness();
  const { attachments, edited, inputs, send } = await attachingPanel(h);
  await withFile(h, 'of the file');
  await attachments.add(pasted);
  await attachments.add(fileOf(h, 'my file#1.ts'));
  await attachments.add(image);
  await send('hello');
  await h.untilDone();
  const asked = lastAsked(h);
  const id = asked?.kind === 'user' ? (asked.message?.id ?? '') : '';
  const key = editedKey('message', id);
  await edited.of(key).add({ ...pasted, name: 'Pasted text, 7 lines', text: 'put in' });
  expect(inputs.view.edited).toMatchObject([
    { key, attachments: [{ label: 'Pasted text, 7 lines' }] },
  ]);
  const change = await inputs.composeChange(key, [0, 2]);
  inputs.endChange(key);
  expect(inputs.view.edited).toEqual([]);
  await h.panel.messages.resend(id, {
    words: 'hello again',
    body: { text: 'hello again', images: [] },
    attached: change,
  });
  await h.untilDone();
  const told = lastMessage(h);
  expect(told).toContain('of the file');
  expect(told).toContain('put in');
  expect(told).not.toContain('line 119');
  expect(told).not.toContain('data:image/png;base64,');
  expect(labels(h)).toEqual(['my file#1.ts', 'Pasted text, 7 lines']);
});

it('does the same for a message that waits, also over another window', async () => {
  const h = await harness();
  const { attachments, edited, inputs, send } = await attachingPanel(h);
  await h.startStory();
  await attachments.add(pasted);
  await send('hello queue', 'after');
  const { queue } = h.panel;
  const id = h.panel.snapshot().state.queue.messages[0]?.id ?? '';
  const key = editedKey('queue', id);
  await edited.of(key).add(image);
  queue?.hold(id);
  const before = queue?.attachedOf(id) ?? { text: '', images: [] };
  const change = changeAttached(before, await inputs.composeChange(key, [0]));
  queue?.edit(id, 'hello queue', { text: 'hello queue', images: [] }, change);
  expect(h.panel.snapshot().state.queue.messages[0]?.attachments).toMatchObject([
    { isImage: true },
  ]);
  await h.panel.stop();
  await h.reload();
  await attachingPanel(h);
  expect(h.panel.snapshot().state.queue.messages[0]?.attachments).toMatchObject([
    { isImage: true },
  ]);
  h.panel.queue?.resume();
  await h.until('it was sent', ({ state }) => state.queue.messages.length === 0);
  await h.untilDone();
  expect(lastMessage(h)).toContain('data:image/png;base64,');
  expect(lastMessage(h)).not.toContain('line 119');
});

it('says that the model cannot see, and sends nothing', async () => {
  const h = await harness();
  const seeing = await readFile(h.modelsPath, 'utf8');
  const blind = JSON.parse(seeing, (key, value) =>
    key === 'input' && Array.isArray(value) ? ['text'] : value,
  );
  await writeFile(h.modelsPath, JSON.stringify(blind));
  const { attachments, inputs, send } = await attachingPanel(h);
  expect(() => inputs.assertSeesImages()).toThrow('cannot see images');
  // attached for a model that saw
  await attachments.add(image);
  await expect(send('look')).rejects.toThrow('cannot see images');
  expect(h.demo.requests).toEqual([]);
  expect(attachments.list).toHaveLength(1);
  await writeFile(h.modelsPath, seeing);
  await h.panel.reloadModels();
  const [model] = h.panel.models;
  await h.panel.selectModel(model?.provider ?? '', model?.id ?? '');
  await send('look');
  await h.untilDone();
  expect(lastMessage(h)).toContain('data:image/png;base64,');
});

it('leaves nothing beside a conversation that goes for good', async () => {
  const h = await harness();
  const { attachments, send } = await attachingPanel(h);
  await send('hello');
  await h.untilDone();
  await attachments.add(image);
  const dir = await h.conversationsDir();
  const names = () => readdir(dir);
  const { conversation } = h.panel.snapshot();
  await expect.poll(names).toContain(`${conversation}.attached`);
  await h.panel.library.delete(conversation);
  expect(await names()).toContain(`${conversation}.attached`);
  const limits = { maxCount: 0, maxAgeDays: 0 };
  const inAMonth = Date.now() + 30 * 24 * 3_600_000;
  await pruneConversations(dirname(dir), limits, { kept: new Set(), now: inAMonth });
  expect((await names()).filter((name) => name.startsWith(conversation))).toEqual([]);
});
