// @ts-check
/** The ring `integration` on the Node of Windows. Wine lacks what the native parts of bundlers ask for: theirs of WebAssembly are used. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { posix } from 'node:path';
import { defineConfig } from 'vitest/config';
import { windowsPart } from './windowsRing.mjs';

const slashed = (/** @type {string} */ path) => path.replaceAll('\\', '/');
const root = slashed(process.cwd());

/** The file system of WebAssembly knows no drives. */
const paths = {
  name: 'windows-paths',
  enforce: /** @type {const} */ ('pre'),
  /** @param {string} id @param {string | undefined} importer */
  resolveId(id, importer) {
    if (id === 'esbuild') {
      return slashed(createRequire(import.meta.url).resolve('esbuild-wasm'));
    }
    if (/^\/(?:src|test|\.workbench)\//.test(id)) {
      return root + id;
    }
    if (!id.startsWith('.') || importer === undefined) {
      return undefined;
    }
    const path = posix.join(posix.dirname(slashed(importer).replace(/^\/(?=[A-Z]:)/, '')), id);
    return [path, path.replace(/\.js$/, '.ts')].find((one) => existsSync(one));
  },
};

export default defineConfig({
  plugins: [paths],
  test: {
    name: 'integration',
    ...windowsPart,
    // processes of Wine cost more than threads
    pool: 'threads',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
