/** Builds dist/ from one table of bundles. Flags: --watch, --minify. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as esbuild from 'esbuild';

const root = import.meta.dirname;
const isWatch = process.argv.includes('--watch');
const isMinified = process.argv.includes('--minify');

const node = { platform: 'node', format: 'cjs', target: 'node22' };
// the command line also runs without an editor, on the oldest Node.js that is maintained
const shared = { ...node, target: 'node20' };
const page = { platform: 'browser', format: 'iife', target: 'es2022' };
// Pi resolves its version and assets beside its own file, so the bundle stays one file and gets CommonJS's variables
const piBanner = `import{createRequire as __cr}from'node:module';import{fileURLToPath as __f}from'node:url';import{dirname as __d}from'node:path';const require=__cr(import.meta.url),__filename=__f(import.meta.url),__dirname=__d(__filename);`;
const pi = {
  ...node,
  format: 'esm',
  define: { PI_BUNDLED_NODE: 'true' },
  banner: { js: piBanner },
};

const bundles = [
  { entry: 'node_modules/@vscode/l10n/dist/main.js', out: 'dist/l10n.js', ...shared },
  { entry: 'src/extension.ts', out: 'dist/extension.js', ...node, external: ['vscode'] },
  {
    entry: 'src/vscode/activation/composition.ts',
    out: 'dist/composition.js',
    ...node,
    external: ['vscode'],
  },
  { entry: 'src/cli.ts', out: 'dist/cli.js', ...shared },
  { entry: 'src/mcp/connection/sdkEngine/sdkEngine.ts', out: 'dist/sdkEngine.js', ...shared },
  {
    entry: 'src/mcp/connection/clientEngine/clientEngine.ts',
    out: 'dist/clientEngine.js',
    ...shared,
  },
  { entry: 'src/gateway/wire/wire.ts', out: 'dist/gatewayWire.js', ...shared },
  { entry: 'src/mcp/catalog/tokens/o200kTokens.ts', out: 'dist/tokens.js', ...shared },
  { entry: 'src/mcp/validation/patterns.ts', out: 'dist/patterns.js', ...shared },
  { entry: 'src/agent/pi/piEntry.ts', out: 'dist/agent/pi.mjs', ...pi, minify: true },
  { entry: 'src/webview/config/main.ts', out: 'dist/webview/config.js', ...page },
  { entry: 'src/webview/registry/main.ts', out: 'dist/webview/registry.js', ...page },
  { entry: 'src/webview/runTool/main.ts', out: 'dist/webview/runTool.js', ...page },
  { entry: 'src/webview/agent/main.ts', out: 'dist/webview/agent.js', ...page },
  { entry: 'src/webview/inspector/main.ts', out: 'dist/webview/inspector.js', ...page },
  { entry: 'src/webview/code/main.ts', out: 'dist/webview/code.js', ...page },
  { entry: 'src/webview/app/main.ts', out: 'dist/webview/app.js', ...page },
];

/** Source files that the light bundles reach by `import()`, and where their own bundle is, as seen from dist/. */
const lazyChunks = new Map([
  [resolve(root, 'src/vscode/activation/composition.ts'), './composition.js'],
  [resolve(root, 'src/mcp/connection/sdkEngine/sdkEngine.ts'), './sdkEngine.js'],
  [resolve(root, 'src/mcp/connection/clientEngine/clientEngine.ts'), './clientEngine.js'],
  [resolve(root, 'src/gateway/wire/wire.ts'), './gatewayWire.js'],
  [resolve(root, 'src/mcp/catalog/tokens/o200kTokens.ts'), './tokens.js'],
  [resolve(root, 'src/mcp/validation/patterns.ts'), './patterns.js'],
  [resolve(root, 'src/agent/pi/piEntry.ts'), './agent/pi.mjs'],
]);

const lazyChunkPlugin = {
  name: 'lazy-chunks',
  setup(build) {
    build.onResolve({ filter: /^\.{1,2}\// }, ({ path, kind, resolveDir }) => {
      const chunk = lazyChunks.get(resolve(resolveDir, path.replace(/\.js$/, '.ts')));
      return chunk && kind === 'dynamic-import' ? { path: chunk, external: true } : undefined;
    });
  },
};

/** Chunks of one process share the module that holds the texts of the user's language. */
const sharedTextsPlugin = {
  name: 'shared-texts',
  setup(build) {
    const { platform, format } = build.initialOptions;
    if (platform === 'node' && format === 'cjs') {
      build.onResolve({ filter: /^@vscode\/l10n$/ }, () => ({ path: './l10n.js', external: true }));
    }
  },
};

function copyAssets() {
  const packages = join(root, 'node_modules');
  const piPackage = join(packages, '@earendil-works/pi-coding-agent/package.json');
  const { name, version, piConfig } = JSON.parse(readFileSync(piPackage, 'utf8'));
  const agentPackage = JSON.stringify({ name, version, type: 'module', piConfig });
  writeFileSync(join(root, 'dist/agent/package.json'), agentPackage);
  const wasm = 'photon_rs_bg.wasm';
  cpSync(join(packages, '@silvia-odwyer/photon-node', wasm), join(root, 'dist/agent', wasm));
  for (const file of ['codicon.css', 'codicon.ttf']) {
    cpSync(join(packages, '@vscode/codicons/dist', file), join(root, 'dist/webview', file));
  }
}

/** Every package that ended up in a bundle, with its licence text. */
function writeNotices(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const folders = inputs.map((path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const packages = [...new Set(folders), 'node_modules/@vscode/codicons'].filter(Boolean).sort();
  const notices = packages.map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    );
    const file = readdirSync(join(root, folder)).find((entry) =>
      /^(licen[cs]e|copying)/i.test(entry),
    );
    const text = file ? readFileSync(join(root, folder, file), 'utf8').trim() : '';
    return `${name} ${version} (${license ?? 'see below'})\n\n${text}`;
  });
  const head = 'This extension contains the following packages.';
  writeFileSync(
    join(root, 'dist/ThirdPartyNotices.txt'),
    [head, ...new Set(notices)].join(`\n\n${'-'.repeat(79)}\n\n`),
  );
}

mkdirSync(join(root, 'dist/agent'), { recursive: true });
mkdirSync(join(root, 'dist/webview'), { recursive: true });
copyAssets();
const options = bundles.map(({ entry, out, ...rest }) => ({
  entryPoints: [entry],
  outfile: out,
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  logLevel: 'info',
  // jsonc-parser's `main` is UMD, whose inner requires esbuild cannot follow
  mainFields: ['module', 'main'],
  sourcemap: isMinified ? false : 'linked',
  minify: isMinified,
  plugins: [lazyChunkPlugin, sharedTextsPlugin],
  ...rest,
}));
if (isWatch) {
  await Promise.all(options.map(async (option) => (await esbuild.context(option)).watch()));
} else {
  const results = await Promise.all(options.map((option) => esbuild.build(option)));
  writeNotices(results.map(({ metafile }) => metafile));
}
