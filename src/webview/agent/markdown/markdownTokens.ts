/** Markdown as HTML that is still to be sanitized. Whatever the text, something of it shows. */
import { Marked, type Token, type TokensList } from 'marked';
import { escapeHtml } from '../../../base/text/escapeHtml.js';
import { BoundedLexer } from './boundedLexer.js';
import { filePlaceOf } from './fileLinks.js';

/** Begins the title of a link that leads to a file. */
export const fileMark = 'file:';

const marked = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ text, href }) => escapeHtml(text || href),
    // as title, since classes are taken away; see codeBlock
    code: ({ text, lang = '' }) => {
      const [language = ''] = lang.split(/\s/, 1);
      return `<pre title="${escapeHtml(language)}"><code>${escapeHtml(text)}\n</code></pre>`;
    },
    // as title, since it is no address; see drawBlock
    link({ href, tokens }) {
      const place = filePlaceOf(decoded(href));
      return place === undefined
        ? false
        : `<a title="${escapeHtml(`${fileMark}${decoded(href)}`)}">${this.parser.parseInline(tokens)}</a>`;
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
});

/** The blocks of the text; one of code when it is nested too deeply for anything else. */
export function lexMarkdown(text: string): TokensList {
  try {
    return new BoundedLexer(marked.defaults).lex(text);
  } catch {
    // thousands of quotations within each other exhaust the stack
    return Object.assign([asCode(text)], { links: {} });
  }
}

export function markdownHtml(token: Token, links: TokensList['links']): string {
  try {
    return marked.parser(Object.assign([token], { links }));
  } catch {
    // as above, a little less deep
    return marked.parser([asCode(token.raw)]);
  }
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    // a percent sign that encodes nothing
    return href;
  }
}

function asCode(text: string): Token {
  return { type: 'code', raw: text, text };
}
