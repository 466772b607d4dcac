import { encode } from '@toon-format/toon';
import { parseJson } from '../../../base/json.js';
import type { McpToolResult } from '../../mcpTypes.js';
import type { TokenCounter } from '../tokens/tokenEstimate.js';

/** Larger texts are cut anyway, and counting them would hold up the editor. */
const maxCharacters = 200_000;

/** Writes texts that are JSON as TOON where that takes fewer tokens. */
export function writeAsToon(result: McpToolResult, countTokens: TokenCounter): McpToolResult {
  const content: McpToolResult['content'][number][] = [];
  for (const block of result.content) {
    const shorter =
      block.type === 'text' && typeof block.text === 'string'
        ? shorterText(block.text, countTokens)
        : undefined;
    content.push(shorter === undefined ? block : { ...block, text: shorter });
  }
  return { ...result, content };
}

function shorterText(text: string, countTokens: TokenCounter): string | undefined {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed) || text.length > maxCharacters) {
    return undefined;
  }
  const value = parseJson(trimmed);
  if (value === undefined) {
    // text that only looks like JSON stays as it is
    return undefined;
  }
  const toon = encode(value);
  // an empty object is an empty text in TOON, which says nothing to a model
  const isShorter = toon !== '' && countTokens(toon) < countTokens(text);
  return isShorter ? toon : undefined;
}

/** The setting `toonEncode`: `true`, or the names of servers. */
export function wantsToon(setting: unknown, server: string): boolean {
  return setting === true || (Array.isArray(setting) && setting.includes(server));
}
