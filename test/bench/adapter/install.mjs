// @ts-check
/** Fetches the peer that the benchmarks compare with, into a folder that is never committed. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

export const adapterVersion = '2.36.0';
const packageName = 'pi-mcp-adapter';

/**
 * @param {string} dir absolute; kept for the next time
 * @returns {Promise<{ path: string } | { reason: string }>} the adapter as one module, or why there is none
 */
export async function prepareAdapter(dir) {
  const prefix = join(dir, `${packageName}-${adapterVersion}`);
  const source = join(prefix, 'node_modules', packageName, 'index.ts');
  try {
    if (!existsSync(source)) {
      install(prefix);
    }
    const path = join(prefix, 'adapter.mjs');
    await build({
      entryPoints: [source],
      outfile: path,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
      // it reads files that lie beside its sources
      define: { 'import.meta.url': JSON.stringify(`file://${source}`) },
    });
    return { path };
  } catch (error) {
    return {
      reason: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error),
    };
  }
}

/** @param {string} prefix */
function install(prefix) {
  mkdirSync(prefix, { recursive: true });
  // its peers are those of this repository; scripts of packages are not run
  const flags = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--prefix', prefix, ...flags, `${packageName}@${adapterVersion}`],
    { encoding: 'utf8', timeout: 240_000, shell: process.platform === 'win32' },
  );
  if (status !== 0) {
    throw new Error(stderr?.trim().split('\n').at(-1) || 'npm did not install it');
  }
}
