/** The o200k vocabulary. The build puts a module in this one's place that reads what it packed: see build/vocabulary.mjs. */
import tokens from 'gpt-tokenizer/bpeRanks/o200k_base';
import { packVocabulary } from './packVocabulary.js';

/** See {@link packVocabulary}. */
export async function readVocabulary(): Promise<Uint8Array> {
  return packVocabulary(tokens);
}
