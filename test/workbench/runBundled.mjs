// @ts-check
/** Runs a program that is written in TypeScript. Needs the packages of node_modules. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { repository } from './paths.mjs';

/**
 * @param {string} entry relative to the repository
 * @param {readonly string[]} args
 * @returns {Promise<number>} exit status
 */
export async function runBundled(entry, args) {
  // beside node_modules, so that packages load as themselves
  const bundle = join(repository, '.workbench', 'programs', `${entry.replaceAll('/', '-')}.mjs`);
  await build({
    entryPoints: [join(repository, entry)],
    outfile: bundle,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const { status } = spawnSync(process.execPath, ['--expose-gc', bundle, ...args], {
    cwd: repository,
    stdio: 'inherit',
  });
  return status ?? 1;
}
