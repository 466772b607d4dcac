/** How Pi becomes parts, and what is left out of it. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isStatic, reachable } from './graph.mjs';
import { common, node, root } from './settings.mjs';

// Pi resolves its version and assets beside its own files, and gets CommonJS's variables
const piBanner = `import{createRequire as __cr}from'node:module';import{fileURLToPath as __f}from'node:url';import{dirname as __d}from'node:path';const require=__cr(import.meta.url),__filename=__f(import.meta.url),__dirname=__d(__filename);`;

const piPackages = 'node_modules/@earendil-works';

/** CommonJS, which runs when it is first named: that takes as long as all the rest of a part. */
const piRuns = [
  'undici/lib/dispatcher/client.js',
  'undici/lib/web/fetch/index.js',
  'undici/lib/web/websocket/websocket.js',
  'undici',
  'yaml',
];

/** What Pi is cut along: each of these, and what they share, is compiled by itself. */
const piParts = [
  ...piRuns,
  'typebox',
  `${piPackages}/pi-ai/dist/providers/all.js`,
  `${piPackages}/pi-tui/dist/utils.js`,
  `${piPackages}/pi-tui/dist/components/markdown.js`,
  `${piPackages}/pi-tui/dist/components/editor.js`,
  `${piPackages}/pi-tui/dist/index.js`,
  `${piPackages}/pi-agent-core/dist/index.js`,
  `${piPackages}/pi-coding-agent/dist/core/model-config.js`,
  `${piPackages}/pi-coding-agent/dist/core/package-manager.js`,
  `${piPackages}/pi-coding-agent/dist/core/tools/index.js`,
  `${piPackages}/pi-coding-agent/dist/core/resource-loader.js`,
  `${piPackages}/pi-coding-agent/dist/core/agent-session.js`,
  `${piPackages}/pi-coding-agent/dist/core/sdk.js`,
  // what extensions may import beyond that
  'grok-mermaid',
  `${piPackages}/pi-coding-agent/dist/package-manager-cli.js`,
  `${piPackages}/pi-coding-agent/dist/modes/interactive/components/index.js`,
  `${piPackages}/pi-coding-agent/dist/modes/interactive/interactive-mode.js`,
];

/** Pi is not part of any chunk. */
export const piPlugin = {
  name: 'pi',
  setup(build) {
    build.onResolve({ filter: /\/piEntry\.js$/ }, () => ({
      path: './agent/pi.mjs',
      external: true,
    }));
  },
};

/** Makes the constant of a module when it is first used. */
function onUse(path, text, constant) {
  const [all, name, value] = constant.exec(text) ?? [];
  if (all === undefined) {
    throw new Error(`${path} has nothing like ${constant}`);
  }
  const used = text.replace(new RegExp(`\\b${name}(?=\\s*[.;])`, 'g'), `${name}()`);
  return used.replace(all, `let ${name}_;const ${name} = () => (${name}_ ??= ${value});`);
}

/** Other modules take the segmenters when they are loaded: each stands for the real one, which it makes when it segments. */
function segmentersOnUse(path, text) {
  const made = /(?<=^const \w+ = )new Intl\.Segmenter\([^)]*\)(?=;$)/gm;
  if (text.match(made)?.length !== 2) {
    throw new Error(`${path} has not two segmenters`);
  }
  return text.replace(
    made,
    (segmenter) => `{ segment(text) { return (this.made ??= ${segmenter}).segment(text); } }`,
  );
}

/** What Pi does at its start although few sessions need it. */
const lightPiPlugin = {
  name: 'light-pi',
  setup(build) {
    // only an extension of Pi asks for its terminal interface, and gets all of Pi
    build.onResolve({ filter: /^@earendil-works\/pi-coding-agent$/ }, ({ importer }) =>
      importer.endsWith('piEntry.ts')
        ? { path: `${piPackages}/pi-coding-agent/dist/index.js`, namespace: 'core' }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'core' }, ({ path }) => ({
      resolveDir: join(root, dirname(path)),
      contents: readFileSync(join(root, path), 'utf8').replace(
        /^export \{[^}]*\} from "\.\/(?:modes|main|cli)\b[^"]*";$/gm,
        '',
      ),
    }));
    // a text is read faster than the literal of an object
    build.onLoad({ filter: /pi-ai\Wdist\Wproviders\Wdata\W.*\.json$/ }, ({ path }) => {
      const text = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
      return { contents: `export default JSON.parse(${JSON.stringify(text)})`, loader: 'js' };
    });
    // a schema becomes code on first use
    build.onLoad(
      { filter: /pi-coding-agent\W.*\W(?:theme-json|model-config)\.js$/ },
      ({ path }) => ({
        contents: onUse(path, readFileSync(path, 'utf8'), /^const (\w+) = (Compile\(\w+\));$/m),
      }),
    );
    // what knows all of Unicode takes a while, and is for terminals
    build.onLoad({ filter: /pi-tui\Wdist\Wutils\.js$/ }, ({ path }) => ({
      contents: segmentersOnUse(
        path,
        onUse(path, readFileSync(path, 'utf8'), /^const (\w+) = (\/.*RGI_Emoji.*\/v);$/m),
      ),
    }));
  },
};

