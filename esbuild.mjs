/** Builds dist/ from the tables in build/. Flags: --watch, --minify. */
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { copyAssets, writeNotices } from './build/assets.mjs';
import { chunks, cutName, cuts } from './build/chunks.mjs';
import { commonJsPlugin } from './build/commonJs.mjs';
import { piEntryPlugin, piOptions, piPlugin, transpilerOptions } from './build/pi.mjs';
import { common, isMinified, isWatch, node, page, root } from './build/settings.mjs';
import { vocabularyPlugin } from './build/vocabulary.mjs';

export { shippedFiles } from './build/commonJs.mjs';
export { piOptions };

/** Of the pages; they share nothing. */
export const pageBundles = [
  ...[
    'config',
    'registry',
    'runTool',
    'agent',
    'inspector',
    'doctor',
    'consent',
    'questions',
    'code',
    'app',
  ].map((name) => ({
    ...common,
    entryPoints: { [name]: `src/webview/${name}/main.ts` },
    outdir: 'dist/webview',
    ...page,
  })),
  {
    ...common,
    entryPoints: { diagram: 'src/webview/diagram/main.ts' },
    outdir: 'dist/webview',
    // a function that the page hands to a thread: it may load nothing for it
    banner: { js: 'globalThis.piMcpDrawDiagrams=function(){' },
    footer: { js: '};' },
    ...page,
  },
];

/** Both clients get a validator of ours, and each brings its own along, which is a compiler of schemas. */
const withoutCompilerPlugin = {
  name: 'without-compiler',
  setup(build) {
    const filter =
      /modelcontextprotocol\W(?:(?:client|server)\W.*\WajvProvider-\w+|sdk\W.*\Wajv-provider)\.m?js$/;
    build.onLoad({ filter }, () => ({
      contents: 'export class AjvJsonSchemaValidator {} export { AjvJsonSchemaValidator as n };',
    }));
  },
};

/** How the sources of Node.js become chunks. */
export const chunkOptions = {
  ...common,
  ...node,
  entryPoints: {
    ...chunks,
    ...Object.fromEntries(cuts.map((source, index) => [cutName(index), source])),
  },
  outdir: 'dist',
  splitting: true,
  chunkNames: '[name]-[hash]',
  external: ['vscode'],
  write: false,
  plugins: [piPlugin, withoutCompilerPlugin],
};

async function main() {
  mkdirSync(join(root, 'dist/agent'), { recursive: true });
  mkdirSync(join(root, 'dist/webview'), { recursive: true });
  copyAssets();
  const sourcemap = isMinified ? false : 'linked';
  const options = [
    {
      ...chunkOptions,
      // the second step reads it
      sourcemap: sourcemap && 'inline',
      plugins: [...chunkOptions.plugins, vocabularyPlugin, commonJsPlugin],
    },
    { ...piOptions, sourcemap, plugins: [...piOptions.plugins, piEntryPlugin] },
    ...transpilerOptions,
    ...pageBundles.map((bundle) => ({ ...bundle, sourcemap })),
  ];
  if (isWatch) {
    await Promise.all(options.map(async (option) => (await esbuild.context(option)).watch()));
  } else {
    const results = await Promise.all(options.map((option) => esbuild.build(option)));
    writeNotices(results.map(({ metafile }) => metafile));
  }
}

// a test reads the options
if (realpathSync(process.argv[1]) === import.meta.filename) {
  await main();
}
