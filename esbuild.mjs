/** Builds dist/ from a table of chunks and one of bundles. Flags: --watch, --minify. */
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import * as esbuild from 'esbuild';

const root = import.meta.dirname;
const isWatch = process.argv.includes('--watch');
const isMinified = process.argv.includes('--minify');

// the command line also runs without an editor, on the oldest Node.js that is maintained
const node = { platform: 'node', format: 'esm', target: 'node20' };
const page = { platform: 'browser', format: 'iife', target: 'es2022' };
// Pi resolves its version and assets beside its own files, and gets CommonJS's variables
const piBanner = `import{createRequire as __cr}from'node:module';import{fileURLToPath as __f}from'node:url';import{dirname as __d}from'node:path';const require=__cr(import.meta.url),__filename=__f(import.meta.url),__dirname=__d(__filename);`;

/** What is loaded with the extension, until the first rows are shown, and after that, in this order. */
const stages = ['extension', 'composition', 'rest', 'processes', 'connections'];

/** Chunks by the names of their files. What any other `import()` loads gets a chunk too, whose name ends with a hash. */
const chunks = {
  extension: 'src/extension.ts',
  composition: 'src/vscode/activation/composition.ts',
  rest: 'src/vscode/activation/rest.ts',
  processes: 'src/mcp/service/processes.ts',
  connections: 'src/mcp/service/connections.ts',
  server: 'src/mcp/server/mcpServer.ts',
  connection: 'src/mcp/connection/mcpConnection.ts',
  editing: 'src/config/edit/configurationEditor.ts',
  surfaces: 'src/vscode/registerSurfaces.ts',
  agent: 'src/vscode/createAgent.ts',
  gateway: 'src/gateway/gateway.ts',
  imports: 'src/config/parse/parseLocation.ts',
  lint: 'src/config/lint/lintFile.ts',
  rowsBelow: 'src/vscode/views/rowsBelow.ts',
  tooltips: 'src/vscode/views/tooltips.ts',
  cli: 'src/cli.ts',
  l10n: 'node_modules/@vscode/l10n/dist/main.js',
  sdkEngine: 'src/mcp/connection/sdkEngine/sdkEngine.ts',
  clientEngine: 'src/mcp/connection/clientEngine/clientEngine.ts',
  gatewayWire: 'src/gateway/wire/wire.ts',
  tokens: 'src/mcp/catalog/tokens/o200kTokens.ts',
  patterns: 'src/mcp/validation/patterns.ts',
};

/** The large modules of a package of the protocol, whose names end with a hash. */
function partsOfPackage(name) {
  const folder = `node_modules/@modelcontextprotocol/${name}/dist`;
  return readdirSync(join(root, folder)).flatMap((file) =>
    /^(?:mcp|public|src)-[\w-]+\.mjs$/.test(file) ? [`./${folder}/${file}`] : [],
  );
}

/** What large chunks are cut along: each of these, and what they share, can be loaded by itself. */
const cuts = [
  'src/presentation/registry/registryInstaller.ts',
  'src/vscode/commands/configuration/addServerCommands.ts',
  'src/vscode/commands/configuration/exportCommands.ts',
  'src/vscode/commands/serverCommands.ts',
  'src/vscode/doctor/doctorPanel.ts',
  'src/vscode/gateway/gatewayCommands.ts',
  'src/vscode/inspector/inspectorPanels.ts',
  'src/vscode/language/languageFeatures.ts',
  'src/vscode/prompts/trustPrompter.ts',
  'src/vscode/registry/registryPanel.ts',
  'src/vscode/webviews/configPanel.ts',
  'src/vscode/webviews/runToolPanel.ts',
  'src/agent/changes/sessionChanges.ts',
  'src/agent/conversations/conversations.ts',
  'src/agent/live/agentSessions.ts',
  'src/agent/models/models.ts',
  'src/agent/panel/agentPanel.ts',
  'src/agent/pi/resourceLoader.ts',
  'src/agent/queue/messageQueue.ts',
  'src/agent/session/agentSession.ts',
  'src/vscode/changes/changeReview.ts',
  'src/vscode/createPanelParts.ts',
  'src/vscode/mentions/attaching.ts',
  'src/vscode/webviews/agentViewProvider.ts',
  'src/mcp/connection/clientEngine/auth/auth.ts',
  ...partsOfPackage('client'),
  ...partsOfPackage('server'),
];
const cutName = (index) => `cut${index}`;
const cutNames = new Set(cuts.map((_, index) => `${cutName(index)}.js`));

