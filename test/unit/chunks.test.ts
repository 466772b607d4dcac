/** Which code is loaded when: the files of esbuild.mjs, minified, as they are shipped. */
import { basename } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { chunkOptions, piOptions, shippedFiles } from '../../esbuild.mjs';

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
});

describe('the engines', () => {
  it('bring no compiler of schemas, since both get a validator of ours', () => {
    const sources = sourcesOf('clientEngine', 'sdkEngine');
    expect(sources.filter((source) => /node_modules\/(?:ajv|fast-uri)/.test(source))).toEqual([]);
  });

  it('are loaded with the first server that needs them, not with the window', () => {
    const ofProtocol = (source: string) => source.includes('node_modules/@modelcontextprotocol/');
    const sources = sourcesOf('extension', 'extensionCore', 'composition', 'compositionCore');
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.filter(ofProtocol)).toEqual([]);
    expect(sourcesOf('sdkEngine').some(ofProtocol)).toBe(true);
  });
});

describe('Pi', () => {
  it('is loaded without what few sessions use', async () => {
    const { metafile } = await build({
      ...piOptions,
      format: 'esm',
      platform: 'node',
      metafile: true,
      logLevel: 'silent',
    });
    outputs = metafile.outputs;
    const sources = sourcesOf('agent/piEntry.mjs');
    const later = [
      /\/modes\/interactive\/(?:interactive-mode|components\/tree-selector)\.js$/,
      /node_modules\/(?:jiti|openai|@anthropic-ai|@google|@mistralai|@aws-sdk)\//,
      /highlight\.js\/lib\/index\.js$/,
    ];
    expect(sources.length).toBeGreaterThan(300);
    expect(sources.filter((source) => later.some((one) => one.test(source)))).toEqual([]);
  });
});

/** What is in memory once these chunks are loaded. */
function sourcesOf(...names: readonly string[]): readonly string[] {
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
  return [...found].flatMap((chunk) =>
    Object.entries(outputs[chunk]?.inputs ?? {}).flatMap(([source, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [source] : [],
    ),
  );
}
