import { expect, it } from 'vitest';
import { capResult } from '../../../../src/agent/context/resultCap.js';

/** As many tokens as characters. */
const countTokens = (text: string) => text.length;
const text = (value: string) => ({ type: 'text' as const, text: value });
const cap = (content: Parameters<typeof capResult>[0], keeps: 'beginning' | 'end' = 'beginning') =>
  capResult(content, { window: 20_000, countTokens, keeps }).map((block) =>
    block.type === 'text' ? block.text : block.type,
  );
const lines = Array.from({ length: 300 }, (_, at) => `line ${String(at + 1).padStart(4)}\n`).join(
  '',
);

it('leaves what fits as it is', () => {
  const content = [text('a'.repeat(1_000)), text('b'.repeat(1_000))];
  expect(capResult(content, { window: 20_000, countTokens, keeps: 'end' })).toEqual(content);
});

it('keeps whole lines of the beginning, or of the end of what a command says', () => {
  const [beginning = ''] = cap([text(lines)]);
  expect(beginning).toMatch(/^line {4}1\n/);
  expect(beginning).toMatch(/\nline +(\d+)\n\[The first of it, \1 of 301 lines: /);
  const [end = ''] = cap([text(lines)], 'end');
  expect(end).toMatch(/^\[The last of it, \d+ of 301 lines: [^\]]+\]\nline /);
  expect(end).toMatch(/line {2}300\n$/);
  expect(end.length).toBeLessThan(2_300);
});

it('cuts a line that is too long by itself', () => {
  const [only = ''] = cap([text('x'.repeat(50_000))]);
  expect(only).toMatch(/^x{2000}\n\[The first of it, a part of a line: /);
});

it('gives what is left of the room to the next block, and leaves pictures', () => {
  const picture = { type: 'image' as const, data: 'a', mimeType: 'image/png' };
  const [first, shown, second = ''] = cap([text('a'.repeat(1_990)), picture, text(lines)]);
  expect(first).toHaveLength(1_990);
  expect(shown).toBe('image');
  expect(second).toMatch(/^\n?.{0,10}\n?\[The first of it/);
});

it('leaves a thousand tokens to the smallest model', () => {
  const content = [text('a'.repeat(1_000))];
  expect(capResult(content, { window: 2_000, countTokens, keeps: 'end' })).toEqual(content);
});
