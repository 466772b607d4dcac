/** What a tool definition costs in every model request. */
import { once } from '../../../base/async/once.js';
import type { JsonObject } from '../../../base/json.js';
import { createTokenCounter } from './o200kTokens.js';

export type TokenCounter = (text: string) => number;

/** A tool as a request carries it. */
export interface ToolDefinitionText {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
}

/**
 * Real counts of the o200k vocabulary, within a few percent of the others. Read on first use, which saves a window that
 * counts nothing 30 ms and 5 MB.
 */
export const loadTokenCounter: () => Promise<TokenCounter> = once(createTokenCounter);

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
