/** Which code is loaded when: the files of esbuild.mjs, minified, as they are shipped. Bytes are exact. */
import { basename } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { chunkOptions, piOptions, shippedFiles } from '../../esbuild.mjs';
import { loadedTurns } from '../helpers/loadedTurns.js';

/** Minified, of all that is loaded until a tree shows its first rows where no window kept any. */
const maxFirstRowsBytes = 165_800;

/** Minified, of what is loaded before others get their turn. */
const maxTurnBytes = 105_000;
/** Of packages that come as one piece. */
const maxPackageBytes = 152_000;

/** What is there when anything else is loaded in a window. */
const first = ['extension.js', 'composition.js'];

let outputs: Metafile['outputs'];
let shipped: ReadonlyMap</* name */ string, string>;

beforeAll(async () => {
  const { metafile, outputFiles } = await build({
    ...chunkOptions,
    format: 'esm',
    platform: 'node',
    minify: true,
    metafile: true,
    logLevel: 'silent',
  });
  outputs = metafile.outputs;
  shipped = await shippedFiles({ metafile, outputFiles });
});

describe('the chunks', () => {
  it('hold each source once', () => {
    const holders = new Map<string, string[]>();
    for (const [chunk, { inputs }] of Object.entries(outputs)) {
      for (const [source, { bytesInOutput }] of Object.entries(inputs)) {
        if (bytesInOutput > 0) {
          holders.set(source, [...(holders.get(source) ?? []), basename(chunk)]);
        }
      }
    }
    expect(holders.size).toBeGreaterThan(900);
    expect([...holders].filter(([, chunks]) => chunks.length > 1)).toEqual([]);
  });

  it('take the API of VS Code as it is, without a copy for every source', () => {
    const texts = [...shipped].filter(([name]) => name.endsWith('.js'));
    const uses = texts.flatMap(([name, text]) =>
      [...text.matchAll(/(.)\brequire\("vscode"\)/g)].map(([, before]) => ({ name, before })),
    );
    expect(uses.length).toBeGreaterThan(10);
    expect(uses.filter(({ before }) => before !== '=')).toEqual([]);
  });

  it('are one for what VS Code waits for: the activation, and the rows of the last window', () => {
    const { shippedBytes, sources } = loadedBy('extension');
    expect(shippedBytes).toBeLessThan(32_100);
    const rooms =
      /^src\/(?:base|config|platform|vscode\/activation)\/|(?:editorServers|keptRows|openRows|registerCommand|serversTree)\.ts$|lazyApi\.ts$|^src\/[^/]+\.ts$|@vscode\/l10n/;
    expect(sources.filter((source) => !rooms.test(source))).toEqual([]);
  });

  it('show the first rows of a folder that is new to us without what is loaded after them', () => {
    const { shippedBytes, sources } = loadedBy('extension', 'composition');
    expect(shippedBytes).toBeLessThan(maxFirstRowsBytes);
    const later = [
      /^src\/agent\//,
      /^src\/config\/(?:discovery\/importPlans|edit\/(?!editingOnUse|poolFiles)|inputs|lint|schema\/guides|secrets)\b/,
      /^src\/gateway\//,
      /^src\/mcp\/(?:apps|otherClients|registry|traffic)\//,
      /^src\/mcp\/(?:service\/(?:accounts|connections|formQuestions|openQuestions|processes)|server\/(?:connectionOwner|listRefresh|mcpServer|readCatalog|watches))\b/,
      /^src\/mcp\/(?:stateText|tasks\/serverTasks|trouble)\b/,
      /^src\/mcp\/connection\/(?:connectionErrors|http|mcpConnection|reading\/(?!serverBounds)|stdio)\b/,
      /^src\/mcp\/oauth\/(?!storedAccounts|storedCredentials)/,
      /^src\/mcp\/trust\/(?:describeLaunch|findLaunchFacts|launchLines|redactDescription)\b/,
      /^src\/platform\/process\//,
      /^src\/presentation\/(?:createExtensionApi|language|notices|questions|statusBar|tree\/(?:below|tooltips))\b/,
      /^src\/vscode\/(?:gateway\/(?!editorServers)|language|mentions|prompts|questions|statusBar)\b/,
      /node_modules\/smol-toml\//,
    ];
    expect(sources.filter((source) => later.some((one) => one.test(source)))).toEqual([]);
  });

  it('are complete after the first rows without what is loaded on first use', () => {
    const { shippedBytes, sources } = loadedBy(
      'extension',
      'composition',
      'rest',
      'processes',
      'connections',
    );
    expect(shippedBytes).toBeLessThan(432_000);
    const later = [
      /^src\/agent\/(?:apps|branches|conversations|live|models\/models|panel|pi|queue|session)\b/,
      /^src\/config\/(?:export|fixes|lint\/lintConfig|paste)\b/,
      /^src\/gateway\/(?:gateway\.|http|lending|rest)/,
      /^src\/mcp\/(?:catalog\/(?:schema|search\/(?:ranking|toolIndex))|connection\/stdio|registry)\//,
      /^src\/presentation\/(?:configPage|inspector|registry|runTool)\//,
      /^src\/vscode\/(?:apps|commands|inspector|models|registry|webviews)\//,
      /node_modules\/(?:cross-spawn|diff|ignore|semver)\//,
      /\/sdkEngine\//,
      /\/clientEngine\//,
      /\/wire\/wire\.ts$/,
      /o200k/i,
      /validation\/patterns/,
      /piEntry/,
      /node_modules\/(?:@modelcontextprotocol|zod|re2js|@earendil-works)\//,
    ];
    expect(sources.filter((source) => later.some((one) => one.test(source)))).toEqual([]);
  });
});

