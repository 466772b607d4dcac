import { expect, it } from 'vitest';
import { journalEntry } from '../../../../../src/agent/conversations/conversationEnd.js';
import type { PiSessionEntry } from '../../../../../src/agent/pi/piModule.js';
import { restoreTranscript } from '../../../../../src/agent/session/stored/restoreTranscript.js';

const message = (body: object) => ({ type: 'message', message: body }) as PiSessionEntry;
const journal = (data: unknown) =>
  ({ type: 'custom', customType: journalEntry, data }) as PiSessionEntry;
const user = (text: string) => message({ role: 'user', content: text });
const says = (text: string) =>
  message({ role: 'assistant', content: [{ type: 'text', text }], stopReason: 'stop' });
const calls = (id: string, name = 'demo__work') =>
  message({
    role: 'assistant',
    content: [{ type: 'toolCall', id, name, arguments: {} }],
    stopReason: 'toolUse',
  });
const result = (toolCallId: string, text: string, details: object, isError = false) =>
  message({
    role: 'toolResult',
    toolCallId,
    toolName: 'demo__work',
    isError,
    details,
    content: [{ type: 'text', text }],
  });
const details = { isMcp: true, isError: false, server: 'demo', tool: 'work' };

const restore = async (entries: readonly PiSessionEntry[]) => [
  ...(await restoreTranscript(entries, () => undefined)).entries,
];
const tool = async (entries: readonly PiSessionEntry[]) =>
  (await restore(entries)).find(({ kind }) => kind === 'tool');

it('shows nothing that only the closed window could open', async () => {
  const rich = { ...details, isCut: true, hasApp: true, files: [{ mimeType: 'a/b', bytes: 1 }] };
  const shown = await tool([user('go'), calls('c1'), result('c1', 'Done.', rich), says('Ready.')]);
  expect(shown).toMatchObject({ status: 'done', mcp: { server: 'demo', tool: 'work' } });
  expect(shown).toMatchObject({ whole: { isCut: false, files: [] } });
  expect(shown).not.toHaveProperty('app');
});

it('brings the result of a task that ended later to its call', async () => {
  const shown = await tool([
    user('go'),
    calls('c1'),
    result('c1', 'Later.', { ...details, isBackground: true }),
    says('It runs.'),
    user('and now?'),
    says('Still.'),
    journal({
      type: 'tool_task_end',
      toolCallId: 'c1',
      status: 'done',
      result: { content: [{ type: 'text', text: 'At last.' }], details },
    }),
  ]);
  expect(shown).toMatchObject({ status: 'done', result: [{ kind: 'text', text: 'At last.' }] });
});

it('says of a task whose end nobody saw that it is lost', async () => {
  const shown = await tool([
    user('go'),
    calls('c1'),
    result('c1', 'Later.', { ...details, isBackground: true }),
    says('It runs.'),
  ]);
  expect(shown).toMatchObject({ status: 'failed' });
});

it('takes nothing else from the file for what the user decided', async () => {
  const entries = await restore([
    user('go'),
    calls('c1'),
    journal({ type: 'tool_gate', toolCallId: 'c1', gate: 'asking' }),
    journal('denied'),
    journal({ type: 'agent_settled' }),
    journal(undefined),
    result('c1', 'Done.', details),
    says('Ready.'),
  ]);
  expect(entries.map(({ kind }) => kind)).toEqual(['user', 'tool', 'assistant']);
  expect(entries[1]).toMatchObject({ status: 'done' });
});

it('tells a failure that was made good by a retry from one that was not', async () => {
  const failed = message({
    role: 'assistant',
    content: [],
    stopReason: 'error',
    errorMessage: '429 Too Many',
  });
  const retried = await restore([user('go'), failed, says('Ready.')]);
  expect(retried.map(({ kind }) => kind)).toEqual(['user', 'assistant']);
  const given = await restore([user('go'), failed, user('again'), says('Ready.')]);
  expect(given[1]).toMatchObject({
    kind: 'notice',
    level: 'error',
  });
});
