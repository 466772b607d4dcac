/** Finds tokens by their shapes. */
import { addAll } from '../../base/lists.js';
import type { TextPart } from './foundSecret.js';
import { tokenShapes } from './tokenShapes.js';

const anyToken = new RegExp(
  `(?<![A-Za-z0-9])(?:${tokenShapes.map(({ pattern }) => pattern).join('|')})`,
  'g',
);

// no token is shorter, and hardly a word is as long: where there is none, no shape is tried
const longRun = /[\w.:/$~+=-]{16,}/;
const longRuns = new RegExp(longRun, 'g');

/** Characters that are looked at in one go: a run of several megabytes exhausts the stack of a pattern. */
const pieceLength = 1024 * 1024;
/** More than a token has. */
const overlap = 16 * 1024;

/** Parts that have the shape of a token, JSON Web Tokens included; they may overlap. */
export function findTokens(text: string): readonly TextPart[] {
  if (text.length <= pieceLength) {
    return findInPiece(text, 0);
  }
  const found: TextPart[] = [];
  for (let at = 0; at < text.length; at += pieceLength - overlap) {
    const parts = findInPiece(text.slice(at, at + pieceLength), at);
    // nothing is known of what stands before the first character; the piece before has it
    addAll(found, at === 0 ? parts : parts.filter(({ start }) => start > at));
  }
  return found;
}

function findInPiece(text: string, start: number): readonly TextPart[] {
  if (text.includes('-----BEGIN')) {
    return findIn(text, start);
  }
  return longRun.test(text)
    ? [...text.matchAll(longRuns)].flatMap(({ 0: run, index }) => findIn(run, start + index))
    : [];
}

function findIn(text: string, start: number): readonly TextPart[] {
  const parts: TextPart[] = findWebTokens(text, start);
  for (const { 0: token, index } of text.matchAll(anyToken)) {
    parts.push({ start: start + index, end: start + index + token.length });
  }
  return parts;
}

/** Who issued the token; the more exact shape stands behind the wider one. `undefined`: not one of these. */
export function tokenService(token: string): string | undefined {
  return tokenShapes.findLast(({ pattern }) => new RegExp(`^(?:${pattern})$`).test(token))?.service;
}

// at the beginning of its first part, so that every part is looked at once however the text goes on
const webTokenParts = /(?<![\w-])([\w-]+)\.(?=[\w-]{10,}\.)/g;
const webTokenStart = /\beyJ[\w-]{10,}$/;
const restOfWebToken = /[\w-]+\.[\w-]*/y;

/** JSON Web Tokens: three parts with dots between them, the first of which begins with that of a JSON object. */
function findWebTokens(text: string, start: number): TextPart[] {
  if (!text.includes('eyJ')) {
    return [];
  }
  const found: TextPart[] = [];
  let done = 0;
  for (const { 0: lead, 1: first = '', index } of text.matchAll(webTokenParts)) {
    const at = webTokenStart.exec(first)?.index;
    if (at === undefined || index + at < done) {
      continue;
    }
    restOfWebToken.lastIndex = index + lead.length;
    restOfWebToken.test(text);
    done = restOfWebToken.lastIndex;
    found.push({ start: start + index + at, end: start + done });
  }
  return found;
}
