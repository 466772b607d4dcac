/** Finds tokens by their shapes. */
import type { TextPart } from './foundSecret.js';
import { tokenShapes } from './tokenShapes.js';

const anyToken = new RegExp(
  `(?<![A-Za-z0-9])(?:${tokenShapes.map(({ pattern }) => pattern).join('|')})`,
  'g',
);

// no token is shorter, and hardly a word is as long: where there is none, no shape is tried
const longRun = /[\w.:/$~+=-]{16,}/;
const longRuns = new RegExp(longRun, 'g');

/** Parts that have the shape of a token, JSON Web Tokens included; they may overlap. */
export function findTokens(text: string): readonly TextPart[] {
  if (text.includes('-----BEGIN')) {
    return findIn(text, 0);
  }
  return longRun.test(text)
    ? [...text.matchAll(longRuns)].flatMap(({ 0: run, index }) => findIn(run, index))
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
