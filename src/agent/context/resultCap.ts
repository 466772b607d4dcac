/** One result of a tool may not fill the window of a small model. */
import { countBeginning, type TokenCounter } from '../../mcp/catalog/tokens/tokenEstimate.js';
import type { PiToolResult } from '../pi/piModule.js';

/** Of what the model takes. */
const share = 0.1;
/** Tokens that a result may have whatever the model takes. */
const least = 1_000;
/** Characters of a result that are counted; what is longer is estimated by them. */
const countedLength = 4_000;

/** Tokens of what a tool gave. */
export function countResult(text: string, countTokens: TokenCounter): number {
  return countBeginning(text, countTokens, countedLength);
}

export interface CapOptions {
  /** Tokens that the model takes. */
  readonly window: number;
  readonly countTokens: TokenCounter;
  /** Which part is left of a text that is too long: of what a command says the end tells how it went. */
  readonly keeps: 'beginning' | 'end';
}

/** @returns what fits. Pictures stay. */
export function capResult(
  content: PiToolResult['content'],
  { window, countTokens, keeps }: CapOptions,
): PiToolResult['content'] {
  let left = Math.max(least, Math.floor(window * share));
  return content.map((block) => {
    if (block.type !== 'text') {
      return block;
    }
    const size = countResult(block.text, countTokens);
    if (size <= left) {
      left -= size;
      return block;
    }
    const text = cut(block.text, Math.floor((block.text.length * left) / size), keeps);
    left = 0;
    return { ...block, text };
  });
}

/** At the end of a line, where there is one. The note is for the model, so in English. */
function cut(text: string, length: number, keeps: CapOptions['keeps']): string {
  const isEnd = keeps === 'end';
  const part = isEnd ? text.slice(text.length - length) : text.slice(0, length);
  const lineEnd = isEnd ? part.indexOf('\n') : part.lastIndexOf('\n');
  const whole = lineEnd === -1 ? part : isEnd ? part.slice(lineEnd + 1) : part.slice(0, lineEnd);
  const count = (one: string) => one.split('\n').length;
  const lines = lineEnd === -1 ? 'a part of a line' : `${count(whole)} of ${count(text)} lines`;
  const note = `[The ${isEnd ? 'last' : 'first'} of it, ${lines}: one result may fill a tenth of what you can take. Ask for less, or for the rest.]`;
  return isEnd ? `${note}\n${whole}` : `${whole}\n${note}`;
}
