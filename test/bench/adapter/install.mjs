// @ts-check
/** Fetches the peer that the benchmarks compare with, into a folder that is never committed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { installPackages } from '../../workbench/packages.mjs';

const adapterVersion = '2.36.0';
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
      // its peers are those of this repository
      installPackages(prefix, [`${packageName}@${adapterVersion}`]);
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
