/** The house of CONTRIBUTING.md, read from the sources; run-time imports as esbuild sees them. */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Arrows,
  circles,
  fullFolders,
  homeless,
  maxFiles,
  maxFilesOfFolder,
  maxTestLines,
  misplaced,
  mutualFolders,
  overBudget,
  specifiersOf,
  targetsOf,
  upwardArrows,
} from '../helpers/house.js';
import { repository } from '../workbench/paths.mjs';

interface Rule {
  /** May load what Node brings along. */
  readonly node: boolean;
  /** Packages that it may load; `*` is any but `vscode` and Pi's. */
  readonly packages: readonly string[];
  /** Floors whose code it may load, beyond their types. Default: all below. */
  readonly loads?: readonly string[];
}

const rules: Readonly<Record<string, Rule>> = {
  base: { node: false, packages: [] },
  'contributions.ts': { node: false, packages: [] },
  platform: { node: true, packages: ['*'] },
  config: { node: true, packages: ['*'] },
  mcp: { node: true, packages: ['*'] },
  protocol: { node: false, packages: [], loads: ['base', 'protocol'] },
  agent: { node: true, packages: ['*'] },
  gateway: { node: true, packages: ['*'] },
  webview: { node: false, packages: ['*'], loads: ['base', 'protocol', 'webview'] },
  presentation: { node: false, packages: ['*'] },
  cli: { node: true, packages: ['*'] },
  'cli.ts': { node: true, packages: ['*'] },
  vscode: { node: true, packages: ['*', 'vscode'] },
  'extension.ts': { node: true, packages: ['*', 'vscode'] },
};

/** The only file that loads Pi; its bundle is loaded on first use. */
const piEntry = 'src/agent/pi/piEntry.ts';

/** The only file that reads files; it refuses what is endless, blocks or is too large. */
const fileReader = 'src/platform/boundedFile.ts';
/** Open files in order to write them. */
const fileWriters = ['src/platform/stores/replacedFile.ts', 'src/platform/stores/storedFile.ts'];

const maxLines = 400;

const files = listFiles('src');
const testFiles = globSync('test/**/*.{ts,mts,mjs}', { cwd: repository });
const arrows: Arrows = new Map(
  files.map((file) => [file, targetsOf(file, source(file)).filter((to) => files.includes(to))]),
);
let loaded: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  loaded = await runtimeImports();
});

