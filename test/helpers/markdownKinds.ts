/** Markdown of which a model may write any number in a row. */
import {
  type BlockChange,
  MarkdownStream,
} from '../../src/webview/agent/markdown/markdownStream.js';
import { markdownHtml } from '../../src/webview/agent/markdown/markdownTokens.js';

const emphasis = ['_', '*', '_a__', '_a_', '__a_', '*a**', '**a*', '*a', '**a', '***a', 'a_', 'a*'];
const mixed = ['*_a', '**_a__', '~~a', '~a~~', 'ghp_', 'ghp_a', 'sk-', '_*', '[*a', '`_'];
const blocks = [
  '>',
  '> ',
  '>\n',
  '>a\n',
  '> - ',
  '- ',
  '- a\n',
  '- - ',
  '1.',
  '1. ',
  '1. a\n',
  '1) ',
];
const lists = ['* ', '+ ', '- [ ] ', '  - a\n', '   1. a\n', '\n- ', '\n1. ', '\n>', '- a\n\n'];
const code = ['`', '``a', '`a', '```\n', '~~~\n', '    a\n', '\n    ', '\t'];
const links = ['[', '[a', '[a](', '[a](b', '](', '[a][', '[a]: b\n', '![', '![a](', '<http://a'];
const html = ['<', '<a', '<a ', '</', '<!--', '<?', '<![CDATA[', '&', '&amp;', '&#'];
const addresses = ['http://a.', 'www.a.', 'a@b.', '@'];
const tables = ['|', '|a', 'a|b\n', '|-', '|-|\n', 'a|b\n-|-\n', '|a|b|\n|-|-|\n'];
const lines = [
  '\n',
  '\r\n',
  '\n\n',
  'a\n',
  'a  \n',
  'a\n\n',
  '#',
  '# a\n',
  '=\n',
  'a\n=\n',
  '---\n',
];
const texts = ['a', 'a ', 'é', '\ud800', '\\', '\\*', '"', "'"];

const kinds = [
  ...[emphasis, mixed, blocks, lists, code, links, html, addresses, tables, lines, texts].flat(),
];

/** Of each as many as fit. */
export const markdownInputs: Readonly<Record<string, (size: number) => string>> =
  Object.fromEntries(
    kinds.map((kind) => [
      JSON.stringify(kind),
      (size: number) => kind.repeat(Math.ceil(size / kind.length)),
    ]),
  );

/** Draws a complete answer. */
export function drawWhole(text: string): string {
  const change = new MarkdownStream().update(text, true);
  return change ? htmlOf(change) : '';
}

/** Draws an answer that comes in a hundred pieces. */
export function drawStreamed(text: string): void {
  const stream = new MarkdownStream();
  for (let piece = 1; piece <= 100; piece++) {
    const change = stream.update(text.slice(0, Math.ceil((text.length * piece) / 100)), false);
    if (change && !change.grown) {
      htmlOf(change);
    }
  }
}

function htmlOf({ added, links }: Pick<BlockChange, 'added' | 'links'>): string {
  return added.map((token) => markdownHtml(token, links)).join('');
}