/** A function that the page hands to a thread: it may load nothing for it. */
export const diagramWrapper = {
  banner: { js: 'globalThis.piMcpDrawDiagrams=function(){' },
  footer: { js: '};' },
};

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
  `${piPackages}/pi-tui/dist/index.js`,
  `${piPackages}/pi-agent-core/dist/index.js`,
  `${piPackages}/pi-coding-agent/dist/core/model-config.js`,
  `${piPackages}/pi-coding-agent/dist/core/package-manager.js`,
  `${piPackages}/pi-coding-agent/dist/core/tools/index.js`,
  `${piPackages}/pi-coding-agent/dist/core/sdk.js`,
];

/** Bundles that share nothing. */
const bundles = [
  ...['config', 'registry', 'runTool', 'agent', 'inspector', 'doctor', 'code', 'app'].map(
    (name) => ({
      entryPoints: { [name]: `src/webview/${name}/main.ts` },
      outdir: 'dist/webview',
      ...page,
    }),
  ),
  {
    entryPoints: { diagram: 'src/webview/diagram/main.ts' },
    outdir: 'dist/webview',
    ...diagramWrapper,
    ...page,
  },
];

/** Pi is not part of any chunk. */
const piPlugin = {
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
      contents: [
        /^const (\w+) = (new Intl\.Segmenter\(.*"grapheme".*\));$/m,
        /^const (\w+) = (new Intl\.Segmenter\(.*"word".*\));$/m,
        /^const (\w+) = (\/.*RGI_Emoji.*\/v);$/m,
      ].reduce((text, constant) => onUse(path, text, constant), readFileSync(path, 'utf8')),
    }));
  },
};

/**
 * Node.js compiles and runs all that a module needs at one go. The entry names the parts from the bottom up, so that others
 * get their turn between two of them.
 */
const piEntryPlugin = {
  name: 'pi-entry',
  setup(build) {
    build.onEnd(({ outputFiles, metafile }) => {
      if (!outputFiles || !metafile) {
        return;
      }
      const folder = 'dist/agent';
      const inOrder = [];
      for (const name of [...piRuns.map((_, index) => `part${index}`), 'piEntry']) {
        reachable(metafile, `${folder}/${name}.mjs`, {
          follows: isStatic,
          behind: (part) => inOrder.push(part),
        });
      }
      const parts = [...new Set(inOrder)];
      const { exports } = metafile.outputs[`${folder}/piEntry.mjs`];
      const entry = `let pi;for(const part of ${JSON.stringify(parts)}){pi=await import("./"+part);await new Promise(setImmediate)}export const{${exports}}=pi;`;
      const needed = new Set([...parts, ...reachable(metafile, `${folder}/piEntry.mjs`)]);
      for (const name of readdirSync(join(root, folder))) {
        if (/\.mjs(\.map)?$/.test(name) && !needed.has(name.replace(/\.map$/, ''))) {
          rmSync(join(root, folder, name));
        }
      }
      for (const { path, contents, text } of outputFiles) {
        if (needed.has(basename(path).replace(/\.map$/, ''))) {
          writeFileSync(
            path,
            path.endsWith('.map') ? contents : withNamesOfCommonJs(text, metafile),
          );
        }
      }
      writeFileSync(join(root, folder, 'pi.mjs'), entry);
    });
  },
};

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

const vocabularyFile = 'o200k.bin.br';

/**
 * The vocabulary of the token counter is a file of its own, which is looked up in as it is. It is unpacked on another thread:
 * nothing of it holds up the one that everything else runs on.
 */
const vocabularyPlugin = {
  name: 'vocabulary',
  setup(build) {
    build.onLoad({ filter: /tokens\Wvocabulary\.ts$/ }, async ({ path }) => {
      const packer = readFileSync(join(dirname(path), 'packVocabulary.ts'), 'utf8');
      const { code } = await esbuild.transform(packer, { loader: 'ts' });
      const { packVocabulary } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
      const { default: tokens } = await import('gpt-tokenizer/bpeRanks/o200k_base');
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: isMinified ? 10 : 5,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      };
      const packed = brotliCompressSync(packVocabulary(tokens), { params });
      writeFileSync(join(root, 'dist', vocabularyFile), packed);
      const contents = `import { readFile } from 'node:fs/promises';
        import { join } from 'node:path';
        import { promisify } from 'node:util';
        import { brotliDecompress } from 'node:zlib';
        export async function readVocabulary() {
          const packed = await readFile(join(__dirname, '${vocabularyFile}'));
          return promisify(brotliDecompress)(packed, { chunkSize: 2 ** 22 });
        }`;
      return { contents };
    });
  },
};

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