describe('the house', () => {
  it('has a room for every file', () => {
    expect(homeless(files)).toEqual([]);
    expect(files.length).toBeGreaterThan(400);
    expect(homeless(['src/other/a.ts', 'src/config/odd/a.ts', 'src/config/a.ts'])).toEqual([
      'src/other/a.ts',
      'src/config/odd/a.ts',
    ]);
  });

  it('imports downwards only, types included', () => {
    expect(upwardArrows(arrows)).toEqual([]);
  });

  it('has no circle of files or rooms', () => {
    expect(circles(arrows)).toEqual([]);
  });

  it('has no two folders that import each other', () => {
    expect(mutualFolders(arrows)).toEqual([]);
  });

  it('has no folder with too many files of its own', () => {
    expect(fullFolders(files)).toEqual([]);
  });

  it('has adapters in vscode/ alone, and nothing of a host in presentation/', () => {
    expect(misplaced(new Map(files.map((file) => [file, specifiersOf(source(file))])))).toEqual([]);
  });

  it('has the tests in rooms of the same names', () => {
    const folders = new Set(
      listFiles('test/unit').map((file) =>
        file.slice('test/unit/'.length).replace(/\/?[^/]+$/, ''),
      ),
    );
    const others = ['', 'documents', 'fuzz', 'growth'];
    const rooms = new Set(files.map((file) => file.slice('src/'.length).replace(/\/?[^/]+$/, '')));
    expect([...folders].filter((one) => !others.includes(one) && !rooms.has(one))).toEqual([]);
  });

  it.each([
    ['src/config/parse/a.ts', 'src/mcp/mcpTypes.ts'],
    ['src/mcp/catalog/a.ts', 'src/mcp/server/b.ts'],
    ['src/mcp/mcpApi.ts', 'src/mcp/oauth/b.ts'],
    ['src/mcp/connection/stdio/a.ts', 'src/mcp/connection/session/b.ts'],
    ['src/agent/pi/a.ts', 'src/agent/transcript/b.ts'],
    ['src/config/definition.ts', 'src/config/schema/b.ts'],
    ['src/platform/clock.ts', 'src/platform/process/b.ts'],
    ['src/base/a.ts', 'src/contributions.ts', 'src/cli.ts'],
  ])('would find an arrow from %s up', (from, ...targets) => {
    expect(upwardArrows(new Map([[from, targets]]))).toEqual([`${from} → ${targets.at(-1)}`]);
  });

  it('would find circles', () => {
    const [a, b, c] = ['src/config/lint/a.ts', 'src/config/lint/b.ts', 'src/config/lint/c.ts'];
    expect(circles(graph([a, b], [b, c], [c, a]))).toEqual([[a, b, c, a]]);
    expect(
      circles(
        graph(
          ['src/config/lint/a.ts', 'src/config/edit/a.ts'],
          ['src/config/edit/b.ts', 'src/config/lint/b.ts'],
        ),
      ),
    ).toEqual([['lint', 'edit', 'lint']]);
    expect(circles(graph([a, b], [b, c], [a, c]))).toEqual([]);
  });

  it('would find two folders that import each other', () => {
    const there = ['src/vscode/views/a.ts', 'src/vscode/prompts/b.ts'] as const;
    const back = ['src/vscode/prompts/c.ts', 'src/vscode/views/d.ts'] as const;
    expect(mutualFolders(graph(there, back))).toEqual(['src/vscode/prompts src/vscode/views']);
    expect(mutualFolders(graph(there))).toEqual([]);
  });

  it('would find a folder that is full', () => {
    const many = Array.from({ length: maxFilesOfFolder + 1 }, (_, index) => `src/base/${index}.ts`);
    expect(fullFolders(many)).toEqual(['src/base']);
    expect(fullFolders([...many.slice(1), 'src/base/text/a.ts'])).toEqual([]);
  });

  it('would find a file in the wrong one of vscode/ and presentation/', () => {
    const cases = new Map([
      ['src/vscode/a.ts', ['node:path']],
      ['src/vscode/b.ts', ['node:path', 'vscode']],
      ['src/presentation/c.ts', ['vscode']],
      ['src/presentation/tree/d.ts', ['node:crypto']],
      ['src/presentation/e.ts', ['@vscode/l10n']],
    ]);
    expect(misplaced(cases)).toEqual([
      'src/vscode/a.ts',
      'src/presentation/c.ts',
      'src/presentation/tree/d.ts',
    ]);
  });

  it('sees every kind of import', () => {
    const text = `import type { A } from './a.js';\nimport './b.js';\nexport * from '../c.js';
      type D = import('./d.js').D;\nconst e = await import('./e.js');\nimport x from 'node:fs';`;
    const found = ['src/x/a.ts', 'src/x/b.ts', 'src/c.ts', 'src/x/d.ts', 'src/x/e.ts'];
    expect(targetsOf('src/x/y.ts', text)).toEqual(found);
  });
});

