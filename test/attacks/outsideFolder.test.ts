/** Files of a repository that lead out of it: by links, working directories, programs and ignore files. */
import { lstat, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { onceEvent } from '../../src/base/event.js';
import { findImportable } from '../../src/mcp/config/imports/importableServers.js';
import { createNodeHostEnvironment } from '../../src/mcp/connection/nodeHostEnvironment.js';
import { readConfigText } from '../../src/mcp/discovery/configFileStore.js';
import { NodeFileWatcher } from '../../src/mcp/discovery/nodeFileWatcher.js';
import { type FileLookups, recordFileLookups } from '../helpers/fileLookups.js';
import { type FileTree, Link } from './harness/fileTree.js';
import { type Bait, Scene, type Trust } from './harness/scene.js';

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

afterEach(async () => {
  lookups?.stop();
  lookups = undefined;
  await scene.dispose();
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
          await new Promise<void>((resolve) => {
            const watch = watched.watch(
              scene.path(path),
              () => resolve(watch.dispose()),
              scene.path(),
            );
          });
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

describe('writing', () => {
  const add = () => scene.service.configuration.add(scene.folder.uri, 'new', { command: 'true' });

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
    await scene.service.configuration.add('global', 'new', { command: 'true' });
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
      ...scene.servers.map(({ id }) => configuration.remove(id)),
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
