/** The vocabulary of the token counter. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import * as esbuild from 'esbuild';
import { isMinified, root } from './settings.mjs';

export const vocabularyFile = 'o200k.bin.br';

/**
 * The vocabulary of the token counter is a file of its own, which is looked up in as it is. It is unpacked on another thread:
 * nothing of it holds up the one that everything else runs on.
 */
export const vocabularyPlugin = {
  name: 'vocabulary',
  setup(build) {
    build.onLoad({ filter: /tokens\Wvocabulary\.ts$/ }, async ({ path }) => {
      const packer = readFileSync(join(dirname(path), 'packVocabulary.ts'), 'utf8');
      const { code } = await esbuild.transform(packer, { loader: 'ts' });
      const { packVocabulary } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
      const { default: tokens } = await import('gpt-tokenizer/bpeRanks/o200k_base');
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: isMinified ? 10 : 5,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      };
      const packed = brotliCompressSync(packVocabulary(tokens), { params });
      writeFileSync(join(root, 'dist', vocabularyFile), packed);
      const contents = `import { readFile } from 'node:fs/promises';
        import { join } from 'node:path';
        import { promisify } from 'node:util';
        import { brotliDecompress } from 'node:zlib';
        export async function readVocabulary() {
          const packed = await readFile(join(__dirname, '${vocabularyFile}'));
          return promisify(brotliDecompress)(packed, { chunkSize: 2 ** 22 });
        }`;
      return { contents };
    });
  },
};
