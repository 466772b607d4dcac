/** What is in the .vsix, and that it loads where no node_modules is near. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import tokens from 'gpt-tokenizer/bpeRanks/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packVocabulary } from '../../src/mcp/catalog/tokens/packVocabulary.js';
import { redPixel } from '../helpers/pages/states/agent.mjs';
import { unpackVsix } from '../helpers/unpackVsix.js';
import { repository, vsixPath } from '../workbench/paths.mjs';

const run = promisify(execFile);
const maxVsixBytes = 6_000_000;

let dir: string;
let extensionDir: string;
let files: Readonly<Record<string, Uint8Array>>;

beforeAll(() => {
  ({ dir, extensionDir, files } = unpackVsix());
});

afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

describe('the packaged extension', () => {
  it('holds what it needs and nothing else', () => {
    const paths = Object.keys(files).map((path) => path.replace(/^extension\//, ''));
    const top = paths.filter((path) => /^dist\/[^/]+$/.test(path));
    expect(top.sort()).toEqual([
      'dist/ThirdPartyNotices.txt',
      'dist/cli.js',
      'dist/extension.js',
      'dist/main.js',
      'dist/o200k.bin.br',
      'dist/sbom.cdx.json',
    ]);
    const pages = paths.filter((path) => /^dist\/webview\/.*\.js$/.test(path));
    const names = `add agent app code config consent diagram doctor questions server`;
    expect(pages.sort()).toEqual(names.split(' ').map((name) => `dist/webview/${name}.js`));
    const sheets = paths.filter((path) => /^dist\/webview\/.*\.css$/.test(path));
    const styled = names.split(' ').filter((name) => name !== 'code' && name !== 'diagram');
    expect(sheets.sort()).toEqual(styled.map((name) => `dist/webview/${name}.css`));
    const needed = `package.json package.nls.json readme.md changelog.md LICENSE.txt
      dist/agent/piEntry.js dist/agent/image-resize-worker.js dist/agent/package.json
      dist/agent/photon_rs_bg.wasm dist/webview/codicon.ttf`.split(/\s+/);
    expect(needed.filter((path) => !paths.includes(path))).toEqual([]);
    const known =
      /^(?:package(?:\.nls.*)?\.json|(?:readme|changelog)\.md|LICENSE\.txt|l10n\/[^/]+\.json|media\/(?:icons|schemas|walkthrough)\/.*|dist\/[^/]+|dist\/agent\/[^/]+\.(?:js|json|wasm)|dist\/webview\/[^/]+\.(?:js|css|ttf))$/;
    const packaged = Object.keys(files).filter((path) => path.startsWith('extension/'));
    const others = packaged.map((path) => path.slice('extension/'.length));
    expect(others.filter((path) => !known.test(path) || path.endsWith('.map'))).toEqual([]);
    expect(readFileSync(vsixPath).length).toBeLessThan(maxVsixBytes);
  });

  it('has its entries in one order and with one time, wherever it is made', () => {
    const head = Buffer.from('PK\x01\x02');
    const content = readFileSync(vsixPath);
    const times = new Set<number>();
    const names: string[] = [];
    for (let at = content.indexOf(head); at >= 0; at = content.indexOf(head, at + 46)) {
      times.add(content.readUInt32LE(at + 12));
      names.push(content.toString('utf8', at + 46, at + 46 + content.readUInt16LE(at + 28)));
    }
    expect(names.sort()).toEqual(Object.keys(files).sort());
    // the first of January 1980, midnight
    expect([...times]).toEqual([((1 << 5) | 1) << 16]);
  });

  it('ships every file that the manifest names', () => {
    const manifest = readFileSync(join(extensionDir, 'package.json'), 'utf8');
    const named = [...manifest.matchAll(/"\.?\/?((?:media|dist|l10n)\/[^"]+)"/g)];
    const paths = named.map(([, path = '']) => `extension/${path}`);
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => !(path in files))).toEqual([]);
  });

  it('names the licence of every bundled package', () => {
    const notices = readFileSync(join(extensionDir, 'dist/ThirdPartyNotices.txt'), 'utf8');
    const packages = [
      '@modelcontextprotocol/sdk',
      '@modelcontextprotocol/client',
      '@earendil-works/pi-coding-agent',
      'jiti',
      'zod',
    ];
    for (const name of packages) {
      expect(notices).toContain(`\n${name} `);
    }
    expect(notices).not.toContain('(UNLICENSED)');
  });

  it('has a bill of what it is made of, each with its licence in the notices', () => {
    const text = readFileSync(join(extensionDir, 'dist/sbom.cdx.json'), 'utf8');
    const { bomFormat, components } = JSON.parse(text) as {
      readonly bomFormat: string;
      readonly components: readonly { group?: string; name: string; version: string }[];
    };
    expect(bomFormat).toBe('CycloneDX');
    const billed = components.map(
      ({ group, name, version }) => `${group ? `${group}/` : ''}${name} ${version}`,
    );
    const notices = readFileSync(join(extensionDir, 'dist/ThirdPartyNotices.txt'), 'utf8');
    const named = [...notices.matchAll(/^-{79}\n\n(\S+ \S+) \(/gm)].map(([, one]) => one);
    expect(billed.length).toBeGreaterThan(90);
    expect(billed.filter((one) => !named.includes(one))).toEqual([]);
    expect(text).not.toContain(repository);
  });

  it('loads the extension with nothing but its texts and VS Code around it', async () => {
    const script = `
      const Module = require('node:module');
      const { _load } = Module;
      const vscode = new Proxy(function () {}, {
        get: (target, key) => (key === Symbol.toPrimitive ? () => '' : key === 'prototype' ? target.prototype : vscode),
        apply: () => vscode,
        construct: () => ({}),
      });
      Module._load = (request, ...rest) => request === 'vscode' ? vscode : _load(request, ...rest);
      const extension = require(${JSON.stringify(join(extensionDir, 'dist/extension.js'))});
      console.log(typeof extension.activate, typeof extension.deactivate);
      const loaded = Object.keys(require.cache).filter((path) => !path.endsWith('extension.js'));
      console.log(JSON.stringify(loaded));`;
    const { stdout } = await inEmptyPlace(['-e', script]);
    const [kinds, loaded = ''] = stdout.trim().split('\n');
    expect(kinds).toBe('function function');
    const names = (JSON.parse(loaded) as readonly string[]).map((path) => basename(path));
    expect(names).toEqual([]);
  });

  it('loads next to nothing in a window that needs nothing of it', async () => {
    const loaded = await loadedByActivation([]);
    expect(loaded).toEqual(['extension.js']);
    const holders = ['extension', 'main'].filter((name) =>
      readFileSync(join(extensionDir, `dist/${name}.js`), 'utf8').includes(
        'notifications/initialized',
      ),
    );
    expect(holders).toEqual(['main']);
    expect(await loadedByActivation(['.mcp.json'])).toContain('main.js');
  });

  it('shows the rows of a window with servers without a call that blocks', async () => {
    const { rows, loaded, blocking, opened } = await firstRows();
    expect(rows).toEqual([
      'User: 1 server',
      'work: 2 servers · trusted',
      'notes: Not running',
      'docs: Not running',
      'files: Not running',
    ]);
    expect(loaded).toEqual(['extension.js', 'main.js']);
    expect(blocking).toEqual([]);
    const twice = Object.entries(opened).filter(([, times]) => times > 1);
    expect(twice).toEqual([]);
    const names = Object.keys(opened).map((path) => basename(path));
    expect(names.sort()).toEqual(['.mcp.json', 'config', 'mcp-stdio-trust.json', 'mcp.json']);
  });

  it('loads Pi and finds its version and assets beside it', async () => {
    const url = JSON.stringify(join(extensionDir, 'dist/agent/piEntry.js'));
    const script = `import(${url}).then((pi) => console.log(pi.VERSION, typeof pi.createAgentSession))`;
    const { stdout } = await inEmptyPlace(['-e', script]);
    expect(stdout.trim()).toBe('0.87.1 function');
  });

  it('reads a picture with the library that Pi loads for it, in a thread', async () => {
    const told = await readPicture('red.png', Buffer.from(redPixel, 'base64'));
    expect(told).toEqual({
      content: ['Read image file [image/png]', 'image/png'],
      threads: 1,
      failures: [],
      compiledHere: 0,
    });
  });

  it('makes another picture smaller in a thread, from a format that no model takes', async () => {
    const { content, ...told } = await readPicture('wide.bmp', blackBitmap(2600, 5));
    expect(content.join()).toMatch(/converted from image\/bmp.*displayed at 2000x4\b/s);
    expect(told).toEqual({ threads: 1, failures: [], compiledHere: 1 });
  });

  it('has one copy of the texts in all that speaks to the user', () => {
    const main = readFileSync(join(extensionDir, 'dist/main.js'), 'utf8');
    // a message of the package that reads translations
    expect(main.match(/ response while trying to read /g)).toHaveLength(1);
  });

  it('compiles no schema', () => {
    const bundles = ['main', 'cli'].map((name) =>
      readFileSync(join(extensionDir, `dist/${name}.js`), 'utf8'),
    );
    expect(bundles.filter((text) => /\bnew Function\b|\bajv\b/.test(text))).toEqual([]);
  });

  it('brings the vocabulary of the token counter along, packed', () => {
    const packed = brotliDecompressSync(readFileSync(join(extensionDir, 'dist/o200k.bin.br')));
    expect(packed.equals(packVocabulary(tokens))).toBe(true);
    const main = readFileSync(join(extensionDir, 'dist/main.js'), 'utf8');
    expect(main).toContain('o200k.bin.br');
  });

  it('runs the CLI', async () => {
    const folder = join(dir, 'project');
    mkdirSync(folder);
    const config = { mcpServers: { hello: { command: 'node', args: ['-e', '0'] } } };
    writeFileSync(join(folder, '.mcp.json'), JSON.stringify(config));
    const cli = join(extensionDir, 'dist/cli.js');
    const { stdout } = await inEmptyPlace([cli, 'list', '--folder', folder, '--json']);
    const document: unknown = JSON.parse(stdout);
    expect(document).toMatchObject({
      servers: [{ name: 'hello', scope: 'folder', kind: 'stdio', state: 'trust_required' }],
      problems: [],
    });
  });
});

/** What Pi's tool makes of a picture, and how. */
async function readPicture(
  path: string,
  bytes: Buffer,
): Promise<{
  /** Texts, and the type of the picture. */
  readonly content: readonly string[];
  readonly threads: number;
  readonly failures: readonly string[];
  /** Modules of WebAssembly. */
  readonly compiledHere: number;
}> {
  const url = JSON.stringify(join(extensionDir, 'dist/agent/piEntry.js'));
  const script = `import(${url}).then(async (pi) => {
    const told = { threads: 0, failures: [], compiledHere: 0 };
    process.on('worker', (worker) => {
      told.threads++;
      worker.on('error', ({ message }) => told.failures.push(message));
    });
    const { compile } = WebAssembly;
    WebAssembly.compile = (bytes) => {
      told.compiledHere++;
      return compile(bytes);
    };
    WebAssembly.Module = class extends WebAssembly.Module {
      constructor(bytes) {
        super(bytes);
        told.compiledHere++;
      }
    };
    require('node:fs').writeFileSync('${path}', Buffer.from('${bytes.toString('base64')}', 'base64'));
    const read = pi.createReadToolDefinition(process.cwd());
    const { content } = await read.execute('1', { path: '${path}' });
    console.log(JSON.stringify({ content: content.map(({ text, mimeType }) => text ?? mimeType), ...told }));
  })`;
  const { stdout } = await inEmptyPlace(['-e', script]);
  return JSON.parse(stdout);
}

