/** The import directions of CONTRIBUTING.md, read from the sources; run-time imports as esbuild sees them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../workbench/paths.mjs';

type Layer =
  | 'base'
  | 'contributions'
  | 'protocol'
  | 'mcp'
  | 'agent'
  | 'vscode'
  | 'webview'
  | 'cli'
  | 'extension';

interface Rule {
  /** Layers whose code it may load. */
  readonly runtime: readonly Layer[];
  /** Layers of which it may also name types. */
  readonly types: readonly Layer[];
  readonly node: boolean;
  /** Packages that it may load; `*` is any but `vscode` and Pi's. */
  readonly packages: readonly string[];
}

const rules: Readonly<Record<Layer, Rule>> = {
  base: { runtime: ['base'], types: [], node: false, packages: [] },
  contributions: { runtime: [], types: ['mcp'], node: false, packages: [] },
  protocol: { runtime: ['base', 'protocol'], types: ['mcp', 'agent'], node: false, packages: [] },
  mcp: { runtime: ['base', 'mcp'], types: [], node: true, packages: ['*'] },
  agent: { runtime: ['base', 'mcp', 'agent'], types: ['protocol'], node: true, packages: ['*'] },
  vscode: {
    runtime: ['base', 'contributions', 'protocol', 'mcp', 'agent', 'vscode'],
    types: [],
    node: true,
    packages: ['*', 'vscode'],
  },
  webview: {
    runtime: ['base', 'protocol', 'webview'],
    types: ['mcp', 'agent'],
    node: false,
    packages: ['*'],
  },
  cli: { runtime: ['base', 'mcp', 'agent', 'cli'], types: [], node: true, packages: ['*'] },
  extension: {
    runtime: ['base', 'contributions', 'protocol', 'mcp', 'agent', 'vscode'],
    types: [],
    node: true,
    packages: ['*', 'vscode'],
  },
};

/** The only file that loads Pi; its bundle is loaded on first use. */
const piEntry = 'src/agent/piEntry.ts';

/** The only file that reads files; it refuses what is endless, blocks or is too large. */
const fileReader = 'src/mcp/boundedFile.ts';
/** Open files in order to write them. */
const fileWriters = [
  'src/agent/pinnedFile.ts',
  'src/mcp/config/configFileWriter.ts',
  'src/mcp/storedFile.ts',
];

const maxLines = 400;
const maxLinesOfTypes = 500;
const typeFiles = /^src\/(mcp\/mcpTypes|mcp\/mcpApi|protocol\/\w+Protocol)\.ts$/;

const files = listSources();
let imports: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  imports = await runtimeImports();
});

