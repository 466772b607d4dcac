/** Folders that a repository's `roots` name, to have a server told of what is the user's. */
import { readFile, rm, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { lintConfig } from '../../src/config/lint/lintConfig.js';
import { machineSurroundings } from '../../src/config/lint/machineSurroundings.js';
import { parseJsonDocument } from '../../src/config/parse/jsonDocument.js';
import { parseConfig } from '../../src/config/parse/parseConfig.js';
import type { McpServer } from '../../src/mcp/mcpApi.js';
import { type FileTree, Link } from '../helpers/attacks/fileTree.js';
import { Scene } from '../helpers/attacks/scene.js';
import { filesystem, reach } from '../helpers/coreHarness.js';
import { recordFileLookups } from '../helpers/fileLookups.js';

const asking = resolve('test/fixtures/servers/asking.mjs');
const [filesystemScript = ''] = filesystem.args;
const canary = 'the canary of the user';
let scene: Scene;

const links: FileTree = {
  out: new Link('../elsewhere'),
  hop: new Link('out'),
  'inner/note.txt': 'inside',
  'deep/up': new Link('../../elsewhere'),
  within: new Link('inner'),
};

function entries(roots: readonly string[]): FileTree {
  const of = (...args: readonly string[]) => ({ command: process.execPath, args, roots });
  return {
    '.mcp.json': { mcpServers: { asking: of(asking), files: of(filesystemScript) } },
  };
}

async function open(roots: readonly string[], local?: readonly string[]): Promise<void> {
  scene = await Scene.create('folder trust', () => ({
    '../elsewhere/canary.txt': canary,
    ...links,
    ...entries(roots),
  }));
  if (local) {
    await scene.core.writeLocal(scene.folder, {
      asking: { roots: local },
      files: { roots: local },
    });
    await scene.service.reload();
  }
}

const server = (name: string): McpServer => {
  const found = scene.servers.find(({ definition }) => definition.name === name);
  if (!found) {
    throw new Error(name);
  }
  return found;
};

async function text(name: string, tool: string, args = {}): Promise<string> {
  const { content } = await server(name).callTool(tool, args);
  return content.map((part) => ('text' in part ? part.text : '')).join('');
}

/** Paths of the folders that a server is told of. */
async function told(): Promise<readonly string[]> {
  const { roots } = JSON.parse(await text('asking', 'roots'));
  return roots.map(({ uri }: { uri: string }) => fileURLToPath(uri));
}

const readCanary = () =>
  text('files', 'read_text_file', { path: join(scene.core.root, 'elsewhere', 'canary.txt') });

async function findings(): Promise<readonly string[]> {
  const path = scene.path('.mcp.json');
  const written = await readFile(path, 'utf8');
  const file = parseConfig(written, { path, layer: 'project' });
  const { environment, folder } = scene;
  const found = await lintConfig(
    { file, document: parseJsonDocument(written), isCommitted: true },
    machineSurroundings({ environment, folder, isTrusted: true, isConsented: () => true }),
  );
  return found
    .filter(({ code, server: name }) => code === 'root-not-given' && name === 'asking')
    .map(({ range }) => written.slice(range?.start, range?.end));
}

const outside: readonly string[] = [
  '/',
  '..',
  '../..',
  '../elsewhere',
  'inner/../../elsewhere',
  './inner/.././../elsewhere',
  '${workspaceFolder}/../elsewhere',
  '${workspaceFolder}/out',
  'out',
  'out/',
  'hop',
  'deep/up',
  '~',
  '~/',
  '~/.ssh',
  '${userHome}',
  '${env:HOME}',
  '${HOME}',
  '$env:HOME',
  '{env:HOME}',
  '${NOT_SET:-/}',
  '${workspaceFolder:-${env:HOME}}',
  '${input:planted}',
  'inner/${env:PLANTED_VARIABLE}',
  '/proc/self/root',
];

describe('folders of a project file', () => {
  it('control: those outside of it are told and readable when the user names them', async () => {
    await open(['/'], ['/', '${env:HOME}']);
    expect(await told()).toEqual(['/', join(scene.core.root, 'home')]);
    expect(await readCanary()).toBe(canary);
  });

  it('control: those inside of it are told, by what their links lead to', async () => {
    await open(['inner', 'within', '${workspaceFolder}', '${workspaceFolder}/inner/..']);
    expect(await told()).toEqual([scene.path('inner'), scene.path()]);
    expect(await findings()).toEqual([]);
    expect(await text('files', 'read_text_file', { path: scene.path('inner/note.txt') })).toBe(
      'inside',
    );
    expect(await readCanary()).not.toContain(canary);
  });

  it('are never outside of it, and say so where they stand', async () => {
    await open([...outside, 'inner']);
    expect(await told()).toEqual([scene.path('inner')]);
    expect(await readCanary()).not.toContain(canary);
    expect(await findings()).toEqual(outside.map((written) => JSON.stringify(written)));
    const { values } = scene.secrets;
    const logged = JSON.stringify(scene.logs);
    expect([values.variable, values.input].filter((secret) => logged.includes(secret))).toEqual([]);
  });

  it('are not looked at outside of it', async () => {
    await open(['inner']);
    const lookups = recordFileLookups();
    await scene.write(entries(outside));
    await scene.service.reload();
    await findings();
    lookups.stop();
    const elsewhere = join(scene.core.root, 'elsewhere');
    expect([...lookups.touched].filter((path) => path.startsWith(elsewhere))).toEqual([]);
  });

  it('do not come into the file of the user with a server that is moved', async () => {
    await open(['inner', 'out']);
    const { configuration } = scene.service;
    const move = () =>
      configuration.transferServer(server('asking').id, {
        poolId: 'global',
        file: 'primary',
        isCopy: true,
      });
    await expect(move()).rejects.toMatchObject({ code: 'root-not-given' });
    await scene.write(entries(['inner']));
    await scene.service.reload();
    await move();
  });

  it('do not change where a server of the user works', async () => {
    scene = await Scene.create('folder trust', () => ({
      '../elsewhere/canary.txt': canary,
      '.mcp.json': { mcpServers: { mine: { roots: ['/'], enabled: true } } },
    }));
    const own = scene.service.serversFor(scene.folder.uri, 'mine');
    expect(own.map(({ definition }) => definition.options.roots)).toEqual([undefined]);
  });
});

it('a link that is led out later is told of no longer once the server connects anew', async () => {
  await open(['within']);
  expect(await told()).toEqual([scene.path('inner')]);
  await rm(scene.path('within'));
  await symlink(join(dirname(scene.path()), 'elsewhere'), scene.path('within'));
  await server('asking').restart();
  await reach(server('asking'), 'connected');
  expect(await told()).toEqual([]);
});
