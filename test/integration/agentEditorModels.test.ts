/** Models of the editor as a provider of the real Pi, through the port that VS Code stands behind. */
import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import {
  type EditorAnswerPart,
  EditorModelError,
  type EditorModelErrorCode,
} from '../../src/agent/models/editor/port.js';
import { defaultOptions } from '../../src/config/schema/fields.js';
import type { AgentHarnessOptions } from '../helpers/fakes/agentHarness.js';
import { CallableServer } from '../helpers/fakes/fakeAgentMcp.js';
import { type FakeAnswer, FakeEditorModels } from '../helpers/fakes/fakeEditorModels.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harness = useAgentHarness();

function manyTools(length: number): CallableServer {
  const tools = Array.from({ length }, (_, index) => ({
    name: `tool_${index}`,
    inputSchema: { type: 'object' },
  }));
  const server = new CallableServer('many', tools, () => Promise.reject(new Error('not called')));
  const options = { ...defaultOptions, exposure: 'direct' as const };
  return Object.assign(server, { definition: { ...server.definition, options } });
}

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const ref = ['vscode-lm', 'copilot/gpt-x'] as const;
const text = (words: string): EditorAnswerPart => ({ kind: 'text', text: words });

async function open(answer: FakeAnswer, options: AgentHarnessOptions = {}) {
  const editor = new FakeEditorModels(answer);
  const h = await harness({ editorModels: editor, ...options });
  await h.panel.ensureSession();
  await expect.poll(() => h.panel.models.map(({ id }) => id)).toContain(ref[1]);
  return { h, editor };
}

it('is offered beside the models of Pi, asks what it costs once, and answers', async () => {
  const { h, editor } = await open(() => [text('Hello '), text('there.')]);
  const { state } = h.panel.snapshot();
  expect(state.model).toMatchObject({ provider: 'demo' });
  expect(h.panel.models).toContainEqual(
    expect.objectContaining({
      provider: ref[0],
      id: ref[1],
      label: 'GPT X',
      abilities: ['images'],
    }),
  );
  expect(editor.asked).toEqual([]);
  await h.panel.selectModel(...ref);
  const { transcript } = await h.say('Hi');
  expect(transcript.at(-1)).toMatchObject({ kind: 'assistant', text: 'Hello there.' });
  expect(editor.asked).toEqual(['copilot']);
  const [system, said] = editor.requests[0]?.messages ?? [];
  expect(system).toMatchObject({
    role: 'user',
    parts: [{ kind: 'text', text: expect.stringContaining('tools') }],
  });
  expect(said).toMatchObject({ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] });
  expect(h.panel.snapshot().state.usage?.tokens).toBeGreaterThan(100);
});

it('calls tools, several in one step, and reads an image that one brings', async () => {
  const { h, editor } = await open(({ messages }) =>
    messages.some(({ parts }) => parts.some(({ kind }) => kind === 'result'))
      ? [text('A red dot.')]
      : [
          text('I look.'),
          { kind: 'call', id: 'c1', name: 'read', input: { path: 'dot.png' } },
          { kind: 'call', id: 'c2', name: 'ls', input: { path: '.' } },
        ],
  );
  await writeFile(h.path('dot.png'), Buffer.from(pixel, 'base64'));
  await h.panel.selectModel(...ref);
  const { transcript } = await h.say('What is on dot.png?');
  expect(transcript.at(-1)).toMatchObject({ kind: 'assistant', text: 'A red dot.' });
  const [, , called, results] = editor.requests[1]?.messages ?? [];
  expect(called).toMatchObject({
    role: 'assistant',
    parts: [
      { kind: 'text', text: 'I look.' },
      { kind: 'call', id: 'c1', name: 'read' },
      { kind: 'call', id: 'c2' },
    ],
  });
  expect(results).toMatchObject({
    role: 'user',
    parts: [
      {
        kind: 'result',
        callId: 'c1',
        parts: expect.arrayContaining([
          expect.objectContaining({ kind: 'image', mimeType: 'image/png' }),
        ]),
      },
      { kind: 'result', callId: 'c2' },
    ],
  });
  expect(editor.requests[0]?.tools.find(({ name }) => name === 'read')?.inputSchema).toMatchObject({
    type: 'object',
  });
});

it('sends no image to a model that does not take any', async () => {
  const { h, editor } = await open(({ messages }) =>
    messages.length > 2
      ? [text('Nothing to see.')]
      : [{ kind: 'call', id: 'c1', name: 'read', input: { path: 'dot.png' } }],
  );
  editor.change([editor.model({ takesImages: undefined })]);
  await expect.poll(() => h.panel.models.at(-1)?.abilities).toEqual([]);
  await writeFile(h.path('dot.png'), Buffer.from(pixel, 'base64'));
  await h.panel.selectModel(...ref);
  await h.say('What is on dot.png?');
  const sent = JSON.stringify(editor.requests[1]);
  expect(sent).toContain('does not support images');
  expect(sent).not.toContain('iVBOR');
});

