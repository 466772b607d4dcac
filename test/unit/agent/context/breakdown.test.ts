import { expect, it } from 'vitest';
import { breakDown } from '../../../../src/agent/context/breakdown.js';
import { spentIn, spentLast } from '../../../../src/agent/context/spending.js';
import type { PiMessage, PiSessionEntry } from '../../../../src/agent/pi/piModule.js';

const letters = (count: number) => 'x'.repeat(count);
/** As Pi estimates text; an image is worth 1,200 tokens. */
function estimate({ content }: { content?: unknown; summary?: string } & PiMessage): number {
  const blocks: readonly { text?: string }[] = Array.isArray(content) ? content : [];
  return blocks.reduce((sum, { text }) => sum + (text === undefined ? 1_200 : text.length / 4), 0);
}
const text = (count: number) => [{ type: 'text', text: letters(count) }];

function messages(list: readonly object[]): readonly PiMessage[] {
  return list as readonly PiMessage[];
}

it('takes what stands in the system prompt for what it is', () => {
  const file = letters(400);
  const parts = breakDown(
    {
      systemPrompt: `${letters(200)}${file}`,
      instructions: [
        { name: 'AGENTS.md', text: file },
        { name: 'github', text: letters(40) },
      ],
      tools: [
        { group: 'github', tokens: 30 },
        { group: 'Built in', tokens: 20 },
        { group: 'github', tokens: 10 },
      ],
      messages: [],
    },
    estimate,
  );
  // 'x' of the server is part of the prompt as well
  expect(parts).toMatchObject([
    { kind: 'system', items: [] },
    {
      kind: 'instructions',
      tokens: 110,
      items: [
        { name: 'AGENTS.md', tokens: 100 },
        { name: 'github', tokens: 10 },
      ],
    },
    {
      kind: 'tools',
      tokens: 60,
      items: [
        { name: 'github', tokens: 40 },
        { name: 'Built in', tokens: 20 },
      ],
    },
  ]);
});

it('tells words, attachments, results and summaries apart, and scales them', () => {
  const attached = '<mcp-resource server="docs" uri="docs://a">\nA page\n</mcp-resource>';
  const said = messages([
    { role: 'compactionSummary', content: text(400) },
    {
      role: 'user',
      content: [{ type: 'text', text: `${letters(40)}\n\n${attached}` }, { type: 'image' }],
    },
    { role: 'assistant', content: text(80) },
    {
      role: 'toolResult',
      toolName: 'demo__echo',
      details: { server: 'demo', tool: 'echo' },
      content: text(800),
    },
    { role: 'toolResult', toolName: 'read', content: text(160) },
  ]);
  const content = { systemPrompt: '', instructions: [], tools: [], messages: said };
  const plain = breakDown(content, estimate);
  expect(plain.map(({ kind }) => kind)).toEqual(['attachments', 'conversation', 'summary']);
  expect(plain[0]?.items).toMatchObject([
    { name: 'Images', tokens: 1_200 },
    { name: 'Files and resources' },
  ]);
  expect(plain[1]?.items.map(({ name }) => name)).toEqual([
    'Results of demo: echo',
    'Results of read',
    'Pi',
    'You',
  ]);
  const sum = (parts: typeof plain) => parts.reduce((all, { tokens }) => all + tokens, 0);
  const scaled = breakDown(content, estimate, sum(plain) * 3);
  expect(scaled[2]?.tokens).toBe((plain[2]?.tokens ?? 0) * 3);
  expect(Math.abs(sum(scaled) - sum(plain) * 3)).toBeLessThan(5);
});

it('makes one item of the smallest of many', () => {
  const tools = Array.from({ length: 40 }, (_, index) => ({
    group: `s${index}`,
    tokens: index + 1,
  }));
  const [part] = breakDown({ systemPrompt: '', instructions: [], tools, messages: [] }, estimate);
  expect(part?.items).toHaveLength(12);
  expect(part?.items.at(-1)).toMatchObject({ name: '29 more' });
  expect(part?.tokens).toBe(820);
});

it('shows what is hidden in the names that others give', () => {
  const tools = [{ group: 'git\u202ebuh', tokens: 9 }];
  const instructions = [{ name: 'a\u200b.md', text: letters(40) }];
  const parts = breakDown({ systemPrompt: '', instructions, tools, messages: [] }, estimate);
  const names = parts.flatMap(({ items }) => items.map(({ name }) => name));
  expect(names).toHaveLength(2);
  expect(names.join()).not.toMatch(/[\u202e\u200b]/);
  // and nothing else is changed
  expect(names.join()).toMatch(/^a.+\.md,git.+buh$/);
});

it('adds up what requests used, those for summaries included', () => {
  const usage = { input: 10, output: 5, cacheRead: 30, cacheWrite: 0, cost: { total: 0.5 } };
  const entries = [
    { type: 'message', message: { role: 'user' } },
    { type: 'message', message: { role: 'assistant', usage } },
    { type: 'compaction', usage },
    { type: 'message', message: { role: 'user' } },
    { type: 'message', message: { role: 'assistant', usage } },
  ] as unknown as readonly PiSessionEntry[];
  expect(spentIn(entries)).toEqual({ requests: 3, sent: 120, cached: 90, received: 15, cost: 1.5 });
  expect(spentLast(entries)).toMatchObject({ requests: 1, cost: 0.5 });
  expect(spentLast(entries.slice(0, 1))).toBeUndefined();
});
