import { expect, it } from 'vitest';
import {
  findText,
  readableMarkdown,
} from '../../../../../src/agent/panel/find/conversationFind.js';
import type { TranscriptEntry } from '../../../../../src/protocol/agentProtocol.js';

const tool: TranscriptEntry = {
  id: 'entry-3',
  kind: 'tool',
  tool: 'demo__echo',
  mcp: { server: 'demo', tool: 'echo' },
  args: '{\n  "message": "Needle"\n}',
  status: 'done',
  result: [
    { kind: 'text', text: 'a needle and a NEEDLE' },
    { kind: 'image', mimeType: 'image/png', data: 'needle' },
  ],
};

const transcript: readonly TranscriptEntry[] = [
  { id: 'entry-1', kind: 'user', text: 'Where is the needle?' },
  {
    id: 'entry-2',
    kind: 'assistant',
    text: 'The **need**le is [here](https://needle.example).',
    thinking: 'needle',
    isStreaming: false,
  },
  tool,
  { id: 'entry-4', kind: 'notice', level: 'error', text: 'Failed.', remedy: 'Find a needle.' },
  { id: 'entry-5', kind: 'compaction', summary: 'needle', tokensBefore: 1 },
];

it('finds a text in every part of a conversation, in the order of the page', () => {
  expect(findText(transcript, 'needle')).toEqual({
    parts: [
      { entryId: 'entry-1', part: 'text', count: 1 },
      { entryId: 'entry-2', part: 'thinking', count: 1 },
      { entryId: 'entry-2', part: 'answer', count: 1 },
      { entryId: 'entry-3', part: 'args', count: 1 },
      { entryId: 'entry-3', part: 'result', count: 2 },
      { entryId: 'entry-4', part: 'notice', count: 1 },
      { entryId: 'entry-5', part: 'summary', count: 1 },
    ],
    isCut: false,
  });
  expect(findText(transcript, 'echo').parts).toEqual([
    { entryId: 'entry-3', part: 'head', count: 1 },
  ]);
  expect(findText(transcript, '  ').parts).toEqual([]);
  expect(findText(transcript, 'nowhere').parts).toEqual([]);
});

it('finds what a change of a file shows, in the place of the result that it does not', () => {
  const change = {
    path: 'src/needle.ts',
    kind: 'edit',
    added: 1,
    removed: 0,
    hunks: [[{ kind: 'added', text: 'const needle = 1;', number: 1 }]],
    omitted: 0,
    notes: [],
  } as const;
  expect(findText([{ ...tool, args: '', change }], 'needle').parts).toEqual([
    { entryId: 'entry-3', part: 'head', count: 1 },
    { entryId: 'entry-3', part: 'diff', count: 1 },
  ]);
});

it('finds a command and values as they are shown, in the place of their JSON', () => {
  const command = { kind: 'command', command: 'grep needle a.txt' } as const;
  expect(findText([{ ...tool, words: command, result: [] }], 'needle').parts).toEqual([
    { entryId: 'entry-3', part: 'values', count: 1 },
  ]);
  const values = { kind: 'values', values: [{ name: 'message', text: 'Needle' }] } as const;
  expect(findText([{ ...tool, words: values, result: [] }], 'message needle').parts).toEqual([
    { entryId: 'entry-3', part: 'values', count: 1 },
  ]);
});

it('stops counting what is everywhere', () => {
  const long: TranscriptEntry = { id: 'entry-1', kind: 'user', text: 'a'.repeat(20_000) };
  expect(findText([long, long], 'a')).toEqual({
    parts: [{ entryId: 'entry-1', part: 'text', count: 5_000 }],
    isCut: true,
  });
});

it.each([
  ['## A **bold** ~~old~~ `word`', 'A bold old word'],
  ['> quoted\n- item', 'quoted\nitem'],
  ['[label](https://a.example/x)', 'label]'],
  ['```ts\nconst a = "**b**";\n```\nafter `c`', '\nconst a = "**b**";\n\nafter c'],
  ['~~~\nopen', '\nopen'],
])('reads %j as the page shows it', (text, shown) => {
  expect(readableMarkdown(text)).toBe(shown.replace('label]', 'label'));
});
