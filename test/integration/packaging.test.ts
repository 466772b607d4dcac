/** What is in the .vsix, and that it loads where no node_modules is near. */
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redPixel } from '../helpers/pages/states/agent.mjs';
import { unpackVsix } from '../helpers/unpackVsix.js';
import { repository, vsixPath } from '../workbench/paths.mjs';

const run = promisify(execFile);
const maxVsixBytes = 5_000_000;

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
    const needed = `package.json package.nls.json readme.md changelog.md LICENSE.txt
      dist/extension.js dist/composition.js dist/rest.js dist/processes.js dist/connections.js dist/sdkEngine.js dist/clientEngine.js
      dist/gatewayWire.js dist/l10n.js dist/patterns.js dist/cli.js dist/agent/pi.mjs
      dist/agent/package.json dist/agent/photon_rs_bg.wasm dist/agent/transpiler.cjs
      dist/agent/babel.cjs dist/agent/jiti.cjs dist/agent/pictures.mjs dist/webview/config.js
      dist/webview/agent.js dist/webview/code.js dist/webview/app.js media/webview/app.css
      dist/ThirdPartyNotices.txt`.split(/\s+/);
    expect(needed.filter((path) => !paths.includes(path))).toEqual([]);
    const unwanted = /(^|\/)(src|test|node_modules|\.workbench|\.git\w*|\.ci)\/|\.map$|\.ts$/;
    expect(paths.filter((path) => unwanted.test(path))).toEqual([]);
    expect(readFileSync(vsixPath).length).toBeLessThan(maxVsixBytes);
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
    expect(names).toEqual(['extensionCore.js']);
  });

  it('loads next to nothing in a window that needs nothing of it', async () => {
    const loaded = await loadedByActivation([]);
    expect(loaded).toEqual(['extension.js', 'extensionCore.js']);
    expect(await loadedByActivation(['.mcp.json'])).toContain('composition.js');
  });

  it('shows the rows of a window with servers with little of its code and no call that blocks', async () => {
    const { rows, loaded, blocking, opened } = await firstRows();
    expect(rows).toEqual([
      'Global: 1 server',
      'work: 2 servers · trusted',
      'notes: idle',
      'docs: idle',
      'files: idle',
    ]);
    expect(loaded).toEqual([
      'composition.js',
      'compositionCore.js',
      'extension.js',
      'extensionCore.js',
    ]);
    expect(blocking).toEqual([]);
    const twice = Object.entries(opened).filter(([, times]) => times > 1);
    expect(twice).toEqual([]);
    const names = Object.keys(opened).map((path) => basename(path));
    expect(names.sort()).toEqual(['.mcp.json', 'config', 'mcp-stdio-trust.json', 'mcp.json']);
  });

  it('leaves the loader of ES modules alone, Pi apart', () => {
    const imported = Object.entries(files)
      .filter(([path]) => /^extension\/dist\/[^/]+\.js$/.test(path))
      .flatMap(
        ([, content]) => new TextDecoder().decode(content).match(/\bimport\("\.[^"]*"/g) ?? [],
      );
    expect(new Set(imported)).toEqual(new Set(['import("./agent/pi.mjs"']));
  });

  it('lets others get their turn between the heavy chunks of what it loads on use', () => {
    const code = Object.entries(files)
      .filter(([path]) => /^extension\/dist\/[^/]+\.js$/.test(path))
      .map(([, content]) => new TextDecoder().decode(content))
      .join();
    const names = ['rest', 'surfaces', 'agent', 'gatewayWire'];
    const inTurns = (name: string) =>
      new RegExp(String.raw`loadInTurns\((?:"[^"]*",)+"(?:[^"]* )?${name}\.js"\)`).test(code);
    expect(names.filter(inTurns)).toEqual(names);
    // the first rows wait for nobody
    expect(code).toContain('Promise.resolve().then(()=>require("./composition.js"))');
  });

  it('lets others get their turn while what extensions of Pi may import is loaded', () => {
    const agent = readdirSync(join(extensionDir, 'dist/agent'));
    const bytes = (name: string) => statSync(join(extensionDir, 'dist/agent', name)).size;
    const code = agent
      .filter((name) => name.endsWith('.mjs'))
      .map((name) => readFileSync(join(extensionDir, 'dist/agent', name), 'utf8'))
      .join('\n');
    const [, list = '[]'] = /of ?(\["[^\]]*"virtual-modules-\w+\.mjs"\])/.exec(code) ?? [];
    const names: readonly string[] = JSON.parse(list);
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => bytes(name) > 180_000)).toEqual([]);
    expect(code).not.toContain('import("./virtual-modules');
    expect(bytes('jiti.cjs')).toBeLessThan(80_000);
  });

  it('loads Pi and finds its version and assets beside it', async () => {
    const url = JSON.stringify(join(extensionDir, 'dist/agent/pi.mjs'));
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

  it('makes another picture smaller in threads, from a format that no model takes', async () => {
    const { content, ...told } = await readPicture('wide.bmp', blackBitmap(2600, 5));
    expect(content.join()).toMatch(/converted from image\/bmp.*displayed at 2000x4\b/s);
    expect(told).toEqual({ threads: 2, failures: [], compiledHere: 0 });
  });

  it.each(['sdkEngine', 'clientEngine'])('loads %s as a chunk of its own', async (engine) => {
    const url = JSON.stringify(join(extensionDir, `dist/${engine}.js`));
    const script = `import(${url}).then((engine) => console.log(Object.keys(engine).join(' ')))`;
    const { stdout } = await inEmptyPlace(['-e', script]);
    expect(stdout).toMatch(/create\w+Engine/);
  });

  it.each(['sdkEngine', 'clientEngine'])(
    'speaks the language of the user in %s',
    async (engine) => {
      const chunk = (name: string) => JSON.stringify(join(extensionDir, `dist/${name}.js`));
      const script = `
      const notice = 'The server sent a response that names no request.';
      require(${chunk('l10n')}).default.config({ contents: { [notice]: 'Ŧħïŝ ïŝ ŧŕåñŝłåŧëđ.' } });
      const { createSdkEngine, createClientEngine } = require(${chunk(engine)});
      const stop = new AbortController();
      const transport = {
        start: async () => undefined,
        close: async () => transport.onclose?.(),
        send: async () => transport.onmessage({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no' } }),
      };
      (createSdkEngine ?? createClientEngine)().connect(transport, {
        clientInfo: { name: 'test', version: '1' },
        signal: stop.signal,
        timeoutMs: 10_000,
        onNotice: (_level, text) => { console.log(text); stop.abort(); },
      }).catch(() => undefined);`;
      const { stdout } = await inEmptyPlace(['-e', script]);
      expect(new Set(stdout.trim().split('\n'))).toEqual(new Set(['Ŧħïŝ ïŝ ŧŕåñŝłåŧëđ.']));
    },
  );

  it('has one copy of the texts for all chunks of a process', () => {
    const holders = Object.keys(files).filter((path) => {
      const text = new TextDecoder().decode(files[path]);
      const isOfNode = /^extension\/dist\/(agent\/)?[^/]+\.m?js$/.test(path);
      // a message of the package that reads translations
      return isOfNode && text.includes(' response while trying to read ');
    });
    expect(holders).toHaveLength(1);
  });

  it('counts tokens as the package that it took the vocabulary from', async () => {
    const texts = [
      '',
      'Reads a file.',
      '{"type":"object"}',
      'Größe 价格 🙂🏽 \n\n\t<|endoftext|>',
      '\u0000\uFFFD',
    ];
    const script = `
      const { createTokenCounter } = require(${JSON.stringify(join(extensionDir, 'dist/tokens.js'))});
      createTokenCounter().then((countTokens) => {
        console.log(JSON.stringify(${JSON.stringify(texts)}.map(countTokens)));
      });`;
    const { stdout } = await inEmptyPlace(['-e', script]);
    expect(JSON.parse(stdout)).toEqual(
      texts.map((text) => countTokens(text, { disallowedSpecial: new Set() })),
    );
  });

  it('reads the vocabulary without holding up what else runs', () => {
    const code = readFileSync(join(extensionDir, 'dist/tokens.js'), 'utf8');
    expect(code).toContain('brotliDecompress');
    expect(code).not.toMatch(/Sync\b|JSON\.parse/);
    // the vocabulary is no code
    expect(code.length).toBeLessThan(10_000);
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
  const url = JSON.stringify(join(extensionDir, 'dist/agent/pi.mjs'));
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