/** esbuild splits ES modules alone, and CommonJS starts faster in VS Code: a second step makes each chunk CommonJS. */
const commonJsPlugin = {
  name: 'commonjs',
  setup(build) {
    build.onEnd(async ({ outputFiles, metafile }) => {
      if (!outputFiles || !metafile) {
        return;
      }
      const joints = isMinified ? jointFiles(metafile) : new Map();
      const written = await toCommonJs(outputFiles, metafile, joints, isMinified);
      for (const [name, text] of written) {
        writeFileSync(join(root, 'dist', name), text);
      }
      removeOldChunks(written);
      const forNpm = [...reachable(metafile, 'dist/cli.js')].map(
        (name) => joints.get(name) ?? name,
      );
      const others = [vocabularyFile, 'ThirdPartyNotices.txt'];
      const names = [...new Set(forNpm), ...others].map((name) => `!/${name}`);
      writeFileSync(join(root, 'dist/.npmignore'), ['/*', ...names, ''].join('\n'));
    });
  },
};

/** The files of a minified build as they are shipped. @returns texts by name of file */
export function shippedFiles({ outputFiles, metafile }) {
  return toCommonJs(outputFiles, metafile, jointFiles(metafile), true);
}

/** Minified, of what is loaded before others get their turn. */
const turnBytes = 64_000;
/** What it takes to find, to read and to wrap a file, as if it were so much longer. */
const openBytes = 8_000;
/** Of a chunk that shares its file with others like it. */
const smallBytes = 4_000;
const smallFile = 'small';
/** What the first rows wait for: each byte of it counts, and it is there when anything else is loaded. */
const firstFiles = /^(?:extension|composition)(?:Core)?\.js$/;

/**
 * What `import()` loads comes without the loader of ES modules, which takes up to 300 ms for its own start and to look for
 * the format and the exports of a chunk. Pi is an ES module.
 */
const withoutModuleLoader = (own, text, metafile, joints) =>
  text.replace(/\bimport\("\.\/([\w-]+\.js)"\)/g, (_all, name) => {
    const turns = turnsOf(name, own, metafile, joints);
    return isFirst(name) || turns.flat().length === 1
      ? `Promise.resolve().then(() => require("./${name}"))`
      : `loadInTurns(${turns.map((files) => JSON.stringify(files.join(' ')))})`;
  });

/** Others get their turn between the files, and before these are used. No source knows the name, so that none takes it. */
const loadInTurns =
  'const loadInTurns=(...turns)=>turns.reduce((before,files)=>before.then(()=>new Promise((then)=>setImmediate(then,files.split(" ").map((file)=>require("./"+file)).pop()))),Promise.resolve());';
const bannerFor = (text) => (text.includes('loadInTurns(') ? loadInTurns : '');

/**
 * The files that `import()` of a chunk loads, in their order.
 * @param own the chunk that does so
 * @returns what is loaded in one turn of the event loop each
 */
function turnsOf(name, own, metafile, joints) {
  const there = filesBehind(own, metafile, joints);
  const files = filesBehind(name, metafile, joints).filter(
    (file) => !there.includes(file) && !isFirst(file),
  );
  const turns = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const file of files) {
    const more = partsOf(file, joints).reduce(
      (sum, part) => sum + (metafile.outputs[`dist/${part}`]?.bytes ?? 0),
      openBytes,
    );
    bytes += more;
    if (bytes > turnBytes) {
      turns.push([]);
      bytes = more;
    }
    turns.at(-1).push(file);
  }
  return turns;
}

/** What is loaded with a chunk, each file behind what it needs itself. */
function filesBehind(name, { outputs }, joints) {
  const found = new Set();
  const seen = new Set();
  const add = (file) => {
    if (seen.has(file)) {
      return;
    }
    seen.add(file);
    for (const part of partsOf(file, joints)) {
      for (const { path } of outputs[`dist/${part}`]?.imports.filter(isStatic) ?? []) {
        if (path in outputs) {
          add(joints.get(basename(path)) ?? basename(path));
        }
      }
    }
    found.add(file);
  };
  add(joints.get(name) ?? name);
  return [...found];
}

const partsOf = (file, joints) => [
  ...[...joints].flatMap(([part, joint]) => (joint === file ? [part] : [])),
  file,
];
const isFirst = (file) => firstFiles.test(file);

/** Entries name all chunks below them for the order in which these run; whoever uses one of a joint file loads it. */
const withoutBareImports = (text, joints) =>
  text.replace(/\bimport"\.\/([\w-]+\.js)";/g, (all, name) => (joints.has(name) ? '' : all));

