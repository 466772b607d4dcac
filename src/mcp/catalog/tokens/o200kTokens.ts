/** Counts in a vocabulary that weighs two megabytes, and is needed only where tokens are shown or budgeted. */
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { countPairs } from './bytePairs.js';
import { readVocabulary } from './readVocabulary.js';
import { TokenTable } from './tokenTable.js';

const halfOfPair = /\p{Surrogate}/u;

/** Counts in the o200k vocabulary; names of special tokens are text like any other. */
export async function createTokenCounter(): Promise<(text: string) => number> {
  const table = new TokenTable(await readVocabulary());
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(1024);
  return (text: string) => {
    // half of a pair has no bytes of its own, so that what stands for it is no token as a whole
    const isWellFormed = !halfOfPair.test(text);
    let tokens = 0;
    for (const [piece] of text.matchAll(O200K_TOKEN_SPLIT_REGEX)) {
      if (bytes.length < piece.length * 3) {
        bytes = new Uint8Array(piece.length * 3);
      }
      const { written } = encoder.encodeInto(piece, bytes);
      const isToken = isWellFormed && table.rankOf(bytes, 0, written) >= 0;
      tokens += isToken ? 1 : countPairs(bytes, written, table);
    }
    return tokens;
  };
}
