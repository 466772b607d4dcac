/**
 * Builds dist/ from the table in build/bundles.mjs, or the bundles that are named.
 * Flags: --watch, --minify, --maps, --sizes.
 */
import { EventEmitter, once } from 'node:events';
import { mkdirSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as esbuild from 'esbuild';
import { copyAssets, writeMaterials, writeNotices } from './build/assets.mjs';
import { bundles, root, sources } from './build/bundles.mjs';

const has = (flag) => process.argv.includes(flag);
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const folder = join(root, 'dist');
// `external`: what is built with maps is what is shipped without them, to the byte
const sourcemap = has('--minify') ? has('--maps') && 'external' : 'linked';
const options = bundles
  .filter(({ entryPoints }) => !names[0] || names.some((name) => name in entryPoints))
  .map((bundle) => ({ minify: has('--minify'), sourcemap, ...bundle }));

if (!names[0]) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'agent'), { recursive: true });
  await copyAssets(folder);
}
if (has('--watch')) {
  await follow();
} else {
  const results = await Promise.all(options.map((option) => esbuild.build(option)));
  const metafiles = results.map(({ metafile }) => metafile);
  if (!names[0]) {
    writeNotices(folder, metafiles);
    if (has('--minify')) {
      writeMaterials(folder, metafiles);
    }
  }
  if (has('--sizes')) {
    const shares = metafiles.map((metafile) => esbuild.analyzeMetafile(metafile));
    console.log((await Promise.all(shares)).join(''));
  }
}

/** Builds anew what a change is part of; esbuild's own watch may take two seconds to see it. */
async function follow() {
  const quiet = options.map((option) => esbuild.context({ ...option, logLevel: 'warning' }));
  const built = (await Promise.all(quiet)).map((context) => ({ context, inputs: undefined }));
  const changed = new Set();
  const changes = new EventEmitter();
  for (const source of sources) {
    watch(join(root, source), { recursive: true }, (_, name) => {
      changed.add(join(source, name ?? '').replaceAll('\\', '/'));
      changes.emit('change');
    });
  }
  for (;;) {
    console.log('[watch] build started');
    const paths = [...changed];
    changed.clear();
    // what failed may wait for any file
    const stale = built.filter(({ inputs }) => !inputs || paths.some((path) => path in inputs));
    const rebuild = async (one) => {
      one.inputs = (await one.context.rebuild().catch(() => undefined))?.metafile.inputs;
    };
    await Promise.all(stale.map(rebuild));
    console.log('[watch] build finished');
    await (changed.size > 0 || once(changes, 'change'));
    // an editor may save in several steps
    await setTimeout(20);
  }
}
