import { expect, it } from 'vitest';
import type { TranscriptEntry } from '../../../../../src/protocol/agentProtocol.js';
import { rowsOf } from '../../../../../src/webview/agent/transcript/readGroup.js';

type ToolEntry = Extract<TranscriptEntry, { kind: 'tool' }>;

const call = (id: string, more: Partial<ToolEntry>): TranscriptEntry => ({
  id,
  kind: 'tool',
  tool: 'read',
  args: '{}',
  words: { kind: 'read', path: id },
  status: 'done',
  result: [],
  ...more,
});
const thought = (id: string, text = ''): TranscriptEntry => ({
  id,
  kind: 'assistant',
  text,
  thinking: 'hm',
  isStreaming: false,
});
const rows = (...entries: readonly TranscriptEntry[]) =>
  rowsOf(entries).map((row) => row.entries.map(({ id }) => id).join(' '));

it('makes one row of reads that follow each other, with the thoughts between them', () => {
  const list = call('list', { tool: 'ls', words: { kind: 'list', path: '.' } });
  expect(rows(call('a', {}), thought('t'), call('b', {}), list, thought('u'))).toEqual([
    'a t b list',
    'u',
  ]);
  expect(rows(thought('t'), call('a', {}), thought('u', 'So'), call('b', {}))).toEqual([
    't',
    'a',
    'u',
    'b',
  ]);
});

it('takes commands that only read along', () => {
  const ran = { kind: 'reads' } as const;
  const status = call('s', {
    tool: 'bash',
    words: { kind: 'command', command: 'git status' },
    why: { ran },
  });
  expect(rows(call('a', {}), status, call('b', {}))).toEqual(['a s b']);
});

it.each<Partial<ToolEntry>>([
  { status: 'failed' },
  { status: 'denied' },
  { status: 'awaiting_approval' },
  { status: 'running' },
  { tool: 'bash', words: { kind: 'command', command: 'cat a' } },
  { tool: 'write', change: { path: 'a', kind: 'create' } as ToolEntry['change'], words: undefined },
  // a server may call its tool what it likes
  { mcp: { server: 'evil', tool: 'read' } },
])('folds nothing that a user has to see: %j', (other) => {
  expect(rows(call('a', {}), call('x', other), call('b', {}))).toEqual(['a', 'x', 'b']);
});
