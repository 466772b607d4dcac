/**
 * The lexer of Markdown in linear time. The one that it is made from tries every mark of emphasis against all that
 * follows, and reads what is within a quotation or list again at each level.
 */
import { Lexer, type Token, type TokensList } from 'marked';

/** Quotations and lists within each other. What is deeper is text. */
const maxBlockDepth = 16;
/** Emphasis, links and their like within each other. */
const maxInlineDepth = 8;
/** Characters of a paragraph that are read as one, however many marks there are. */
const pieceLength = 400;
/** Marks of a paragraph times its characters, beyond which it is read in pieces. Hardly anybody writes that. */
const maxWork = 500_000;
/** Characters for each mark of such a piece; with fewer it is text. */
const minPerMark = 4;
/** Marks of emphasis in a paragraph, beyond which it is text when every fourth character is one. */
const maxEmphasis = 48;

const marks = /[\\`*_~[\]<>&!@]|:\/\/|www\./g;
const emphasis = /[*_~]/g;

export class BoundedLexer extends Lexer {
  private blockDepth = 0;
  private inlineDepth = 0;

  override blockTokens(text: string, tokens?: Token[], isClipped?: boolean): Token[];
  override blockTokens(text: string, tokens?: TokensList, isClipped?: boolean): TokensList;
  override blockTokens(text: string, tokens: Token[] = [], isClipped = false): Token[] {
    if (this.blockDepth >= maxBlockDepth) {
      tokens.push(asText(text));
      return tokens;
    }
    this.blockDepth++;
    try {
      return super.blockTokens(text, tokens, isClipped);
    } finally {
      this.blockDepth--;
    }
  }

  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    if (this.inlineDepth >= maxInlineDepth || isAllEmphasis(text)) {
      tokens.push(asText(text));
      return tokens;
    }
    const isCheap = this.inlineDepth > 0 || countOf(marks, text) * text.length <= maxWork;
    this.inlineDepth++;
    try {
      for (const piece of isCheap ? [text] : piecesOf(text)) {
        if (isCheap || countOf(marks, piece) * minPerMark <= piece.length) {
          super.inlineTokens(piece, tokens);
        } else {
          tokens.push(asText(piece));
        }
      }
      return tokens;
    } finally {
      this.inlineDepth--;
    }
  }
}

/** Cut behind a blank, where there is one. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = Math.min(text.length, start + pieceLength);
    const blank = end === text.length ? -1 : text.slice(start, end).search(/\s\S*$/);
    // halves of a character stay together
    const isHalf = /[\ud800-\udbff]/.test(text[end - 1] ?? '');
    const next = blank > 0 ? start + blank + 1 : end + (isHalf && end < text.length ? 1 : 0);
    pieces.push(text.slice(start, next));
    start = next;
  }
  return pieces;
}

function isAllEmphasis(text: string): boolean {
  const count = countOf(emphasis, text);
  return count > maxEmphasis && count * 4 >= text.length;
}

function countOf(pattern: RegExp, text: string): number {
  let count = 0;
  for (const _mark of text.matchAll(pattern)) {
    count++;
  }
  return count;
}

function asText(text: string): Token {
  return { type: 'text', raw: text, text, escaped: false };
}
