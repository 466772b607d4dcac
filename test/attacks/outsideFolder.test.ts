/** Files of a repository that lead out of it: by links, working directories, programs and ignore files. */
import { lstat, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { onceEvent } from '../../src/base/event.js';
import { readConfigText } from '../../src/config/discovery/configFileStore.js';
import { installedVersion } from '../../src/config/fixes/packageVersion.js';
import { findImportable } from '../../src/config/imports/importableServers.js';
import { projectPackages } from '../../src/config/language/projectPackages.js';
import { lintConfig } from '../../src/config/lint/lintConfig.js';
import {
  machineSurroundings,
  workingDirectory,
} from '../../src/config/lint/machineSurroundings.js';
import { parseJsonDocument } from '../../src/config/parse/jsonDocument.js';
import { parseConfig } from '../../src/config/parse/parseConfig.js';
import { createNodeHostEnvironment } from '../../src/platform/environment/nodeHostEnvironment.js';
import { NodeFileWatcher } from '../../src/platform/nodeFileWatcher.js';
import { runCli, runEveryCommand } from '../helpers/attacks/cli.js';
import { editorTexts } from '../helpers/attacks/editorTexts.js';
import { type FileTree, Link } from '../helpers/attacks/fileTree.js';
import { type Bait, Scene, type Trust } from '../helpers/attacks/scene.js';
import { type FileLookups, recordFileLookups } from '../helpers/fileLookups.js';

const strange: readonly Trust[] = ['Restricted Mode', 'no consent'];
let scene: Scene;
let lookups: FileLookups | undefined;

async function open(trust: Trust, files: (bait: Bait) => FileTree): Promise<void> {
  scene = await Scene.create(trust, (bait) => ({
    '../elsewhere/mcp.json': { mcpServers: { outside: { command: 'true' } } },
    '../elsewhere/inner/mcp.json': { mcpServers: { outside: { command: 'true' } } },
    ...files(bait),
  }));
}

afterEach(() => {
  lookups?.stop();
  lookups = undefined;
});

const outside = (...path: string[]) => join(scene.core.root, 'elsewhere', ...path);

/** What was touched outside of the folder while `act` ran. */
async function touched(act: () => Promise<unknown>): Promise<readonly string[]> {
  lookups = recordFileLookups();
  await act();
  lookups.stop();
  return [...lookups.touched].filter((path) => path.startsWith(outside()));
}

const names = () => scene.servers.map(({ definition }) => definition.name);
const problems = () =>
  scene.service.pools.flatMap(({ fileProblems }) => fileProblems.map(({ problem }) => problem));

const links: readonly (readonly [string, FileTree])[] = [
  ['.mcp.json', { '.mcp.json': new Link('../elsewhere/mcp.json') }],
  ['.pi', { '.pi': new Link('../elsewhere/inner') }],
  [
    '.pilot/mcp.json by way of another link',
    {
      hop: new Link('../elsewhere'),
      '.pilot/mcp.json': new Link('../hop/mcp.json'),
    },
  ],
];

describe('configuration files', () => {
  it.each(links)(
    'control: %s is followed where the whole folder is trusted',
    async (_what, files) => {
      await open('folder trust', () => files);
      if (names().length === 0) {
        await onceEvent(scene.service.onDidChangePools, () => names().length > 0);
      }
      expect(await touched(() => scene.service.reload())).toContain(outside());
      expect([names(), problems()]).toEqual([['outside'], []]);
      await scene.service.trust.revoke(scene.folder.uri);
      await scene.service.reload();
      expect([names(), problems().map(({ severity }) => severity)]).toEqual([[], ['error']]);
    },
  );

  it.each(strange.flatMap((trust) => links.map((link) => [trust, ...link] as const)))(
    '%s: %s is not followed, and said to be a link',
    async (trust, _what, files) => {
      await open(trust, () => files);
      const found = await touched(async () => {
        await scene.tryEverything();
        const watched = new NodeFileWatcher({ pollMs: 600_000 });
        for (const path of ['.mcp.json', '.pi/mcp.json', '.pilot/mcp.json']) {
          const watch = watched.watch(scene.path(path), () => undefined, scene.path());
          await watch.begun;
          watch.dispose();
        }
      });
      expect([found, names()]).toEqual([[], []]);
      expect(problems()).toMatchObject([
        {
          message: expect.stringContaining(`leads out of the folder, to ${outside()}`),
          severity: 'error',
        },
      ]);
    },
  );

  it('sees when a link that leaves the folder becomes a file', async () => {
    await open('no consent', () => ({ '.mcp.json': new Link('../elsewhere/mcp.json') }));
    const changed = onceEvent(scene.service.onDidChangePools, () => names().includes('inside'));
    await scene.write({ draft: { mcpServers: { inside: { command: 'true' } } } });
    await rename(scene.path('draft'), scene.path('.mcp.json'));
    await changed;
    expect(problems()).toEqual([]);
  });
});

describe('files of other programs in the folder', () => {
  const files = { '.cursor': new Link('../elsewhere'), '.vscode/mcp.json': '{"servers": {}}' };
  const list = () =>
    findImportable(
      createNodeHostEnvironment({ homeDir: scene.core.root, env: {} }),
      [scene.folder],
      (_path, location) => readConfigText(location),
    );

  it('control: the one behind a link is there', async () => {
    await open('no consent', () => files);
    expect(await touched(() => readFile(scene.path('.cursor', 'mcp.json')))).toContain(
      outside('mcp.json'),
    );
  });

  it.each(strange)('%s: are not looked for behind links', async (trust) => {
    await open(trust, () => files);
    expect(await touched(list)).toEqual([]);
    expect(await list()).toEqual([]);
  });
});

/** Everything that an entry can name, each leading to `elsewhere`. */
function entries(target: string): Readonly<Record<string, object>> {
  const launch = { command: 'node', args: ['x.js'] };
  return {
    'cwd above': { ...launch, cwd: '../elsewhere' },
    'cwd absolute': { ...launch, cwd: target },
    'cwd by a place': { ...launch, cwd: '${workspaceFolder}/../elsewhere' },
    'cwd by a link': { ...launch, cwd: 'out' },
    'program above': { command: '../elsewhere/tool' },
    'program absolute': { command: `${target}/tool` },
    'program by a link': { command: 'out/tool' },
    'link to a program': { command: './tool' },
    'bare program in such a place': { command: 'tool', cwd: 'out' },
    'own PATH': { command: 'tool', env: { PATH: `${target}:/usr/bin` } },
    package: { command: 'npx', args: ['mcp-pack'] },
    'package elsewhere': { command: 'npx', args: ['mcp-pack'], cwd: 'out' },
    // nobody has it, which npm does not take for an answer
    'package in a scope': { command: 'npx', args: ['@scope/mcp-pack'], startupTimeoutMs: 3000 },
    'script of Node': { command: 'node', args: ['out/tool'] },
  };
}

const tree = ({ outside: root }: Bait): FileTree => ({
  '../elsewhere/tool': '#!/bin/sh\n',
  '../elsewhere/.gitignore': '.mcp.json',
  '../elsewhere/package.json': { dependencies: { 'mcp-far': '1' } },
  '../elsewhere/node_modules/mcp-pack/package.json': { name: 'mcp-pack', version: '1.2.3' },
  '../elsewhere/mcp-pack/package.json': { name: 'mcp-pack', version: '1.2.3', bin: 'x.js' },
  '.mcp.json': { mcpServers: entries(join(root, 'elsewhere')) },
  'package.json': new Link('../elsewhere/package.json'),
  'node_modules/mcp-pack': new Link('../../elsewhere/mcp-pack'),
  'node_modules/@scope': new Link('../../elsewhere'),
  '.git': new Link('../elsewhere'),
  '.gitignore': new Link('../elsewhere/.gitignore'),
  out: new Link('../elsewhere'),
  tool: new Link('../elsewhere/tool'),
});

/** What the editor does with the open file: diagnostics, completion of packages, quick fixes. */
async function edit(isTrusted: boolean, isConsented: boolean): Promise<readonly string[]> {
  const environment = createNodeHostEnvironment({
    homeDir: join(scene.core.root, 'home'),
    env: { PATH: '/usr/bin:/bin', HOME: join(scene.core.root, 'home') },
  });
  const path = scene.path('.mcp.json');
  const text = await readFile(path, 'utf8');
  const file = parseConfig(text, { path, layer: 'project' });
  const { folder } = scene;
  const findings = await lintConfig(
    { file, document: parseJsonDocument(text), isCommitted: true },
    machineSurroundings({ environment, folder, isTrusted, isConsented: () => isConsented }),
  );
  const packages = await projectPackages(scene.path());
  for (const entry of file.entries) {
    const cwd = workingDirectory(entry, folder, environment.homeDir);
    await installedVersion('mcp-pack', 'mcp-pack', cwd, environment, scene.path());
  }
  return [...findings.map(({ code }) => code), ...packages.map(({ name }) => name)];
}

describe('what the entries of an open file name', () => {
  it('control: is looked at where the user agreed to it', async () => {
    await open('folder trust', tree);
    const found = await touched(() => edit(true, true));
    expect(found).toEqual(expect.arrayContaining([outside(), outside('tool')]));
    const probe = () => runCli(scene, 'probe', '--server', 'program absolute', '--trust');
    expect(await touched(probe)).toContain(outside('tool'));
  });

  it.each(strange)('%s: is looked at inside of the folder alone', async (trust) => {
    await open(trust, tree);
    expect(scene.servers).toHaveLength(Object.keys(entries('')).length);
    expect(await touched(() => edit(trust === 'no consent', trust !== 'no consent'))).toEqual([]);
    expect(await touched(() => scene.tryEverything())).toEqual([]);
    expect(await touched(() => editorTexts(scene))).toEqual([]);
    expect(await touched(() => runEveryCommand(scene))).toEqual([]);
  });

  it('is not said to be missing where nobody looked', async () => {
    await open('no consent', tree);
    expect(await edit(true, false)).not.toContain('cwd-missing');
    expect(await edit(true, false)).not.toContain('mcp-far');
    await scene.write({
      '.mcp.json': { mcpServers: { a: { command: './none', cwd: 'nowhere' } } },
    });
    expect(await edit(true, false)).toContain('cwd-missing');
  });
});

describe('writing', () => {
  const add = () =>
    scene.service.configuration.addServer(scene.folder.uri, 'new', { command: 'true' });

  it('control: a link inside of the folder is written through', async () => {
    await open('no consent', () => ({
      'real/mcp.json': '{}',
      '.mcp.json': new Link('real/mcp.json'),
    }));
    await add();
    expect(await readFile(scene.path('real', 'mcp.json'), 'utf8')).toContain('"new"');
    expect((await lstat(scene.path('.mcp.json'))).isSymbolicLink()).toBe(true);
  });

  it("control: the user's own file may be a link to anywhere", async () => {
    await open('no consent', () => ({}));
    const own = join(scene.core.root, 'home', '.pi', 'agent', 'mcp.json');
    const text = await readFile(own, 'utf8');
    await writeFile(outside('own.json'), text);
    await rm(own);
    await symlink(outside('own.json'), own);
    await scene.service.reload();
    await scene.service.configuration.addServer('global', 'new', { command: 'true' });
    expect(await readFile(outside('own.json'), 'utf8')).toContain('"new"');
  });

  const trusts: readonly Trust[] = [...strange, 'folder trust'];
  it.each(trusts)('%s: a link that leaves the folder is not written through', async (trust) => {
    await open(trust, () => ({ '.mcp.json': new Link('../elsewhere/mcp.json') }));
    const before = await readFile(outside('mcp.json'), 'utf8');
    const { configuration } = scene.service;
    const attempts = [
      add(),
      configuration.setMasterDisabled(scene.folder.uri, true),
      configuration.ensureFile(scene.folder.uri),
      ...scene.servers.map(({ id }) => configuration.removeServer(id)),
    ];
    const message = `${scene.path('.mcp.json')} leads out of the folder, to ${outside('mcp.json')}.`;
    for (const outcome of await Promise.allSettled(attempts)) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: 'leaves_folder', message, remedy: expect.stringMatching(/\S/) },
      });
    }
    expect(await readFile(outside('mcp.json'), 'utf8')).toBe(before);
  });

  it.each(trusts)('%s: nor is a file in a folder that is such a link', async (trust) => {
    await open(trust, () => ({
      '.mcp.json': '{}',
      '.pi': new Link('../elsewhere/inner'),
    }));
    await scene.service.reload();
    const before = await readFile(outside('inner', 'mcp.json'), 'utf8');
    for (const { id } of scene.servers) {
      await expect(scene.service.configuration.setEnabled(id, false)).rejects.toMatchObject({
        code: 'leaves_folder',
      });
    }
    expect(scene.servers.length).toBe(trust === 'folder trust' ? 1 : 0);
    expect(await readFile(outside('inner', 'mcp.json'), 'utf8')).toBe(before);
  });

  it('does not make a folder or a file behind a link to nothing', async () => {
    await open('folder trust', () => ({ '.mcp.json': new Link('../elsewhere/new/mcp.json') }));
    await expect(add()).rejects.toMatchObject({ code: 'leaves_folder' });
    await expect(lstat(outside('new'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
