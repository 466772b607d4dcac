/** What Pi is at, from what happens: the order of messages says it, and no time that a test waits for. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Activity } from '../../../../src/agent/context/activity.js';
import type { PiEvent } from '../../../../src/agent/pi/piModule.js';
import type { Transcript } from '../../../../src/agent/transcript/entries.js';
import {
  emptyTranscript,
  reduceTranscript,
  type TranscriptInput,
} from '../../../../src/agent/transcript/transcript.js';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

function conversation() {
  let transcript: Transcript = emptyTranscript;
  const told: (string | undefined)[] = [];
  const activity = new Activity({
    transcript: () => transcript,
    idleTimeoutMs: () => 300_000,
    onDidChange: () => {
      const { kind, label } = activity.view ?? {};
      told.push(kind && (label === undefined ? kind : `${kind} ${label}`));
    },
  });
  const hear = (input: TranscriptInput | object) => {
    transcript = reduceTranscript(transcript, input as TranscriptInput, () => undefined);
    activity.follow(input as TranscriptInput);
  };
  return { activity, told, hear };
}

const update = (type: string, block: object): object => ({
  type: 'message_update',
  message: { role: 'assistant', content: [block] },
  assistantMessageEvent: { type, contentIndex: 0, delta: 'x', partial: {} },
});
const usage = { input: 1_000, output: 20, cacheRead: 500, cacheWrite: 0 };
const called = (command: string): object => ({
  type: 'message_end',
  message: {
    role: 'assistant',
    stopReason: 'toolUse',
    content: [{ type: 'toolCall', id: 'c1', name: 'bash', arguments: { command } }],
    usage,
  },
});

it('says from the moment of sending what it is at, and nothing once it has ended', () => {
  const { told, hear, activity } = conversation();
  hear({ type: 'sending' });
  // before Pi has said anything, and so before the model has
  expect(told).toEqual(['sending']);
  hear({ type: 'agent_start' });
  hear({ type: 'turn_start' });
  hear(update('thinking_delta', { type: 'thinking', thinking: 'First\nthe cart' }));
  hear(update('text_delta', { type: 'text', text: 'So' }));
  hear(called('npm test'));
  hear({ type: 'tool_execution_start', toolCallId: 'c1', toolName: 'bash', args: {} });
  hear({ type: 'tool_gate', toolCallId: 'c1', gate: 'asking' });
  hear({ type: 'tool_gate', toolCallId: 'c1', gate: 'allowed' });
  hear({ type: 'tool_execution_end', toolCallId: 'c1', toolName: 'bash', result: {} });
  expect(activity.view).toMatchObject({ tokensIn: 1_500, tokensOut: 20 });
  hear({ type: 'user_stop' });
  hear({ type: 'agent_settled' });
  expect(told).toEqual([
    'sending',
    'waiting',
    'thinking the cart',
    'writing',
    'waiting',
    'running npm test',
    'approval npm test',
    'running npm test',
    'waiting',
    'stopping',
    undefined,
  ]);
  expect(activity.view).toBeUndefined();
});

it('tells of a stream once a second, and that nothing comes any more', () => {
  const { told, hear, activity } = conversation();
  hear({ type: 'agent_start' });
  hear({ type: 'turn_start' });
  const write = (lines: number) =>
    hear(
      update('toolcall_delta', {
        type: 'toolCall',
        id: 'c1',
        name: 'write',
        arguments: { path: 'src/big.js', content: 'line\n'.repeat(lines) },
      }),
    );
  for (let lines = 1; lines <= 40; lines++) {
    write(lines);
  }
  expect(told).toEqual(['sending', 'waiting', 'preparing src/big.js']);
  vi.advanceTimersByTime(1_000);
  write(84);
  expect(activity.view).toMatchObject({ kind: 'preparing', label: 'src/big.js' });
  expect(activity.view?.count).toBeGreaterThan(40);
  const since = Date.now();
  vi.advanceTimersByTime(16_000);
  expect(activity.view).toMatchObject({ kind: 'stalled', until: since + 300_000 });
  write(85);
  expect(activity.view?.kind).toBe('preparing');
  hear({ type: 'agent_settled' } as PiEvent);
  expect(vi.getTimerCount()).toBe(0);
});

it('says that nothing was sent after all, and nothing of a message into a run', () => {
  const { told, hear } = conversation();
  hear({ type: 'sending' });
  hear({ type: 'not_sent' });
  hear({ type: 'agent_start' });
  hear({ type: 'turn_start' });
  hear({ type: 'sending' });
  hear({ type: 'not_sent' });
  expect(told).toEqual(['sending', undefined, 'sending', 'waiting']);
});

it('says when a request is sent again, and that the conversation is summarized', () => {
  const { told, hear, activity } = conversation();
  hear({ type: 'agent_start' });
  hear({ type: 'turn_start' });
  const until = Date.now() + 4_000;
  const message = '429 slow down';
  hear({ type: 'retry_wait', provider: 'Acme', message, attempt: 1, of: 3, until });
  expect(activity.view).toMatchObject({
    kind: 'retrying',
    label: 'Acme takes no more requests for the moment',
    count: 1,
    of: 3,
    until,
  });
  hear({ type: 'retry_sent' });
  hear({ type: 'compaction_start', reason: 'threshold' });
  hear({ type: 'compaction_end', reason: 'threshold', aborted: true });
  expect(told.slice(-3)).toEqual(['waiting', 'compacting', 'waiting']);
});