/** @returns a file; three bytes a pixel, each row a multiple of four */
function blackBitmap(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(54 + Math.ceil((width * 3) / 4) * 4 * height);
  bytes.write('BM', 'latin1');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  return bytes;
}

/** What `firstRows.mjs` tells of a start in a repository that the user has trusted. */
async function firstRows(): Promise<{
  readonly rows: readonly string[];
  readonly loaded: readonly string[];
  readonly blocking: readonly string[];
  readonly opened: Readonly<Record</* path */ string, number>>;
}> {
  const place = mkdtempSync(join(dir, 'rows-'));
  const folder = join(place, 'work');
  const storage = join(place, 'storage');
  mkdirSync(join(folder, '.git'), { recursive: true });
  mkdirSync(storage);
  writeFileSync(join(folder, '.git/config'), '[remote "origin"]\n\turl = https://a.example/x\n');
  const mcpServers = { docs: { url: 'https://a.example/mcp' }, files: { command: 'files' } };
  writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers }));
  const consent = { folderGrantedAt: '2026-01-01T00:00:00Z', identity: 'git:a.example/x' };
  const folders = { [pathToFileURL(folder).href]: { ...consent, servers: {} } };
  writeFileSync(join(storage, 'mcp-stdio-trust.json'), JSON.stringify({ folders }));
  const home = join(place, 'home');
  mkdirSync(join(home, '.config/mcp'), { recursive: true });
  const own = { mcpServers: { notes: { url: 'https://a.example/notes' } } };
  writeFileSync(join(home, '.config/mcp/mcp.json'), JSON.stringify(own));
  const script = join(repository, 'test/helpers/firstRows.mjs');
  const { stdout } = await inEmptyPlace([script, extensionDir, folder, storage], home);
  return JSON.parse(stdout);
}

