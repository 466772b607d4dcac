import { expect, it } from 'vitest';
import { journalEntry, placeEntry } from '../../../../../src/agent/conversations/storedEntry.js';
import type { PiSessionEntry } from '../../../../../src/agent/pi/piModule.js';
import { restoreTranscript } from '../../../../../src/agent/session/stored/restoreTranscript.js';

const message = (body: object) => ({ type: 'message', message: body }) as PiSessionEntry;
const journal = (data: unknown) =>
  ({ type: 'custom', customType: journalEntry, data }) as PiSessionEntry;
const user = (text: string) => message({ role: 'user', content: text });
const says = (text: string) =>
  message({ role: 'assistant', content: [{ type: 'text', text }], stopReason: 'stop' });
const calls = (id: string) =>
  message({
    role: 'assistant',
    content: [{ type: 'toolCall', id, name: 'demo__work', arguments: {} }],
    stopReason: 'toolUse',
  });
const result = (toolCallId: string, text: string, details: object) =>
  message({
    role: 'toolResult',
    toolCallId,
    toolName: 'demo__work',
    isError: false,
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

it('draws what it can of entries that no version wrote', async () => {
  const broken = { type: 'toolCall', id: 7, name: {}, arguments: 'x' };
  const odd = [
    { type: 'message' },
    message({ role: 'assistant', content: 7, stopReason: 'stop' }),
    message({ role: 'assistant', content: [null, broken], stopReason: 'toolUse' }),
    message({ role: 'assistant', content: [], stopReason: 'error', errorMessage: {} }),
    message({ role: 'toolResult', content: null, details: 'none' }),
    { type: 'compaction', summary: {} },
    { type: 'custom', customType: placeEntry, data: null },
  ] as PiSessionEntry[];
  const entries = await restore([user('go'), ...odd, says('Ready.')]);
  expect(entries.map(({ kind }) => kind)).toEqual(['user', 'compaction', 'assistant']);
});

const ran = (more: object = {}) =>
  message({
    role: 'bashExecution',
    command: 'ls src',
    output: 'a.ts\nb.ts\n',
    exitCode: 0,
    cancelled: false,
    truncated: false,
    ...more,
  });

it.each([
  ['a command', {}, { status: 'done', byUser: {} }, 'a.ts\nb.ts'],
  ['one without output', { output: '' }, { status: 'done' }, '(no output)'],
  [
    'one that failed',
    { exitCode: 2 },
    { status: 'failed' },
    'a.ts\nb.ts\n\nCommand exited with code 2',
  ],
  [
    'one that was stopped',
    { exitCode: undefined, cancelled: true },
    { status: 'failed' },
    'a.ts\nb.ts\n\nCommand aborted',
  ],
  [
    'one whose output was cut',
    { truncated: true, fullOutputPath: '/tmp/pi-bash-1.log' },
    { status: 'done' },
    'a.ts\nb.ts\n\n[Output truncated. Full output: /tmp/pi-bash-1.log]',
  ],
  [
    'one that the model does not see',
    { excludeFromContext: true },
    { byUser: { isPrivate: true } },
    'a.ts\nb.ts',
  ],
])('shows %s that the user ran in a terminal', async (_, more, view, text) => {
  const entries = await restore([user('go'), says('Ready.'), ran(more)]);
  expect(entries.map(({ kind }) => kind)).toEqual(['user', 'assistant', 'tool']);
  expect(entries[2]).toMatchObject({
    ...view,
    words: { kind: 'command', command: 'ls src' },
    result: [{ kind: 'text', text }],
  });
});

it('shows what the user ran before the first message, and nothing that hides', async () => {
  const [first] = await restore([ran({ command: 'ls \u202e src', output: 7, exitCode: '0' })]);
  expect(first).toMatchObject({ kind: 'tool', status: 'failed', result: [{ text: '' }] });
  expect(first).toMatchObject({ words: { command: expect.not.stringContaining('\u202e') } });
});

it('counts no command of the user for the run before it, and says once how that ended', async () => {
  const done = await restore([
    user('go'),
    calls('c1'),
    result('c1', 'Done.', details),
    says('Ready.'),
    ran(),
  ]);
  expect(done[2]).toMatchObject({ kind: 'assistant', run: { calls: 1, commands: 0 } });
  const cut = await restore([user('go'), calls('c1'), ran()]);
  expect(cut.map(({ kind }) => kind)).toEqual(['user', 'tool', 'notice', 'tool']);
  expect(cut[1]).toMatchObject({ status: 'failed' });
});

const cutAnswer = message({
  role: 'assistant',
  content: [{ type: 'text', text: 'Half' }],
  stopReason: 'aborted',
});

it.each([
  ['nobody noted', []],
  ['a closing window noted', [journal({ type: 'interrupted' })]],
  ['the user stopped', [journal({ type: 'user_stop' })]],
])('says once of an answer that broke off how its run ended: %s', async (_, noted) => {
  const entries = await restore([user('go'), ...noted, cutAnswer]);
  expect(entries.filter(({ kind }) => kind === 'notice')).toHaveLength(1);
});
