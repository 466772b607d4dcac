import { guardScript } from './guardScript.js';

/**
 * Puts the guard behind the doctype, which has to come first, and ahead of everything else. No frame of the document
 * has one written into it: the attribute is misspelt wherever it stands, in scripts as well.
 */
export function guardDocument(html: string): string {
  const end = endOfDoctype(html);
  const rest = html.slice(end).replaceAll(/srcdoc/gi, 'srcd0c');
  return `${html.slice(0, end)}<script>${guardScript}</script>${rest}`;
}

const doctype = '<!doctype';

/** 0 when anything but blanks and comments stands before it; they end where the HTML standard ends them. */
function endOfDoctype(html: string): number {
  let at = skipBlanks(html, 0);
  while (html.startsWith('<!--', at)) {
    const end = endOfComment(html, at);
    if (end === undefined) {
      return 0;
    }
    at = skipBlanks(html, end);
  }
  const isDoctype = html.slice(at, at + doctype.length).toLowerCase() === doctype;
  return isDoctype ? html.indexOf('>', at) + 1 : 0;
}

function skipBlanks(html: string, start: number): number {
  let at = start;
  while (at < html.length && '\t\n\f\r '.includes(html.charAt(at))) {
    at++;
  }
  return at;
}

const commentEnd = /--!?>/g;

function endOfComment(html: string, start: number): number | undefined {
  const text = start + '<!--'.length;
  for (const abrupt of ['>', '->']) {
    if (html.startsWith(abrupt, text)) {
      return text + abrupt.length;
    }
  }
  commentEnd.lastIndex = text;
  return commentEnd.test(html) ? commentEnd.lastIndex : undefined;
}
