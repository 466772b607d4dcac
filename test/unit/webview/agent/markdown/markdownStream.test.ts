import * as fc from 'fast-check';
import type { Token, TokensList } from 'marked';
import { expect, it } from 'vitest';
import { MarkdownStream } from '../../../../../src/webview/agent/markdown/markdownStream.js';
import { lexMarkdown } from '../../../../../src/webview/agent/markdown/markdownTokens.js';

/** Follows a stream as a page does. */
function follow(lex?: (text: string) => TokensList) {
  const stream = new MarkdownStream(lex);
  const blocks: string[] = [];
  return {
    blocks,
    update(text: string, isComplete = false) {
      const change = stream.update(text, isComplete);
      if (change) {
        blocks.length = change.kept;
        blocks.push(...change.added.map(({ raw }) => raw));
      }
      return change;
    },
  };
}

const paragraph = 'Some words of an answer, with **bold** ones and `code`, and a few more.\n\n';
const rawsOf = (text: string) => lexMarkdown(text).map(({ raw }) => raw);

it('reads with each step what is new and the last blocks, however long the text is', () => {
  const read: number[] = [];
  const { update } = follow((text) => {
    read.push(text.length);
    return lexMarkdown(text);
  });
  const count = 900;
  for (let length = 1; length <= count; length++) {
    update(paragraph.repeat(length));
  }
  expect(paragraph.length * count).toBeGreaterThan(64 * 1024);
  expect(Math.max(...read)).toBeLessThanOrEqual(paragraph.length * 3);
});

it('does not read a block of code again while it grows, and reads its end', () => {
  const read: number[] = [];
  const { update, blocks } = follow((text) => {
    read.push(text.length);
    return lexMarkdown(text);
  });
  let text = 'Well:\n\n```ts\n';
  update(text);
  const add = (more: string) => {
    text += more;
    return update(text);
  };
  add('const');
  read.length = 0;
  for (let line = 0; line < 300; line++) {
    expect(add(` a = ${line};\nconst`)).toMatchObject({ kept: 2, grown: {} });
  }
  expect(read).toEqual([]);
  add(' b;\n```\n\nThat is it.');
  expect(read).toHaveLength(1);
  expect(blocks).toEqual(rawsOf(text));
});

it('draws code that grows as if it had come at once', () => {
  const line = fc.constantFrom(
    'a',
    '',
    ' ',
    '`',
    '``',
    '~~',
    '    x',
    '# no',
    '- no',
    '> no',
    '\t',
    '| a |',
  );
  const fence = fc.constantFrom('```', '````', '~~~', '``` ts', '  ```', '```a`b');
  const code = fc
    .tuple(fence, fc.array(line, { maxLength: 8 }), fence, fc.array(line, { maxLength: 3 }))
    .map(([open, inside, close, after]) => [open, ...inside, close, ...after].join('\n'));
  const shown = (token: Token | undefined) =>
    token?.type === 'code' && token.text !== ''
      ? `${String(token.text).replace(/\n$/, '')}\n`
      : undefined;
  fc.assert(
    fc.property(fc.array(code, { maxLength: 3 }), fc.nat(4), (parts, step) => {
      const text = parts.join('\n');
      const stream = new MarkdownStream();
      let tokens: Token[] = [];
      for (let length = 0; length <= text.length; length += step + 1) {
        const change = stream.update(text.slice(0, length), false);
        if (!change) {
          continue;
        }
        const { kept, added, grown } = change;
        if (grown) {
          const before = shown(tokens[kept]) ?? '';
          expect(before.slice(0, grown.from) + grown.added).toBe(shown(added[0]));
        }
        tokens = [...tokens.slice(0, kept), ...added];
        const whole = lexMarkdown(text.slice(0, length));
        expect(tokens.map(({ raw }) => raw)).toEqual(whole.map(({ raw }) => raw));
        expect(tokens.map(shown)).toEqual(whole.map(shown));
      }
    }),
  );
});

it('does not read a long block of code again once it is closed', () => {
  const read: number[] = [];
  const { update } = follow((text) => {
    read.push(text.length);
    return lexMarkdown(text);
  });
  const code = `\`\`\`ts\n${'const a = 1;\n'.repeat(3_000)}\`\`\`\n`;
  update(code);
  update(`${code}\nWell`);
  read.length = 0;
  update(`${code}\nWell then`);
  expect(read).toHaveLength(1);
  expect(read[0]).toBeLessThan(20);
});

it('leaves all blocks in place when the answer is complete, unless a link was defined late', () => {
  const text = paragraph.repeat(20);
  const plain = follow();
  plain.update(text);
  expect(plain.update(text, true)).toMatchObject({ kept: plain.blocks.length, added: [] });
  const linked = follow();
  linked.update(`See [this][1].\n\n${text}`);
  const whole = `See [this][1].\n\n${text}[1]: https://example.com\n`;
  linked.update(whole);
  expect(linked.update(whole, true)).toMatchObject({
    kept: 0,
    links: { 1: { href: 'https://example.com' } },
  });
});

it('starts over with a text that does not continue the shown one, and says nothing when nothing changed', () => {
  const { update, blocks } = follow();
  update(paragraph.repeat(5));
  update('Other');
  expect(blocks).toEqual(['Other']);
  expect(update('Other')).toBeUndefined();
});

it('reads line ends of other systems', () => {
  const { update, blocks } = follow();
  const text = paragraph.repeat(10).replaceAll('\n', '\r\n');
  for (let end = 0; end <= text.length; end += 7) {
    update(text.slice(0, end));
  }
  update(text, true);
  expect(blocks).toEqual(rawsOf(text));
});

const blockTexts = [
  'A paragraph of words.\n\n',
  'Two lines\nof a paragraph.\n\n',
  '# Title\n\n',
  'Title\n---\n\n',
  '- one\n- two\n\n',
  '- one\n\n- two, loose\n\n  with more\n\n',
  '1. first\n2. second\n\n',
  '```ts\nconst a = 1;\n\n- no list\n```\n\n',
  '~~~\n# no title\n~~~\n',
  '> quoted\nlazy\n\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n\n',
  '---\n\n',
  '    indented code\n\n',
  '<div>raw</div>\n\n',
  '**bold** and [a link](https://example.com)\n\n',
];

it('shows at every step what reading the whole would show', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...blockTexts), { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
      (parts, lengths) => {
        const whole = parts.join('');
        const { update, blocks } = follow();
        for (let end = 0, step = 0; end < whole.length; step++) {
          end = Math.min(whole.length, end + (lengths[step % lengths.length] ?? 1));
          const text = whole.slice(0, end);
          update(text);
          expect(blocks).toEqual(rawsOf(text));
        }
        update(whole, true);
        expect(blocks).toEqual(rawsOf(whole));
      },
    ),
    { numRuns: 300 },
  );
});