describe('what is loaded on use', () => {
  it('lets others have their turn before it takes long', () => {
    const long = loadedTurns(shipped, first).filter(
      ({ files, to, bytes }) =>
        to !== 'tokens.js' && bytes > (isOfPackage(files.at(-1)) ? maxPackageBytes : maxTurnBytes),
    );
    expect(long).toEqual([]);
  });

  it('takes few files, each of which takes its time to be found and read', () => {
    const files = loadedTurns(shipped, first)
      .filter(({ from, to }) => from === 'rest.js' && to === 'surfaces.js')
      .flatMap((turn) => turn.files);
    expect(files).toContain('surfaces.js');
    expect(files.length).toBeLessThan(24);
  });
});

/** Whether little of the file is ours. */
function isOfPackage(file = ''): boolean {
  const { inputs = {}, bytes = 0 } = outputs[`dist/${file}`] ?? {};
  const own = Object.entries(inputs).filter(([source]) => !source.includes('node_modules/'));
  return own.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0) < bytes / 10;
}

describe('the engines', () => {
  it('bring no compiler of schemas, since both get a validator of ours', () => {
    const { sources } = loadedBy('clientEngine', 'sdkEngine');
    expect(sources.filter((source) => /node_modules\/(?:ajv|fast-uri)/.test(source))).toEqual([]);
    expect(bytesBeside('sdkEngine', 'clientEngine')).toBeLessThan(303_000);
    expect(bytesBeside('clientEngine', 'sdkEngine')).toBeLessThan(50_000);
  });
});

describe('Pi', () => {
  it('is loaded in parts that each take little time, without what few sessions use', async () => {
    const { metafile } = await build({
      ...piOptions,
      format: 'esm',
      platform: 'node',
      metafile: true,
      logLevel: 'silent',
    });
    outputs = metafile.outputs;
    const { bytes, sources, chunks } = loadedBy('agent/piEntry.mjs');
    expect(bytes).toBeLessThan(3_200_000);
    const later = [
      /\/modes\/interactive\/(?:interactive-mode|components\/tree-selector)\.js$/,
      /node_modules\/(?:jiti|openai|@anthropic-ai|@google|@mistralai|@aws-sdk)\//,
      /highlight\.js\/lib\/index\.js$/,
    ];
    expect(sources.length).toBeGreaterThan(300);
    expect(sources.filter((source) => later.some((one) => one.test(source)))).toEqual([]);
    // texts that are parsed on their own cost no time to compile
    const code = chunks.map((chunk) =>
      Object.entries(outputs[chunk]?.inputs ?? {})
        .filter(([source]) => !source.endsWith('.json'))
        .reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0),
    );
    expect(Math.max(...code)).toBeLessThan(600_000);
  });
});

/** What the second one adds to the first. */
function bytesBeside(first: string, second: string): number {
  return loadedBy(first, second).bytes - loadedBy(first).bytes;
}

/** What is in memory once these chunks are loaded. */
function loadedBy(...names: readonly string[]): {
  readonly bytes: number;
  /** Of the files of the package. */
  readonly shippedBytes: number;
  readonly sources: readonly string[];
  readonly chunks: readonly string[];
} {
  const found = new Set<string>();
  const add = (chunk: string) => {
    if (chunk in outputs && !found.has(chunk)) {
      found.add(chunk);
      for (const { path, kind } of outputs[chunk]?.imports ?? []) {
        if (kind !== 'dynamic-import') {
          add(path);
        }
      }
    }
  };
  names.forEach((name) => {
    add(`dist/${/\.m?js$/.test(name) ? name : `${name}.js`}`);
  });
  const loaded = [...found].flatMap((chunk) => outputs[chunk] ?? []);
  // chunks that start together are one file
  const joints = names.flatMap((name) => [`${name}.js`, `${name}Core.js`]);
  const files = new Set([...joints, ...[...found].map((chunk) => basename(chunk))]);
  return {
    chunks: [...found],
    bytes: loaded.reduce((sum, { bytes }) => sum + bytes, 0),
    shippedBytes: [...files].reduce(
      (sum, name) => sum + Buffer.byteLength(shipped.get(name) ?? ''),
      0,
    ),
    sources: loaded.flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([source, { bytesInOutput }]) =>
        bytesInOutput > 0 ? [source] : [],
      ),
    ),
  };
}
