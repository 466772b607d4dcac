import type { JsonObject } from '../../base/json.js';
import { countToolTokens, type TokenCounter } from '../../mcp/catalog/tokens/tokenEstimate.js';
import type { PiTool } from './piModule.js';

export type PricedTool = Pick<PiTool, 'name' | 'description' | 'parameters'>;

const prices = new WeakMap<object, { name: string; description: string; tokens: number }>();

/** What a tool of Pi's costs in every request. Counting takes a moment, and definitions stay the same for long. */
export function piToolTokens(tool: PricedTool, countTokens: TokenCounter): number {
  const { name, description, parameters } = tool;
  const known = prices.get(parameters);
  if (known?.description === description && known.name === name) {
    return known.tokens;
  }
  const inputSchema = parameters as unknown as JsonObject;
  const tokens = countToolTokens({ name, description, inputSchema }, countTokens);
  prices.set(parameters, { name, description, tokens });
  return tokens;
}
