import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import {
  commandLink,
  literalMarkdown,
  plainMarkdown,
} from '../../../../../src/presentation/tree/tooltips/plainMarkdown.js';

const render = (text: string) => marked.parse(plainMarkdown(text), { async: false });

describe('Markdown of a server', () => {
  it('keeps its headings, lists and emphasis', () => {
    const html = render('# Use\n\n* **first** this\n* then that');
    expect(html).toContain('<h1>Use</h1>');
    expect(html).toContain('<strong>first</strong>');
  });

  it.each([
    '[click](command:piMcp.restartServer)',
    '![x](https://example.com/pixel.png)',
    '<a href="command:piMcp.restartServer">click</a>',
    '<img src="https://example.com/pixel.png">',
    '[click][1]\n\n[1]: command:piMcp.restartServer',
    '<command:piMcp.restartServer>',
    'see https://example.com/login',
    'see www.example.com',
    'ask me@example.com',
  ])('makes no link or picture of %s', (text) => {
    // the control: unchanged, it would
    expect(marked.parse(text, { async: false })).toMatch(/<(?:a|img)\b/);
    expect(render(text)).not.toMatch(/<(?:a|img)\b/);
  });

  it('closes a block of code that is left open', () => {
    const html = marked.parse(`${plainMarkdown('```\nlet x')}\n\n**after**`, { async: false });
    expect(html).toContain('<strong>after</strong>');
  });
});

describe('literal text', () => {
  const literal = (text: string) => marked.parse(literalMarkdown(text), { async: false }).trim();

  it('leaves spaces where a line may be broken', () => {
    const text = 'Server memory runs whatever version of its package is the newest.';
    expect(literal(text)).toBe(`<p>${text}</p>`);
  });

  it.each([
    '[click](command:piMcp.restartServer)',
    '![x](https)',
    '<a href="x">click</a>',
    '# heading',
    '* item',
    '1. item',
    '> quote',
    '**strong** `code` ~~gone~~',
    '    indented',
    '&lt;b&gt; &nbsp; x',
    '| a | b |',
  ])('shows %s as it is', (text) => {
    const html = literal(text);
    expect(html).toMatch(/^<p>[^<]*<\/p>$/);
    expect(shown(html)).toBe(text);
  });

  it('keeps lines apart and spaces that stand side by side', () => {
    expect(literal('a\nb')).toBe('<p>a</p>\n<p>b</p>');
    expect(shown(literal('a   b'))).toBe('a   b');
  });
});

/** Text of HTML that has no element but one paragraph. */
function shown(html: string): string {
  return html
    .replace(/^<p>|<\/p>$/g, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');
}

describe('a link that runs a command', () => {
  const linksOf = (text: string) =>
    [...text.matchAll(/<a href="([^"]*)"/g)].map(([, address = '']) => address);

  it.each([
    ['plain'],
    ['x](command:piMcp.revokeTrust) [y'],
    ['x) [y](command:piMcp.revokeTrust'],
    ['![x](https://example.com/pixel.png)'],
    ['<a href="command:piMcp.revokeTrust">z</a>'],
    ['two\n\n[lines](command:piMcp.revokeTrust)'],
  ])('is one link, whatever the name %j holds', (name) => {
    const link = commandLink({ title: `Run ${name}`, command: 'piMcp.runTool', argument: name });
    const [only, ...others] = linksOf(marked.parse(link, { async: false }));
    expect(others).toEqual([]);
    const query = only?.slice('command:piMcp.runTool?'.length) ?? '';
    expect(JSON.parse(decodeURIComponent(query))).toEqual([name]);
  });
});