/** Babel runs in a thread of ours, for which Pi's extensions are loaded by a module of ours. */
const transpilingPlugin = {
  name: 'transpiling',
  setup(build) {
    build.onResolve({ filter: /^jiti(?:\/static)?$/ }, () => ({
      path: join(root, 'src/agent/pi/transpiling/createJiti.ts'),
    }));
    // nobody reads what the reader of files has to say here
    build.onResolve({ filter: /^@vscode\/l10n$/ }, () => ({ path: 'l10n', namespace: 'untold' }));
    build.onLoad({ filter: /.*/, namespace: 'untold' }, () => ({
      contents: 'export const t = (text) => text;',
    }));
    build.onEnd(({ metafile }) => {
      if (metafile && !('src/agent/pi/transpiling/createJiti.ts' in metafile.inputs)) {
        return { errors: [{ text: 'Pi does not load its extensions by jiti any more' }] };
      }
    });
  },
};

/** Each of these texts by the one beside it. */
function replaced(path, ...pairs) {
  return pairs.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) {
        throw new Error(`${path} has no ${from}`);
      }
      return text.replace(from, () => to);
    },
    readFileSync(path, 'utf8'),
  );
}

const pictureWorker = 'pictures';

/** Pictures are decoded and made smaller by code that takes 50 ms to compile. Pi has a thread for it, but not in one file. */
const picturesPlugin = {
  name: 'pictures',
  setup(build) {
    build.onLoad({ filter: /pi-coding-agent\W.*\Wutils\Wimage-resize\.js$/ }, ({ path }) => ({
      contents: `import { convertImageBytesToPng as convertInProcess } from "./image-convert.js";
        ${replaced(
          path,
          ['"./image-resize-worker.js"', `"./${pictureWorker}.mjs"`],
          // neither what VS Code was started with nor its environment is for this
          ['new Worker(workerSpecifier)', 'new Worker(workerSpecifier, { execArgv: [], env: {} })'],
        )}
        export const convertImageBytesToPng = (bytes) =>
          resizeImageInWorker(new URL("./${pictureWorker}.mjs", import.meta.url), bytes, "")
            .catch(() => convertInProcess(bytes));`,
    }));
    // formats that no model takes become another one there, too
    build.onLoad({ filter: /pi-coding-agent\W.*\Wutils\Wimage-process\.js$/ }, ({ path }) => ({
      contents: replaced(path, [
        'import { convertImageBytesToPng } from "./image-convert.js";',
        'import { convertImageBytesToPng } from "./image-resize.js";',
      ]),
    }));
    build.onLoad(
      { filter: /pi-coding-agent\W.*\Wutils\Wimage-resize-worker\.js$/ },
      ({ path }) => ({
        contents: `import { convertImageBytesToPng } from "./image-convert.js";
        ${replaced(path, [
          'await resizeImageInProcess(',
          'await (message.mimeType === "" ? convertImageBytesToPng : resizeImageInProcess)(',
        ])}`,
      }),
    );
    // Pi's own looks for the code in more places, for which it changes `fs`
    build.onLoad({ filter: /pi-coding-agent\W.*\Wutils\Wphoton\.js$/ }, () => ({
      contents: `let photon;
        export const loadPhoton = () =>
          (photon ??= import('@silvia-odwyer/photon-node').then((all) => all.default, () => null));`,
    }));
    build.onLoad({ filter: /photon-node\Wphoton_rs\.js$/ }, ({ path }) => ({
      contents: `const module = { exports: {} };
        ${replaced(
          path,
          [`require('fs').readFileSync(path)`, `await require('fs').promises.readFile(path)`],
          ['new WebAssembly.Module(bytes)', 'await WebAssembly.compile(bytes)'],
          [
            'new WebAssembly.Instance(wasmModule, imports)',
            'await WebAssembly.instantiate(wasmModule, imports)',
          ],
        )}
        export default module.exports;`,
    }));
  },
};

/**
 * Node.js compiles and runs all that a module needs at one go. The entry names the parts from the bottom up, so that others
 * get their turn between two of them.
 */
