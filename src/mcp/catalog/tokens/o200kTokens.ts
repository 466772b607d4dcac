/** Its own bundle: the vocabulary weighs two megabytes and is needed only where tokens are shown or budgeted. */
import { countTokens as count } from 'gpt-tokenizer/encoding/o200k_base';

export function countTokens(text: string): number {
  return count(text, { disallowedSpecial: new Set() });
}
