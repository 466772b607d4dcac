import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import {
  commandLink,
  literalMarkdown,
} from '../../../../../src/presentation/tree/tooltips/literalMarkdown.js';

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