/** @param joints names of joint files, by chunk. @returns texts by name of file */
async function toCommonJs(outputFiles, metafile, joints, minify) {
  const sources = new Map(
    outputFiles.map(({ path, text }) => [
      basename(path),
      withoutBareImports(withoutModuleLoader(basename(path), text, metafile, joints), joints),
    ]),
  );
  const exported = importFromJoints(sources, joints);
  const joint = new Set(joints.values());
  const single = [...sources.keys()].filter(
    (name) => !joints.has(name) && !joint.has(name) && !cutNames.has(name),
  );
  const files = await Promise.all([
    ...single.map((name) => toSingleFile(name, sources.get(name), minify)),
    ...[...joint].map((name) => toJointFile(name, sources, joints, exported.get(name))),
  ]);
  return new Map(files.flat());
}

/**
 * Lets the sources import what they need of a chunk in a joint file from that file, under one name for all.
 * @returns the exports, by joint file: `{ part, name, as }`
 */
function importFromJoints(sources, joints) {
  const exported = new Map([...new Set(joints.values())].map((joint) => [joint, []]));
  const exportOf = (joint, part, name) => {
    const known = exported.get(joint);
    const found = known.find((one) => one.part === part && one.name === name);
    if (found) {
      return found.as;
    }
    // no entry exports such a name
    const as = `x${known.length.toString(36)}`;
    known.push({ part, name, as });
    return as;
  };
  for (const [file, text] of sources) {
    const own = joints.get(file) ?? file;
    const wanted = new Map();
    const rest = text.replace(/\bimport\{([^}]*)\}from"\.\/([\w-]+\.js)";/g, (all, list, part) => {
      const joint = joints.get(part);
      if (joint === undefined || joint === own) {
        return all;
      }
      const names = list.split(',').map((item) => {
        const [name, local = name] = item.split(' as ');
        return `${exportOf(joint, part, name)} as ${local}`;
      });
      wanted.set(joint, [...(wanted.get(joint) ?? []), ...names]);
      return '';
    });
    const imports = [...wanted].map(([joint, names]) => `import{${names}}from"./${joint}";`);
    sources.set(file, [rest, ...imports].join('\n'));
  }
  return exported;
}

async function toSingleFile(name, text, minify) {
  const { code, map } = await esbuild.transform(text, {
    sourcefile: name,
    platform: 'node',
    format: 'cjs',
    target: node.target,
    minify,
    sourcemap: minify ? false : 'external',
    banner: bannerFor(text),
  });
  const link = map ? `//# sourceMappingURL=${name}.map\n` : '';
  const file = [name, code + link];
  return map ? [file, [`${name}.map`, map]] : [file];
}

/** One scope for an entry and chunks of it, of which the file exports what other files use. */
async function toJointFile(joint, sources, joints, exported) {
  const parts = partsOf(joint, joints).filter((name) => sources.has(name));
  const { outputFiles } = await esbuild.build({
    stdin: {
      contents: [
        ...(sources.has(joint) ? [`export * from './${joint}';`] : []),
        ...exported.map(({ part, name, as }) => `export { ${name} as ${as} } from './${part}';`),
      ].join(''),
    },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: node.target,
    minify: true,
    banner: { js: bannerFor(parts.map((name) => sources.get(name)).join('')) },
    plugins: [
      {
        name: 'parts',
        setup(build) {
          build.onResolve({ filter: /.*/ }, ({ path }) => {
            const name = basename(path);
            return path.startsWith('./') && parts.includes(name)
              ? { path: name, namespace: 'parts' }
              : { path, external: true };
          });
          build.onLoad({ filter: /.*/, namespace: 'parts' }, ({ path }) => ({
            contents: sources.get(path),
          }));
        },
      },
    ],
  });
  // nobody imports it as an ES module, for which that says what it exports
  return [[joint, outputFiles[0].text.replace(/0&&\(module\.exports=\{[^}]*\}\);\s*$/, '')]];
}

/** Each file takes its time to load: chunks that start together are one file. @returns its name, by chunk */
function jointFiles(metafile) {
  const ofCli = reachable(metafile, 'dist/cli.js');
  const joints = new Map();
  for (const entry of stages) {
    for (const name of reachable(metafile, `dist/${entry}.js`, { follows: isStatic })) {
      const isShared = !metafile.outputs[`dist/${name}`].entryPoint;
      if (isShared && !joints.has(name)) {
        joints.set(name, `${entry}${ofCli.has(name) ? 'Core' : ''}.js`);
      }
    }
  }
  joinParts(metafile, joints, ofCli);
  return joints;
}

