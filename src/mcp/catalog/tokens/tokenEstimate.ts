/** What a tool definition costs in every model request. */
import { nextTurn } from '../../../base/async/nextTurn.js';
import { once } from '../../../base/async/onFirstUse.js';
import type { JsonObject } from '../../../base/json.js';

export type TokenCounter = (text: string) => number;

/** A tool as a request carries it. */
export interface ToolDefinitionText {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
}

/** Real counts of the o200k vocabulary, within a few percent of the others; loaded once, on first use. */
export const loadTokenCounter: () => Promise<TokenCounter> = once(async () => {
  const { createTokenCounter } = await import('./o200kTokens.js');
  return await createTokenCounter();
});

/** As Pi estimates. */
const charactersPerToken = 4;

/** Without the vocabulary, which takes a moment. */
export function guessTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** Tokens of a text, of which only the beginning is counted: what follows is taken to be like it. */
export function countBeginning(text: string, countTokens: TokenCounter, length: number): number {
  const counted = text.slice(0, length);
  const tokens = countTokens(counted);
  return text.length > length ? Math.round((tokens * text.length) / length) : tokens;
}

/** Characters: a few milliseconds, whatever they are. */
const countedPerTurn = 4_000;

/** Tokens of a text, while others have their turn. A word that is cut between two turns may count one more or less. */
export async function countInTurns(text: string, countTokens: TokenCounter): Promise<number> {
  let tokens = 0;
  let start = 0;
  while (start < text.length) {
    if (start > 0) {
      await nextTurn();
    }
    const end = wholeCharacter(text, start + countedPerTurn);
    tokens += countTokens(text.slice(start, end));
    start = end;
  }
  return tokens;
}

/** Not within a pair. */
function wholeCharacter(text: string, end: number): number {
  const isWithin = /^[\uDC00-\uDFFF]/.test(text.charAt(end));
  return isWithin ? end + 1 : end;
}

/** Tokens of the definition in the form that chat APIs send. */
export function countToolTokens(tool: ToolDefinitionText, countTokens: TokenCounter): number {
  return countTokens(
    JSON.stringify({
      name: tool.name,
      description: tool.description ?? '',
      parameters: tool.inputSchema,
    }),
  );
}
