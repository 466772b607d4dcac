import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import { repository } from '../workbench/paths.mjs';

export interface Script {
  /** Absolute; known when the tests run. */
  readonly path: string;
}

const requireInModules =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** A script runs in folders from which the package of the vocabulary is not found, so it brings it along. */
const ownVocabulary: Plugin = {
  name: 'own-vocabulary',
  setup: ({ onLoad }) =>
    onLoad({ filter: /tokens\WreadVocabulary\.ts$/ }, ({ path }) => ({
      contents: `import tokens from 'gpt-tokenizer/bpeRanks/o200k_base';
        import { packVocabulary } from './packVocabulary.js';
        export const readVocabulary = async () => packVocabulary(tokens);`,
      resolveDir: dirname(path),
    })),
};

/**
 * As {@link useScript}, with all packages as they are installed: for what loads Pi, which finds its own files beside it.
 */
export function useProgram(entry: string): Script {
  const path = join(repository, '.workbench', 'programs', `${entry.replaceAll('/', '-')}.mjs`);
  beforeAll(async () => {
    await build({
      absWorkingDir: repository,
      entryPoints: [entry],
      outfile: path,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'error',
    });
  });
  return { path };
}

/**
 * Makes a TypeScript file of ours a script that `node` runs, once for the tests of a file.
 * @param entry relative to the repository
 * @param format `cjs` for what is packaged so
 */
export function useScript(entry: string, format: 'esm' | 'cjs' = 'esm'): Script {
  let folder = '';
  const name = `${basename(entry, '.ts')}.${format === 'esm' ? 'mjs' : 'cjs'}`;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pi-mcp-script-'));
    await build({
      absWorkingDir: repository,
      entryPoints: [entry],
      outfile: join(folder, name),
      bundle: true,
      platform: 'node',
      format,
      target: 'node20',
      mainFields: ['module', 'main'],
      plugins: [ownVocabulary],
      logLevel: 'error',
      ...(format === 'esm' ? { banner: { js: requireInModules } } : {}),
    });
  });
  afterAll(() => rm(folder, { recursive: true }));
  return {
    get path() {
      return join(folder, name);
    },
  };
}