const refusals: readonly [EditorModelErrorCode, RegExp][] = [
  ['NoPermissions', /you have not allowed the models of this provider/],
  ['Blocked', /a limit of your plan is reached/],
  ['NotFound', /is not offered any more/],
];

it.each(refusals)('says in words that the editor refused with %s', async (code, words) => {
  const { h } = await open(() => {
    throw new EditorModelError(code, 'Said by the vendor.');
  });
  await h.panel.selectModel(...ref);
  const { transcript } = await h.say('Hi');
  const last = transcript.at(-1);
  expect(last).toMatchObject({ kind: 'notice', level: 'error' });
  expect(last?.kind === 'notice' && last.text).toMatch(words);
  expect(last?.kind === 'notice' && last.text).toContain('(Said by the vendor.)');
  expect(last?.kind === 'notice' && last.remedy).toContain('another model');
});

it('shows what an unknown refusal says, also in the middle of an answer', async () => {
  const { h } = await open(async function* () {
    yield text('Half');
    throw new Error('Model is not supported for this request.');
  });
  await h.panel.selectModel(...ref);
  const { transcript } = await h.say('Hi');
  expect(transcript.at(-2)).toMatchObject({ kind: 'assistant', text: 'Half', isStreaming: false });
  expect(transcript.at(-1)).toMatchObject({
    kind: 'notice',
    text: 'Model is not supported for this request.',
    remedy: expect.stringContaining('choose another model'),
  });
});

it('sends nothing to a vendor that the user did not agree to', async () => {
  const { h, editor } = await open(() => [text('Never')], { hasModel: false });
  expect(h.panel.snapshot().state).toMatchObject({
    status: 'unavailable',
    problem: {
      ways: expect.arrayContaining([
        expect.objectContaining({ kind: 'editor', title: 'Models of VS Code: GitHub Copilot' }),
      ]),
    },
  });
  editor.mayUse = false;
  await expect(h.panel.selectModel(...ref)).rejects.toThrow('Cancelled');
  expect(h.panel.snapshot().state.status).toBe('unavailable');
  editor.mayUse = true;
  await h.panel.selectModel(...ref);
  expect(h.panel.snapshot().state).toMatchObject({ status: 'ready', model: { id: ref[1] } });
  await editor.withdraw('copilot');
  editor.mayUse = false;
  await h.panel.prompt('Hi');
  await h.until('the refusal', ({ transcript }) =>
    JSON.stringify(transcript).includes('you have not allowed'),
  );
  expect(editor.requests).toEqual([]);
});

it('is a way to log in, and out again', async () => {
  const { h } = await open(() => [text('Hello.')], { hasModel: false });
  const choice = async () =>
    (await h.panel.logins.choices()).find(({ kind }) => kind === 'editor') ?? expect.unreachable();
  expect(await choice()).toMatchObject({ name: 'GitHub Copilot', isStored: false });
  const interaction = { prompt: () => expect.unreachable(), notify: () => undefined };
  await h.panel.logins.logIn(await choice(), interaction);
  expect(h.panel.snapshot().state).toMatchObject({ status: 'ready', model: { label: 'GPT X' } });
  expect(await choice()).toMatchObject({ isStored: true });
  await h.panel.logins.logOut(await choice());
  expect(h.panel.snapshot().state.status).toBe('unavailable');
});

it('stops although the vendor is deaf to it', async () => {
  let isAsked: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const { h } = await open(async function* () {
    yield text('One moment');
    isAsked();
    await new Promise(() => undefined);
  });
  await h.panel.selectModel(...ref);
  await h.panel.prompt('Hi');
  await asked;
  await h.panel.stop();
  expect(h.panel.snapshot().state.status).toBe('ready');
  expect(h.panel.snapshot().transcript.at(-1)).toMatchObject({
    text: expect.not.stringContaining('vscode.lm'),
  });
});

it('says that the chosen model went away, and takes it up when it is back', async () => {
  const { h, editor } = await open(() => [text('Here again.')]);
  await h.panel.selectModel(...ref);
  editor.change([]);
  const { transcript } = await h.until('the notice', (one) => one.transcript.length > 0);
  expect(transcript.at(-1)).toMatchObject({
    kind: 'notice',
    text: expect.stringContaining('GPT X'),
  });
  await h.panel.prompt('Hi');
  await h.until('the refusal', (one) =>
    JSON.stringify(one.transcript).includes('is not offered any more'),
  );
  await h.untilDone();
  editor.change([editor.model()]);
  await expect.poll(() => h.panel.models.map(({ id }) => id)).toContain(ref[1]);
  await h.say('Hi');
  expect(h.panel.snapshot().transcript.at(-1)).toMatchObject({ text: 'Here again.' });
});

it('offers no more tools than the vendor takes, and says so', async () => {
  const { h, editor } = await open(() => [text('Many tools.')], {
    servers: () => [manyTools(150)],
  });
  await h.panel.selectModel(...ref);
  await h.say('Hi');
  expect(editor.requests[0]?.tools).toHaveLength(128);
  expect(JSON.stringify(h.panel.snapshot().transcript)).toContain('at most 128 tools');
});
