/** The o200k vocabulary as the build packed it. */
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { readBinaryFile } from '../../../platform/boundedFile.js';

/** The file beside the code, unpacked on another thread. See `packVocabulary`. */
export async function readPackedVocabulary(): Promise<Uint8Array> {
  const packed = await readBinaryFile(join(__dirname, 'o200k.bin.br'), 2_000_000);
  return promisify(brotliDecompress)(packed);
}
