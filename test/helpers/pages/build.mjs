// @ts-check
/** Bundles the pages as they are packaged, and what the extension adds to them. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { pageBundles } from '../../../build/bundles.mjs';
import { repository } from '../../workbench/paths.mjs';

/** @typedef {typeof import('../../../src/presentation/pageHtml.js')} Html */
/** @typedef {typeof import('../../../src/presentation/configPage/formModel.js')} Forms */
/** @typedef {Pick<Html, 'pageHtml' | 'textsJson'> & Pick<Forms, 'formModels'>} PageSources */

const sources = `
export { pageHtml, textsJson } from './src/presentation/pageHtml.ts';
export { formModels } from './src/presentation/configPage/formModel.ts';
`;

/** @param {string} dir where `BuiltPages` finds them */
export async function buildPages(dir) {
  const quiet = /** @type {const} */ ({ minify: true, metafile: false, logLevel: 'error' });
  await Promise.all([
    ...pageBundles.map((bundle) =>
      build(/** @type {import('esbuild').BuildOptions} */ ({ ...bundle, ...quiet, outdir: dir })),
    ),
    build({
      stdin: { contents: sources, resolveDir: repository, loader: 'ts' },
      outfile: join(dir, 'sources.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
      banner: {
        js: 'import { createRequire } from "node:module"; const require = createRequire("/");',
      },
    }),
  ]);
}

/** The files of pages by their paths in the extension. */
export class BuiltPages {
  /** @type {Map<string, Buffer>} */
  #files = new Map();

  /** @param {string} dir that {@link buildPages} filled */
  constructor(dir) {
    this.dir = dir;
  }

  /** @returns {Promise<PageSources>} */
  async sources() {
    return await import(pathToFileURL(join(this.dir, 'sources.mjs')).href);
  }

  /** @param {string} path @returns {Buffer | undefined} */
  read(path) {
    const place = join(this.dir, basename(path));
    const content = this.#files.get(path) ?? (existsSync(place) ? readFileSync(place) : undefined);
    if (content) {
      this.#files.set(path, content);
    }
    return content;
  }
}