/** Small chunks become one file, and chunks that the same entries load become files that are loaded in one turn each. */
function joinParts(metafile, joints, ofCli) {
  const groups = new Map();
  for (const [name, entries] of entriesOf(metafile)) {
    if (isSmall(name, metafile, joints)) {
      joints.set(name, `${smallFile}${ofCli.has(name) ? 'Core' : ''}.js`);
    } else if (!joints.has(name)) {
      const key = entries.join(' ');
      groups.set(key, [...(groups.get(key) ?? []), name]);
    }
  }
  for (const names of groups.values()) {
    for (const run of runsOf(names, metafile)) {
      const last = run.at(-1);
      const joint = metafile.outputs[`dist/${last}`].entryPoint
        ? last
        : last.replace(/^\w+/, 'shared');
      for (const name of run.length > 1 ? run : []) {
        if (name !== joint) {
          joints.set(name, joint);
        }
      }
    }
  }
}

/** Whether the chunk takes longer to open than to run, and needs nothing else but such ones. */
function isSmall(name, { outputs }, joints) {
  const { entryPoint, bytes, imports } = outputs[`dist/${name}`];
  const isThere = (file = '') => isFirst(file) || file.startsWith(smallFile);
  return (
    !entryPoint &&
    !joints.has(name) &&
    bytes < smallBytes &&
    imports.every(
      ({ path, kind, external }) =>
        kind === 'dynamic-import' ||
        external ||
        isThere(joints.get(basename(path)) ?? basename(path)),
    )
  );
}

/** Chunks in their order, as many together as fit into one turn. */
function runsOf(names, { outputs }) {
  const runs = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const more = outputs[`dist/${name}`].bytes;
    bytes += more;
    if (bytes > turnBytes - openBytes) {
      runs.push([]);
      bytes = more;
    }
    runs.at(-1).push(name);
  }
  return runs;
}

/** The chunks of entries, each behind what it loads itself, with the entries that load it. */
function entriesOf(metafile) {
  const loaders = new Map();
  for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
    const entry = basename(path);
    if (entryPoint && !cutNames.has(entry)) {
      const behind = (name) => loaders.set(name, [...(loaders.get(name) ?? []), entry]);
      reachable(metafile, path, { follows: isStatic, behind });
    }
  }
  return loaders;
}

function removeOldChunks(written) {
  const names = readdirSync(join(root, 'dist')).filter((name) => /\.(js|js\.map|br)$/.test(name));
  for (const name of names.filter((name) => !written.has(name) && name !== vocabularyFile)) {
    rmSync(join(root, 'dist', name));
  }
}

const isStatic = ({ kind }) => kind !== 'dynamic-import';

/** Names of the chunk and all that it loads; `behind` is told of each behind what it loads itself. */
function reachable({ outputs }, entry, { follows = () => true, behind = () => undefined } = {}) {
  const found = new Set();
  const add = (path) => {
    const output = outputs[path];
    const name = basename(path);
    if (output && !found.has(name)) {
      found.add(name);
      for (const { path: below } of output.imports.filter(follows)) {
        add(below);
      }
      behind(name);
    }
  };
  add(entry);
  return found;
}

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
  const folders = inputs.map(
    (path) => /^(?:core:)?(.*node_modules\/(@[^/]+\/)?[^/]+)/.exec(path)?.[1],
  );
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

const common = {
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  logLevel: 'info',
  // jsonc-parser's `main` is UMD, whose inner requires esbuild cannot follow
  mainFields: ['module', 'main'],
  minify: isMinified,
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

/** How Pi becomes parts, most of which are loaded on use: the libraries of providers, and what runs extensions of Pi. */
export const piOptions = {
  ...common,
  ...node,
  target: 'node22',
  define: { PI_BUNDLED_NODE: 'true' },
  minify: true,
  entryPoints: {
    piEntry: 'src/agent/pi/piEntry.ts',
    ...Object.fromEntries(piParts.map((part, index) => [`part${index}`, part])),
  },
  outdir: 'dist/agent',
  outExtension: { '.js': '.mjs' },
  splitting: true,
  chunkNames: '[name]-[hash]',
  banner: { js: piBanner },
  write: false,
  plugins: [lightPiPlugin],
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
    { ...piOptions, sourcemap, plugins: [lightPiPlugin, piEntryPlugin] },
    ...bundles.map((bundle) => ({ ...common, sourcemap, ...bundle })),
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