describe('what is loaded', () => {
  it('is allowed to the floor', () => {
    const wrong = files.flatMap((file) =>
      (loaded.get(file) ?? [])
        .filter((target) => !mayLoad(file, target))
        .map((target) => `${file} loads ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['src/base/a.ts', 'node:fs'],
    ['src/protocol/a.ts', 'src/mcp/mcpTypes.ts'],
    ['src/webview/agent/a.ts', 'src/agent/panel/agentPanel.ts'],
    ['src/webview/agent/a.ts', 'node:path'],
    ['src/agent/pi/a.ts', '@earendil-works/pi-ai'],
    ['src/mcp/a.ts', 'vscode'],
  ])('would be refused to %s: %s', (file, target) => {
    expect(mayLoad(file, target)).toBe(false);
  });

  it('are no files, but in one place', () => {
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

  it('is within its budget', () => {
    expect(overBudget(new Map(files.map((file) => [file, linesOf(file)])))).toEqual([]);
    expect(files.length).toBeLessThanOrEqual(maxFiles);
    const long = new Map([
      ['src/base/a.ts', 4_000],
      ['src/cli.ts', 520],
      ['src/other/a.ts', 1],
      ['src/cli/a.ts', 3_000],
    ]);
    expect(overBudget(long)).toEqual(['base: 4000 of 3568', '.: 520 of 513', 'other: 1 of 0']);
  });

  it('is in small files', () => {
    const helpers = testFiles.filter((file) => file.startsWith('test/helpers/'));
    expect(helpers.length).toBeGreaterThan(100);
    const long = [...files, ...helpers]
      .map((file) => ({ file, lines: linesOf(file) }))
      .filter(({ lines }) => lines > maxLines);
    expect(long).toEqual([]);
  });

  it('is shown by tests of no more lines than they may have', () => {
    const lines = testFiles.reduce((sum, file) => sum + linesOf(file), 0);
    expect(lines).toBeLessThanOrEqual(maxTestLines);
  });

  it('is built by three files of 300 lines in all', () => {
    const scripts = ['esbuild.mjs', ...globSync('build/*', { cwd: repository })];
    expect(scripts).toHaveLength(3);
    const lines = scripts.map((script) => source(script).split('\n').length - 1);
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(300);
  });

  it('is in small style sheets', () => {
    const sheets = globSync('media/webview/**/*.css', { cwd: repository });
    expect(sheets.length).toBeGreaterThan(10);
    const long = sheets.filter((sheet) => source(sheet).split('\n').length - 1 > maxLines);
    expect(long).toEqual([]);
  });
});

function graph(...pairs: readonly (readonly [string, string])[]): Arrows {
  const found = new Map<string, string[]>();
  for (const [from, to] of pairs) {
    found.set(from, [...(found.get(from) ?? []), to]);
  }
  return found;
}

/** What the floor of a file may load; that arrows go down is another rule. */
function mayLoad(file: string, target: string): boolean {
  const rule = rules[floorOf(file)];
  if (!rule) {
    throw new Error(`${file} is on no floor`);
  }
  if (target.startsWith('src/')) {
    return rule.loads?.includes(floorOf(target)) ?? true;
  }
  if (target === 'package.json') {
    // the extension is told its version by VS Code
    return floorOf(file) === 'cli';
  }
  if (target.startsWith('node:')) {
    return rule.node;
  }
  if (target.startsWith('@earendil-works/')) {
    return file === piEntry;
  }
  return rule.packages.includes(target === 'vscode' ? 'vscode' : '*');
}

function floorOf(file: string): string {
  return file.split('/')[1] ?? '';
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

async function runtimeImports(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { metafile } = await build({
    absWorkingDir: repository,
    // one bundle of all: one for each file would take a minute
    stdin: {
      contents: files.map((file) => `import './${file}';`).join('\n'),
      resolveDir: repository,
    },
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

function listFiles(folder: string): readonly string[] {
  const entries = readdirSync(join(repository, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(repository, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

function source(file: string): string {
  return readFileSync(join(repository, file), 'utf8');
}

describe('what the domain knows of when it is loaded', () => {
  const sources = (folder: string) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file).split(sep).join('/'))
      .sort();
  const found = (files: readonly string[], pattern: RegExp) =>
    files.flatMap((file) =>
      (readFileSync(join(repository, file), 'utf8').match(pattern) ?? []).map(() => file),
    );

  it('is loaded in six pieces, each for a wait that it saves', () => {
    expect(found(sources('src'), /(?<!typeof )\bimport\(/g)).toEqual([
      'src/gateway/wire/loadWire.ts',
      'src/mcp/connection/engineSelection.ts',
      'src/mcp/connection/engineSelection.ts',
      'src/mcp/server/loadSkill.ts',
      'src/vscode/activation/windowEntry.ts',
      'src/vscode/createAgent.ts',
    ]);
  });

  it('makes at most twelve things on first use', () => {
    const uses = found(sources('src'), /(?<![.\w]|function )once\(/g);
    expect(uses.length).toBeLessThanOrEqual(12);
    expect(uses).toContain('src/mcp/catalog/tokens/tokenEstimate.ts');
  });

  it('has no names for paint, turns of the event loop or first use', () => {
    const rooms = ['mcp', 'config', 'presentation', 'gateway', 'agent', 'platform', 'base'];
    const names =
      /onFirstUse|inTurns|nextTurn|OnUse\b|LoadedOnce|[lL]azyApi|rowsBelow|setImmediate\(|whenShown/g;
    // what has arrived at a socket is read before they go on
    const waitForSockets = [
      'src/gateway/http/body.ts',
      'src/mcp/connection/session/boundedRequest.ts',
    ];
    const files = rooms.flatMap((room) => sources(`src/${room}`)).sort();
    expect(found(files, names)).toEqual(waitForSockets);
  });

  it('waits in pauses only where somebody else decides how long it takes', () => {
    expect([...new Set(found(sources('src'), /\bwithPauses\(/g))]).toEqual([
      'src/agent/session/stored/restoreTranscript.ts',
      'src/mcp/catalog/toolCatalog.ts',
      'src/presentation/switching/toolCosts.ts',
    ]);
  });
});

function linesOf(file: string): number {
  return source(file).split('\n').length - 1;
}