/** Sorted names of the files of the package that are loaded once it was activated in a folder with these files. */
async function loadedByActivation(names: readonly string[]): Promise<readonly string[]> {
  const folder = mkdtempSync(join(dir, 'folder-'));
  for (const name of names) {
    writeFileSync(join(folder, name), '{}');
  }
  const script = `
    const Module = require('node:module');
    const { basename } = require('node:path');
    const { _load } = Module;
    const known = { workspaceFolders: [{ uri: { scheme: 'file', fsPath: ${JSON.stringify(folder)} } }], textDocuments: [] };
    const fake = (own = {}) => new Proxy(function () {}, {
      get: (target, key) => own[key] ?? (key === Symbol.toPrimitive ? () => '' : key === 'prototype' ? target.prototype : key === 'then' ? undefined : fake()),
      apply: () => fake({ get: () => undefined, dispose: () => undefined }),
      construct: () => ({}),
    });
    const api = { commands: fake(), window: fake(), workspace: fake(known), RelativePattern: fake(), EventEmitter: fake() };
    Module._load = (request, ...rest) => request === 'vscode' ? api : _load(request, ...rest);
    const { activate } = require(${JSON.stringify(join(extensionDir, 'dist/extension.js'))});
    const tell = () => {
      const loaded = Object.keys(require.cache).map((path) => basename(path));
      console.log(JSON.stringify(loaded.sort()));
      process.exit(0);
    };
    process.once('beforeExit', tell);
    // with everything of VS Code faked, more than loading is not to be had
    process.once('unhandledRejection', tell);
    activate({ subscriptions: [], workspaceState: { get: () => undefined } });`;
  const { stdout } = await inEmptyPlace(['-e', script]);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '[]');
}

function inEmptyPlace(args: readonly string[], home = join(dir, 'home')) {
  mkdirSync(home, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: tmpdir() };
  return run(process.execPath, [...args], { cwd: home, env });
}
