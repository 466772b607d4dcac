import { expect, it } from 'vitest';
import type { Transcript } from '../../../../src/agent/transcript/entries.js';
import {
  changedEntries,
  emptyTranscript,
  reduceTranscript,
  type TranscriptInput,
} from '../../../../src/agent/transcript/transcript.js';
import { SeededRandom } from '../../../helpers/seededRandom.js';

function mcpName(tool: string) {
  const [server, name] = tool.split('__');
  return server && name ? { server, tool: name } : undefined;
}

function run(inputs: readonly unknown[], from: Transcript = emptyTranscript): Transcript {
  return inputs.reduce<Transcript>(
    (transcript, input) => reduceTranscript(transcript, input as TranscriptInput, mcpName),
    from,
  );
}

function shown({ entries }: Transcript) {
  return [...entries];
}

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string }
  | {
      readonly type: 'toolCall';
      readonly id: string;
      readonly name: string;
      readonly arguments: object;
    };

function assistant(content: readonly Block[], stopReason = 'stop', errorMessage?: string) {
  return { role: 'assistant', content, stopReason, errorMessage };
}

const user = {
  type: 'message_start',
  message: { role: 'user', content: [{ type: 'text', text: 'Go' }] },
};

/** Pi's events for one message, each text cut into pieces of the given lengths. */
function streamEvents(blocks: readonly Block[], nextLength: () => number, stopReason: string) {
  const events: unknown[] = [{ type: 'message_start', message: assistant([]) }];
  const done: Block[] = [];
  const push = (type: string, block: Block) =>
    events.push({
      type: 'message_update',
      message: assistant([...done, block]),
      assistantMessageEvent: { type, toolCall: block },
    });
  for (const block of blocks) {
    if (block.type === 'toolCall') {
      push('toolcall_start', { ...block, arguments: {} });
      push('toolcall_end', block);
    } else {
      const whole = block.type === 'text' ? block.text : block.thinking;
      for (let end = 0; end < whole.length; ) {
        end = Math.min(whole.length, end + nextLength());
        const part = whole.slice(0, end);
        push(
          `${block.type}_delta`,
          block.type === 'text'
            ? { type: 'text', text: part }
            : { type: 'thinking', thinking: part },
        );
      }
    }
    done.push(block);
  }
  return [...events, { type: 'message_end', message: assistant(blocks, stopReason) }];
}

const call: Block = { type: 'toolCall', id: 'c1', name: 'demo__echo', arguments: { a: 1 } };
const blocks: readonly Block[] = [
  { type: 'thinking', thinking: 'Let me see what there is to do here.' },
  { type: 'text', text: 'I will call **a tool** now. 💥 Ready?' },
  call,
  { type: 'text', text: 'And that is all.' },
];

it('ends the same however a message was cut into chunks', () => {
  const whole = run([user, ...streamEvents(blocks, () => 10_000, 'toolUse')]);
  expect(shown(whole).map(({ kind }) => kind)).toEqual(['user', 'assistant', 'tool']);
  for (let seed = 1; seed <= 200; seed++) {
    const random = new SeededRandom(seed);
    const events = streamEvents(blocks, () => 1 + random.below(9), 'toolUse');
    expect(run([user, ...events])).toEqual(whole);
  }
});

it('shows every stage of a tool call', () => {
  const stages = [
    [{ type: 'message_end', message: assistant([call], 'toolUse') }, 'pending'],
    [
      { type: 'tool_execution_start', toolCallId: 'c1', toolName: 'demo__echo', args: {} },
      'pending',
    ],
    [{ type: 'tool_gate', toolCallId: 'c1', gate: 'asking' }, 'awaiting_approval'],
    [{ type: 'tool_gate', toolCallId: 'c1', gate: 'allowed' }, 'running'],
    [
      {
        type: 'tool_execution_update',
        toolCallId: 'c1',
        partialResult: { content: [], details: { progress: '1/2' } },
      },
      'running',
    ],
    [
      {
        type: 'tool_execution_end',
        toolCallId: 'c1',
        isError: false,
        result: { content: [{ type: 'text', text: 'ok' }] },
      },
      'done',
    ],
  ] as const;
  let transcript = emptyTranscript;
  for (const [event, status] of stages) {
    transcript = run([event], transcript);
    expect(shown(transcript)).toEqual([expect.objectContaining({ kind: 'tool', status })]);
    if (event.type === 'tool_execution_update') {
      expect(transcript.entries.at(0)).toMatchObject({ progress: '1/2' });
    }
  }
  expect(transcript.entries.at(0)).toEqual({
    id: 'entry-1',
    kind: 'tool',
    tool: 'demo__echo',
    mcp: { server: 'demo', tool: 'echo' },
    args: '{\n  "a": 1\n}',
    words: { kind: 'values', values: [{ name: 'a', text: '1' }] },
    status: 'done',
    result: [{ kind: 'text', text: 'ok' }],
  });
});

