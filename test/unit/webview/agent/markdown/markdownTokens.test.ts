import { expect, it } from 'vitest';
import {
  lexMarkdown,
  markdownHtml,
} from '../../../../../src/webview/agent/markdown/markdownTokens.js';

function htmlOf(text: string): string {
  const tokens = lexMarkdown(text);
  return tokens.map((token) => markdownHtml(token, tokens.links)).join('');
}

it('draws Markdown, and what is no Markdown as text', () => {
  expect(htmlOf('**a** <b>c</b>')).toBe('<p><strong>a</strong> &lt;b&gt;c&lt;/b&gt;</p>\n');
});

it.each(['>', '> ', '- ', '1. ', '[', '**', '<'])('shows ten thousand times "%s"', (unit) => {
  const html = htmlOf(`${unit.repeat(10_000)}end`);
  expect(html).toContain('end');
  expect(html).not.toContain('<end');
});

it('reads long paragraphs, lists in lists and lines of code as ever', () => {
  const sentence = 'Some **bold** words with `a_b_c` and a [link](https://example.com). ';
  const html = htmlOf(sentence.repeat(100));
  expect(html.match(/<strong>bold<\/strong>/g)?.length).toBeGreaterThan(95);
  expect(html.match(/<a href/g)?.length).toBeGreaterThan(95);
  const nested = Array.from({ length: 10 }, (_none, level) => `${'  '.repeat(level)}- level`);
  expect(htmlOf(nested.join('\n')).match(/<ul>/g)).toHaveLength(10);
  expect(htmlOf('**a** _b_ '.repeat(6))).toContain('<em>b</em>');
});

it.each(['*_a', 'a_', '[*a](b) ', '\\*', '~~x'])('keeps all letters of ten thousand %s', (kind) => {
  const text = htmlOf(kind.repeat(10_000)).replace(/<[^>]*>/g, '');
  const letters = (from: string) => [...from].filter((one) => /[a-z]/.test(one)).length;
  expect(letters(text)).toBeGreaterThanOrEqual(letters(kind.replace('(b)', '')) * 10_000);
});
