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
