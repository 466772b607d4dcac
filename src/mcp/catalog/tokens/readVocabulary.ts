/** The o200k vocabulary as the package has it; the build takes `readPackedVocabulary.ts` in its place. */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { packVocabulary } from './packVocabulary.js';

type Tokens = Parameters<typeof packVocabulary>[0];

/** See {@link packVocabulary}. Runs in the repository alone, in tests and benchmarks. */
export async function readVocabulary(): Promise<Uint8Array> {
  const require = createRequire(resolve('package.json'));
  const { default: tokens } = require('gpt-tokenizer/bpeRanks/o200k_base') as { default: Tokens };
  return packVocabulary(tokens);
}
