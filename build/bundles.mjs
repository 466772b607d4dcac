/** The table of bundles. Each patch of a dependency stands here, with its reason, and fails the build when it fits no more. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

export const root = dirname(import.meta.dirname);
/** What `--watch` looks at. */
export const sources = ['src', 'media/webview'];
const pi = 'node_modules/@earendil-works/pi-coding-agent/dist';

const common = {
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  logLevel: 'info',
  // jsonc-parser's `main` is UMD, whose inner requires esbuild cannot follow
  mainFields: ['module', 'main'],
  // how `vscodeApi` fails for `import * as vscode`
  logOverride: { 'import-is-undefined': 'error' },
};
// the command line also runs without an editor, on the oldest Node.js that is maintained
const host = { ...common, platform: 'node', format: 'cjs', target: 'node20', outdir: 'dist' };

/** Sources that are bundles of their own, loaded on use. */
const apart = {
  name: 'apart',
  setup(build) {
    build.onResolve({ filter: /^\.\/main\.js$|\/piEntry\.js$/ }, ({ path, kind }) => {
      const place = { path: path.replace(/.*(?=\/pi)/, './agent'), external: true };
      return kind === 'dynamic-import' ? place : undefined;
    });
  },
};

/**
 * esbuild would copy all of VS Code's API for each of the 140 sources that import it, which takes 60 ms. A source that
 * uses a name which is not among these fails the build, and so would all of them without this plugin.
 */
const vscodeApi = {
  name: 'vscode-api',
  setup(build) {
    const types = readFileSync(join(root, 'node_modules/@types/vscode/index.d.ts'), 'utf8');
    const found = types.matchAll(/^\texport (?:class|enum|namespace|const|function) (\w+)/gm);
    const names = new Set([...found].map(([, name]) => name));
    build.onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === 'vscode' ? { external: true } : { path: 'vscode', namespace: 'vscode' },
    );
    build.onLoad({ filter: /.*/, namespace: 'vscode' }, () => ({
      contents: `export const { ${[...names]} } = require('vscode');`,
    }));
  },
};

/** Puts `contents` in the place of the one module that `filter` names. */
function replace(name, filter, contents) {
  return {
    name,
    setup(build) {
      let isApplied = false;
      build.onLoad({ filter }, ({ path }) => {
        isApplied = true;
        return contents(path);
      });
      build.onEnd(() => (isApplied ? undefined : { errors: [{ text: `${name} fits no module` }] }));
    },
  };
}

/** Both clients of the protocol get a validator of ours; each would bring along Ajv, a compiler of schemas by `eval`. */
const withoutAjv = replace(
  'without-ajv',
  /modelcontextprotocol\W(?:(?:client|server)\W.*\WajvProvider-\w+|sdk\W.*\Wajv-provider)\.m?js$/,
  () => ({
    contents: 'export class AjvJsonSchemaValidator {} export { AjvJsonSchemaValidator as n };',
  }),
);

/** The vocabulary of the token counter is a file beside the code, packed by `copyAssets`: as code it blocks for 180 ms. */
const packedVocabulary = replace('packed-vocabulary', /tokens\WreadVocabulary\.ts$/, (path) => ({
  contents: `export { readPackedVocabulary as readVocabulary } from './readPackedVocabulary.js';`,
  resolveDir: dirname(path),
}));

/**
 * jiti would keep what it transpiled in the folder for temporary files, where on many systems every user could change what
 * runs next time; Pi gives its loader of extensions no option for it.
 */
const jitiWithoutCache = replace('jiti-cache', /\Wjiti-static-loader\.js$/, (path) => ({
  contents: `import { createJiti as create } from 'jiti/static';
    export const createJiti = (id, options) => create(id, { ...options, fsCache: false });`,
  resolveDir: dirname(path),
}));

/**
 * With `splitting`, esbuild gives a CommonJS module that is imported on use no export but `default`
 * (evanw/esbuild#3245). Pi calls photon by its names, and Google's requests take the class of a proxy.
 */
const namesOfCommonJs = {
  name: 'names-of-commonjs',
  setup(build) {
    const left = new Set(['@silvia-odwyer/photon-node', 'https-proxy-agent']);
    build.onResolve({ filter: /^(?:@silvia-odwyer\/photon-node|https-proxy-agent)$/ }, (args) => {
      if (args.kind !== 'dynamic-import') {
        return undefined;
      }
      left.delete(args.path);
      const path = createRequire(join(args.resolveDir, '_')).resolve(args.path);
      // names of chunks are made of it: the same in every folder
      return { path: relative(root, path).replaceAll('\\', '/'), namespace: 'names' };
    });
    build.onLoad({ filter: /.*/, namespace: 'names' }, (args) => {
      const path = join(root, args.path);
      const names = Object.keys(createRequire(path)(path));
      const contents = `import all from ${JSON.stringify(path)}; export const { ${names} } = all;`;
      return { contents, resolveDir: dirname(path) };
    });
    build.onEnd(() => (left.size ? { errors: [{ text: `Not imported: ${[...left]}` }] } : null));
  },
};

// Pi resolves its version and assets beside its own files, and gets CommonJS's variables
const piBanner = `import{createRequire as __cr}from'node:module';import{fileURLToPath as __f}from'node:url';import{dirname as __d}from'node:path';const require=__cr(import.meta.url),__filename=__f(import.meta.url),__dirname=__d(__filename);`;

const pages = 'config add server agent doctor consent questions code app diagram'.split(' ');

/** Scripts of the pages, with the style sheets that they import. `code` and `diagram` are loaded by others on use. */
export const pageBundles = pages.map((name) => ({
  ...{ ...common, platform: 'browser', format: 'iife', target: 'es2022', assetNames: '[name]' },
  entryPoints: { [name]: `src/webview/${name}/main.ts` },
  outdir: 'dist/webview',
  loader: { '.ttf': 'file' },
  // a function that the page hands to a thread: it may load nothing for it
  ...(name === 'diagram' && {
    banner: { js: 'globalThis.piMcpDrawDiagrams=function(){' },
    footer: { js: '};' },
  }),
}));

export const bundles = [
  {
    ...host,
    entryPoints: { extension: 'src/extension.ts' },
    // `require`: the loader of ES modules takes up to 300 ms for its own start, and the first rows wait for `main.js`
    supported: { 'dynamic-import': false },
    plugins: [apart, vscodeApi],
  },
  {
    ...host,
    entryPoints: { main: 'src/vscode/activation/main.ts' },
    plugins: [apart, vscodeApi, withoutAjv, packedVocabulary],
  },
  { ...host, entryPoints: { cli: 'src/cli.ts' }, plugins: [withoutAjv, packedVocabulary] },
  {
    // nobody debugs Pi here, and it is most of what is built
    ...{ ...common, platform: 'node', format: 'esm', target: 'node22', minify: true },
    define: { PI_BUNDLED_NODE: 'true' },
    entryPoints: {
      piEntry: 'src/agent/pi/piEntry.ts',
      'image-resize-worker': join(pi, 'utils/image-resize-worker.js'),
    },
    outdir: 'dist/agent',
    splitting: true,
    chunkNames: '[name]-[hash]',
    banner: { js: piBanner },
    plugins: [jitiWithoutCache, namesOfCommonJs],
  },
  ...pageBundles,
];