export const piEntryPlugin = {
  name: 'pi-entry',
  setup(build) {
    build.onEnd(({ outputFiles, metafile }) => {
      if (!outputFiles || !metafile) {
        return;
      }
      const folder = 'dist/agent';
      const parts = inOrder(
        metafile,
        ...piRuns.map((_, index) => `${folder}/part${index}.mjs`),
        `${folder}/piEntry.mjs`,
      );
      const { exports } = metafile.outputs[`${folder}/piEntry.mjs`];
      const entry = `const pi=await ${loadInTurns(parts)};export const{${exports}}=pi;`;
      const entries = ['piEntry', pictureWorker].map((name) => `${folder}/${name}.mjs`);
      const needed = new Set([
        ...parts,
        ...entries.flatMap((path) => [...reachable(metafile, path)]),
      ]);
      for (const name of readdirSync(join(root, folder))) {
        if (/\.mjs(\.map)?$/.test(name) && !needed.has(name.replace(/\.map$/, ''))) {
          rmSync(join(root, folder, name));
        }
      }
      for (const { path, contents, text } of outputFiles) {
        if (needed.has(basename(path).replace(/\.map$/, ''))) {
          writeFileSync(
            path,
            path.endsWith('.map')
              ? contents
              : withTurns(withNamesOfCommonJs(text, metafile), metafile, parts),
          );
        }
      }
      writeFileSync(join(root, folder, 'pi.mjs'), entry);
    });
  },
};

/** The chunks that these load, each behind what it needs itself. */
function inOrder(metafile, ...entries) {
  const parts = [];
  for (const path of entries) {
    reachable(metafile, path, { follows: isStatic, behind: (part) => parts.push(part) });
  }
  return [...new Set(parts)];
}

/** An expression for the promise of the last one. */
const loadInTurns = (parts) =>
  `(async()=>{let all;for(const part of ${JSON.stringify(parts)}){all=await import("./"+part);await new Promise(setImmediate)}return all})()`;

/** What extensions of Pi may import is as much as Pi itself. */
function withTurns(text, metafile, loaded) {
  const path = Object.keys(metafile.outputs).find((one) => /virtual-modules-\w+\.mjs$/.test(one));
  const parts = inOrder(metafile, path).filter((part) => !loaded.includes(part));
  return text.replaceAll(`import("./${basename(path)}")`, () => loadInTurns(parts));
}

/** A chunk has no names for what a CommonJS module exports but `default`; who imports it on use expects them all. */
function withNamesOfCommonJs(text, { inputs, outputs }) {
  const chunks = Object.entries(outputs)
    .filter(([, { entryPoint }]) => inputs[entryPoint]?.format === 'cjs')
    .map(([path]) => basename(path));
  return chunks.reduce((all, name) => {
    const found = `import("./${name}")`;
    return all.replaceAll(found, `${found}.then(({default:all})=>({...all,default:all}))`);
  }, text);
}

/** How Pi becomes parts, most of which are loaded on use: the libraries of providers, and what runs extensions of Pi. */
export const piOptions = {
  ...common,
  ...node,
  target: 'node22',
  define: { PI_BUNDLED_NODE: 'true' },
  minify: true,
  entryPoints: {
    piEntry: 'src/agent/pi/piEntry.ts',
    [pictureWorker]: `${piPackages}/pi-coding-agent/dist/utils/image-resize-worker.js`,
    ...Object.fromEntries(piParts.map((part, index) => [`part${index}`, part])),
  },
  outdir: 'dist/agent',
  outExtension: { '.js': '.mjs' },
  splitting: true,
  chunkNames: '[name]-[hash]',
  banner: { js: piBanner },
  write: false,
  plugins: [lightPiPlugin, transpilingPlugin, picturesPlugin],
};

const besideParts = {
  outdir: 'dist/agent',
  outExtension: { '.js': '.cjs' },
  platform: 'node',
  target: 'node22',
  format: 'cjs',
};

/** jiti brings along a whole reader of JavaScript that nothing in it uses, and takes twice as long for it. */
const lightJitiPlugin = {
  name: 'light-jiti',
  setup(build) {
    build.onLoad({ filter: /jiti\Wdist\Wjiti\.cjs$/ }, ({ path }) => {
      const parts = readFileSync(path, 'utf8').split(
        /var \w=\[509,.*?acorn_Parser\.acorn=\{[^}]*\};/s,
      );
      if (parts.length !== 2 || parts.join('').includes('acorn')) {
        throw new Error(`${path} has its reader of JavaScript in another place`);
      }
      return { contents: parts.join('') };
    });
  },
};

/** The thread that runs Babel, and what it and Pi's own thread load on use: read by nobody before. */
export const transpilerOptions = [
  {
    ...common,
    ...besideParts,
    entryPoints: { transpiler: 'src/agent/pi/transpiling/transpiler.ts' },
  },
  {
    ...besideParts,
    absWorkingDir: root,
    metafile: true,
    logLevel: 'info',
    minify: true,
    entryPoints: ['babel', 'jiti'].map((name) => `node_modules/jiti/dist/${name}.cjs`),
    plugins: [lightJitiPlugin],
  },
];
