import { expect, it } from 'vitest';
import { entryChanges } from '../../../../src/agent/panel/feed.js';
import type { Transcript } from '../../../../src/agent/transcript/entries.js';
import {
  emptyTranscript,
  reduceTranscript,
  type TranscriptInput,
} from '../../../../src/agent/transcript/transcript.js';
import type { TranscriptChange, TranscriptEntry } from '../../../../src/protocol/agentProtocol.js';
import { applyChanges } from '../../../../src/webview/agent/transcript/transcriptModel.js';

const flushes = 400;
const line = 'Once upon a time there was a server that answered.\n'.repeat(4).slice(0, 164);

function message(type: 'message_update' | 'message_end', text: string, thinking = '') {
  return {
    type,
    message: {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking },
        { type: 'text', text },
      ],
      stopReason: 'stop',
    },
    assistantMessageEvent: { type: 'text_delta' },
  };
}

const apply = (transcript: Transcript, input: unknown) =>
  reduceTranscript(transcript, input as TranscriptInput, () => undefined);

/** What the page gets, flush by flush, and what it makes of it. */
function stream(inputs: readonly unknown[]) {
  let host = emptyTranscript;
  let page: readonly TranscriptEntry[] = [];
  const sizes: number[] = [];
  const sent: TranscriptChange[] = [];
  for (const input of inputs) {
    const next = apply(host, input);
    const changes = entryChanges(host, next, 0);
    host = next;
    sent.push(...changes);
    sizes.push(JSON.stringify(changes).length);
    const applied = applyChanges(page, changes);
    expect(applied.isBroken).toBe(false);
    page = applied.transcript;
  }
  expect(page).toEqual([...host.entries]);
  return { sizes, sent, page };
}

it('sends of a streaming answer what is new, and the whole once it is complete', () => {
  const texts = Array.from({ length: flushes }, (_, index) => line.repeat(index + 1));
  const whole = texts.at(-1) ?? '';
  expect(whole.length).toBeGreaterThan(64 * 1024);
  const { sizes } = stream([
    ...texts.map((text) => message('message_update', text)),
    message('message_end', whole),
  ]);
  const during = sizes.slice(0, -1);
  expect(Math.max(...during)).toBeLessThan(line.length * 2);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeLessThan(whole.length * 3);
});

it('sends of streaming thoughts what is new', () => {
  const { sizes } = stream(
    Array.from({ length: 50 }, (_, index) => message('message_update', '', line.repeat(index + 1))),
  );
  expect(Math.max(...sizes)).toBeLessThan(line.length * 2);
});

it('sends an answer that does not continue the shown one whole', () => {
  const { sent } = stream([
    message('message_update', 'Hello wor'),
    message('message_update', 'Good morning'),
  ]);
  expect(sent.map(({ kind }) => kind)).toEqual(['assistant', 'assistant']);
});

it('sends of the output of a running command its end alone, and all of it once it has ended', () => {
  const output = (lines: number) => ({
    content: [
      { type: 'text', text: Array.from({ length: lines }, (_, n) => `line ${n}`).join('\n') },
    ],
  });
  const events = Array.from({ length: 100 }, (_, index) => ({
    type: 'tool_execution_update',
    toolCallId: 'c',
    partialResult: output((index + 1) * 50),
  }));
  const start = { type: 'tool_execution_start', toolCallId: 'c', toolName: 'bash', args: {} };
  const running = stream([start, ...events]);
  expect(Math.max(...running.sizes)).toBeLessThan(4_000);
  expect(running.page[0]).toMatchObject({
    earlierLines: 4_800,
    result: [{ text: expect.stringMatching(/^line 4800\n.*line 4999$/s) }],
  });
  const end = { type: 'tool_execution_end', toolCallId: 'c', isError: false, result: output(5000) };
  const { page } = stream([start, ...events, end]);
  expect(page[0]).toMatchObject({ result: [{ text: expect.stringMatching(/^line 0\n/) }] });
  expect(page[0]).not.toHaveProperty('earlierLines');
});

it('shows the end of a single long line, and no half character', () => {
  const text = `${'x'.repeat(1_001)}${'💥'.repeat(10_000)}`;
  const partialResult = { content: [{ type: 'text', text }] };
  const { page } = stream([
    { type: 'tool_execution_start', toolCallId: 'c', toolName: 'bash', args: {} },
    { type: 'tool_execution_update', toolCallId: 'c', partialResult },
  ]);
  const [block] = page[0]?.kind === 'tool' ? page[0].result : [];
  const shown = block?.kind === 'text' ? block.text : '';
  expect(shown.length).toBeLessThanOrEqual(20_000);
  expect(shown).toMatch(/^(💥)+$/u);
});