describe('layers', () => {
  it('knows the layer of every source file', () => {
    expect(files.filter((file) => layerOf(file) === undefined)).toEqual([]);
    expect(files.length).toBeGreaterThan(20);
  });

  it('loads code downwards only', () => {
    const wrong = files.flatMap((file) =>
      (imports.get(file) ?? [])
        .filter((target) => !mayLoad(file, target))
        .map((target) => `${file} loads ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('names types of the allowed layers only', () => {
    const wrong = files.flatMap((file) =>
      namedFiles(file)
        .filter((target) => !mayName(file, target))
        .map((target) => `${file} names ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has no cycle of run-time imports', () => {
    expect(findCycle()).toBeUndefined();
  });

  it('reads files in one place', () => {
    expect(files).toEqual(expect.arrayContaining([fileReader, ...fileWriters]));
    const wrong = files.flatMap((file) =>
      fileReadings(source(file))
        .filter((name) => file !== fileReader && !(name === 'open' && fileWriters.includes(file)))
        .map((name) => `${file} uses ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ["import { readFile } from 'node:fs/promises';", 'readFile'],
    ["import {\n  mkdir,\n  readFileSync as look,\n} from 'node:fs';", 'readFileSync'],
    ["import { open, rm } from 'node:fs/promises';", 'open'],
    ["import { createReadStream } from 'fs';", 'createReadStream'],
    ["import * as fs from 'node:fs';", '*'],
    ["import fs from 'node:fs/promises';", 'default'],
    ["import { promises } from 'node:fs';", 'promises'],
    ["const { readFile } = await import('node:fs/promises');", '*'],
    ["const fs = require('node:fs');", '*'],
    ['await vscode.workspace.fs.readFile(uri);', 'workspace.fs'],
  ])('would find %j', (text, name) => {
    expect(fileReadings(text)).toEqual([name]);
  });

  it.each([
    "import { existsSync, type Stats } from 'node:fs';",
    "import { mkdir, stat } from 'node:fs/promises';",
    'await vscode.workspace.fs.stat(uri);',
    'const text = await this.readFile(path);',
  ])('has nothing against %j', (text) => {
    expect(fileReadings(text)).toEqual([]);
  });

  it('keeps files small', () => {
    const long = files
      .map((file) => ({ file, lines: source(file).split('\n').length - 1 }))
      .filter(({ file, lines }) => lines > (typeFiles.test(file) ? maxLinesOfTypes : maxLines));
    expect(long).toEqual([]);
  });
});

function mayLoad(file: string, target: string): boolean {
  const rule = ruleOf(file);
  if (target.startsWith('src/')) {
    const layer = layerOf(target);
    return layer !== undefined && rule.runtime.includes(layer);
  }
  if (target.startsWith('node:')) {
    return rule.node;
  }
  if (target.startsWith('@earendil-works/')) {
    return file === piEntry;
  }
  return rule.packages.includes(target === 'vscode' ? 'vscode' : '*');
}

function mayName(file: string, target: string): boolean {
  const rule = ruleOf(file);
  if (target === 'package.json') {
    // the extension is told its version by VS Code
    return layerOf(file) === 'cli';
  }
  const layer = layerOf(target);
  return layer !== undefined && (rule.runtime.includes(layer) || rule.types.includes(layer));
}

function ruleOf(file: string): Rule {
  const layer = layerOf(file);
  if (!layer) {
    throw new Error(`${file} is in no layer`);
  }
  return rules[layer];
}

function layerOf(file: string): Layer | undefined {
  const [, name] = /^src\/(\w+)(?:\/|\.ts$)/.exec(file) ?? [];
  return name !== undefined && Object.hasOwn(rules, name) ? (name as Layer) : undefined;
}

/** Every relative import of a file, types included. */
function namedFiles(file: string): readonly string[] {
  const specifiers = source(file).matchAll(/\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g);
  return [...specifiers].map(([, specifier = '']) =>
    posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts'),
  );
}

const readingNames =
  /^(?:readFile|readFileSync|createReadStream|ReadStream|open|openSync|openAsBlob|read|readSync|readv|readvSync|cp|cpSync|copyFile|copyFileSync|promises|default)$/;

/** By which names a source reads files, past the reader that is bounded. */
function fileReadings(text: string): readonly string[] {
  const whole =
    /\bfrom\s*'(?:node:)?fs(?:\/promises)?'|\b(?:import|require)\('(?:node:)?fs(?:\/promises)?'\)/g;
  const imported = [...text.matchAll(whole)].flatMap(({ index, 0: found }) => {
    const clause = text.slice(text.lastIndexOf('import', index), index);
    const [, names] = /\{([^}]*)\}/.exec(found.startsWith('from') ? clause : '') ?? [];
    if (names === undefined) {
      return [/^import\s+\w+\s/.test(clause) && found.startsWith('from') ? 'default' : '*'];
    }
    return names
      .split(',')
      .map((name) => name.trim().replace(/\s+as\s+.*$/s, ''))
      .filter((name) => readingNames.test(name));
  });
  return [...imported, ...(/\bworkspace\.fs\.readFile\b/.test(text) ? ['workspace.fs'] : [])];
}

function findCycle(): readonly string[] | undefined {
  const finished = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) {
      return [...path.slice(path.indexOf(file)), file];
    }
    if (finished.has(file)) {
      return undefined;
    }
    for (const target of imports.get(file) ?? []) {
      const cycle = visit(target, [...path, file]);
      if (cycle) {
        return cycle;
      }
    }
    finished.add(file);
    return undefined;
  };
  for (const file of files) {
    const cycle = visit(file, []);
    if (cycle) {
      return cycle;
    }
  }
  return undefined;
}

async function runtimeImports(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { metafile } = await build({
    absWorkingDir: repository,
    entryPoints: [...files],
    outdir: 'out',
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    loader: { '.css': 'empty' },
    logLevel: 'silent',
  });
  return new Map(
    Object.entries(metafile.inputs).map(([file, input]) => [
      file,
      input.imports.map(({ path }) => path),
    ]),
  );
}

function listSources(): readonly string[] {
  const entries = readdirSync(join(repository, 'src'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(repository, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

function source(file: string): string {
  return readFileSync(join(repository, file), 'utf8');
}