it('starts a new entry when a provider uses the id of a finished call again', () => {
  const events = [
    { type: 'tool_execution_start', toolCallId: 'c1', toolName: 'bash', args: {} },
    { type: 'tool_execution_end', toolCallId: 'c1', isError: true, result: { content: [] } },
  ];
  const entries = shown(run([...events, ...events]));
  expect(entries.map((entry) => entry.kind === 'tool' && entry.status)).toEqual([
    'failed',
    'failed',
  ]);
});

it('reports an error only when no retry follows', () => {
  const failed = { type: 'message_end', message: assistant([], 'error', 'Overloaded') };
  const retried = run([failed, { type: 'agent_end', willRetry: true }]);
  expect(shown(retried)).toEqual([]);
  const final = run(
    [failed, { type: 'agent_end', willRetry: false }, { type: 'agent_settled' }],
    retried,
  );
  expect(shown(final)).toEqual([
    expect.objectContaining({
      id: 'entry-1',
      kind: 'notice',
      level: 'error',
      text: expect.stringContaining('Overloaded'),
    }),
  ]);
});

it('says at the end of a run what it came to', () => {
  const call = (id: string, name: string, args: object) => ({
    type: 'toolCall',
    id,
    name,
    arguments: args,
  });
  const message = {
    role: 'assistant',
    stopReason: 'toolUse',
    usage: { cost: { total: 0.02 } },
    content: [
      call('c1', 'bash', { command: 'ls' }),
      call('c2', 'write', { path: 'a.txt', content: 'a' }),
      call('c3', 'write', { path: 'b.txt', content: 'b' }),
    ],
  };
  const spent = { ms: 420, tokens: 12 };
  const ended = (toolCallId: string, isError: boolean) => ({
    type: 'tool_execution_end',
    toolCallId,
    isError,
    result: { content: [], details: { spent } },
  });
  const answer = { ...message, stopReason: 'stop', content: [{ type: 'text', text: 'Done' }] };
  const entries = shown(
    run([
      { type: 'message_start', message: { role: 'user', content: 'Do it' } },
      { type: 'message_stored', role: 'user', id: 'm1', at: 1_000 },
      { type: 'message_end', message },
      { type: 'message_stored', role: 'assistant', id: 'm2', at: 3_000 },
      { type: 'tool_gate', toolCallId: 'c1', gate: 'asking', at: 4_000 },
      { type: 'tool_gate', toolCallId: 'c2', gate: 'asking', at: 6_000 },
      { type: 'tool_gate', toolCallId: 'c1', gate: 'allowed', at: 24_000 },
      { type: 'tool_gate', toolCallId: 'c2', gate: 'allowed', at: 25_000 },
      ended('c1', false),
      ended('c2', false),
      ended('c3', true),
      { type: 'message_start', message: answer },
      { type: 'message_end', message: answer },
      { type: 'message_stored', role: 'assistant', id: 'm3', at: 42_000 },
      { type: 'thought', ms: 5 },
      { type: 'agent_settled' },
    ]),
  );
  expect(entries.at(-1)).toMatchObject({
    text: 'Done',
    // twenty-one of the forty-one seconds were the user's
    run: { files: 1, commands: 1, calls: 0, ms: 20_000, waitedMs: 21_000, cost: 0.04 },
  });
  expect(entries[1]).toMatchObject({ words: { command: 'ls' }, spent });
});

it('closes what is open when the user stops, and says so instead of an error', () => {
  const { entries } = run([
    user,
    ...streamEvents([{ type: 'text', text: 'Half' }], () => 2, 'stop').slice(0, -1),
    { type: 'tool_execution_start', toolCallId: 'c1', toolName: 'bash', args: {} },
    { type: 'user_stop' },
    { type: 'message_end', message: assistant([], 'error', 'This operation was aborted') },
    { type: 'agent_end', willRetry: false },
    { type: 'agent_settled' },
  ]);
  expect(entries.slice(1)).toEqual([
    { id: 'entry-2', kind: 'assistant', text: 'Half', isStreaming: false },
    expect.objectContaining({ kind: 'tool', status: 'denied' }),
    { id: 'entry-4', kind: 'notice', level: 'info', text: 'Stopped' },
  ]);
});

it('sends only images that a page can show', () => {
  const image = (mimeType: string) => ({ type: 'image', mimeType, data: 'AAAA' });
  const { entries } = run([
    { type: 'tool_execution_start', toolCallId: 'c1', toolName: 'read', args: {} },
    {
      type: 'tool_execution_end',
      toolCallId: 'c1',
      isError: false,
      result: { content: [image('image/png'), image('image/svg+xml'), 7, { type: 'odd' }] },
    },
  ]);
  expect(entries.at(0)).toMatchObject({
    result: [
      { kind: 'image', mimeType: 'image/png', data: 'AAAA' },
      { kind: 'text', text: 'Image of type image/svg+xml, not shown' },
    ],
  });
});

it('finds the entries that changed', () => {
  const before = run([user]);
  const after = run(
    streamEvents([{ type: 'text', text: 'Hi' }], () => 9, 'stop'),
    before,
  );
  expect(changedEntries(before, after).map(({ id }) => id)).toEqual(['entry-2']);
  expect(changedEntries(after, after)).toEqual([]);
});
