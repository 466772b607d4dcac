import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { raceWithSignal } from '../../src/base/async/cancellation.js';
import { Emitter, onceEvent } from '../../src/base/event.js';
import type { WorkspaceFolder } from '../../src/config/definition.js';
import { ConfigDiscovery } from '../../src/config/discovery/configDiscovery.js';
import { NodeFileWatcher } from '../../src/platform/nodeFileWatcher.js';
import { nullLogger } from '../../src/platform/ports.js';
import { createDeferred } from '../helpers/fakes/deferred.js';

let root: string;
let home: string;
let folders: WorkspaceFolder[];
let discovery: ConfigDiscovery;
const changedFolders = new Emitter<void>();

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pi-mcp-discovery-'));
  home = join(root, 'home');
  await mkdir(home);
  folders = [];
  discovery = new ConfigDiscovery({
    workspace: {
      get folders() {
        return folders;
      },
      isTrusted: true,
      onDidChangeFolders: changedFolders.event,
      onDidChangeTrust: new Emitter<void>().event,
    },
    environment: {
      platform: process.platform,
      homeDir: home,
      getVariable: () => undefined,
      allVariables: () => ({}),
      loginShellPath: async () => '',
    },
    // no poll within the life of a test: the events alone must do
    watcher: new NodeFileWatcher({ pollMs: 600_000 }),
    logger: nullLogger,
    globalConfigPath: () => undefined,
  });
});

afterEach(async () => {
  discovery.dispose();
  await rm(root, { recursive: true, force: true });
});

async function addFolder(name: string): Promise<string> {
  const fsPath = join(root, name);
  await mkdir(fsPath, { recursive: true });
  folders.push({ uri: pathToFileURL(fsPath).toString(), name, fsPath });
  return fsPath;
}

const config = (...commands: string[]) =>
  JSON.stringify({
    mcpServers: Object.fromEntries(commands.map((name) => [name, { command: name }])),
  });

/** `pool: names`, one line for each pool. */
function shown(): string[] {
  return discovery.pools.value.map(
    (pool) =>
      `${pool.folder?.name ?? 'global'}: ${pool.definitions.map(({ name }) => name).join(' ')}`,
  );
}

async function untilShown(expected: readonly string[]): Promise<void> {
  const isShown = () => JSON.stringify(shown()) === JSON.stringify(expected);
  if (!isShown()) {
    const changed = onceEvent(discovery.pools.onDidChange, isShown);
    await raceWithSignal(changed, AbortSignal.timeout(10_000)).catch(() => undefined);
  }
  expect(shown()).toEqual(expected);
}

describe('discovery', () => {
  it('shows what is written to several files together at once', async () => {
    const [a, b] = [await addFolder('a'), await addFolder('b')];
    await discovery.start();
    const seen: string[][] = [];
    discovery.pools.onDidChange(() => seen.push(shown()));
    const halfway = createDeferred();
    const goOn = createDeferred();
    const writing = discovery.during(async () => {
      await writeFile(join(a, '.mcp.json'), config('one'));
      halfway.resolve();
      await goOn.promise;
      await writeFile(join(b, '.mcp.json'), config('two'));
    });
    await halfway.promise;
    // whoever asks meanwhile gets both
    const asked = discovery.reload();
    expect(seen).toEqual([]);
    goOn.resolve();
    await Promise.all([writing, asked]);
    expect(seen).toEqual([['global: ', 'a: one', 'b: two']]);
  });

  it('reads again what was read while a write began', async () => {
    const [a, b] = [await addFolder('a'), await addFolder('b')];
    await discovery.start();
    const seen: string[][] = [];
    discovery.pools.onDidChange(() => seen.push(shown()));
    await writeFile(join(a, '.mcp.json'), config('one'));
    const reading = discovery.reload();
    await discovery.during(async () => {
      // longer than reading all takes
      for (let at = 0; at < 200; at++) {
        await readFile(join(a, '.mcp.json'));
      }
      await writeFile(join(b, '.mcp.json'), config('two'));
    });
    await reading;
    expect(seen).toEqual([['global: ', 'a: one', 'b: two']]);
  });

  it('reads on after a write that failed', async () => {
    const a = await addFolder('a');
    await discovery.start();
    const failing = discovery.during(() => Promise.reject(new Error('disk full')));
    await expect(failing).rejects.toThrow('disk full');
    await writeFile(join(a, '.mcp.json'), config('one'));
    await discovery.reload();
    expect(shown()).toEqual(['global: ', 'a: one']);
  });

  it('sees creation, edit, atomic rename and deletion', async () => {
    const folder = await addFolder('a');
    const file = join(folder, '.mcp.json');
    await discovery.start();
    expect(shown()).toEqual(['global: ', 'a: ']);
    await writeFile(file, config('one'));
    await untilShown(['global: ', 'a: one']);
    await writeFile(file, config('one', 'two'));
    await untilShown(['global: ', 'a: one two']);
    await writeFile(join(folder, 'tmp'), config('three'));
    await rename(join(folder, 'tmp'), file);
    await untilShown(['global: ', 'a: three']);
    await writeFile(join(folder, 'tmp'), config('four'));
    await rename(join(folder, 'tmp'), file);
    await untilShown(['global: ', 'a: four']);
    await rm(file);
    await untilShown(['global: ', 'a: ']);
    await writeFile(file, config('five'));
    await untilShown(['global: ', 'a: five']);
  });

  it('sees files in directories that do not exist yet, and their removal', async () => {
    const folder = await addFolder('a');
    await discovery.start();
    await mkdir(join(home, '.pi', 'agent'), { recursive: true });
    await writeFile(join(home, '.pi', 'agent', 'mcp.json'), config('mine'));
    await untilShown(['global: mine', 'a: ']);
    await mkdir(join(folder, '.pi'));
    await writeFile(join(folder, '.pi', 'mcp.json'), config('p'));
    await untilShown(['global: mine', 'a: p']);
    await rm(join(folder, '.pi'), { recursive: true });
    await untilShown(['global: mine', 'a: ']);
    await mkdir(join(folder, '.pi'));
    await writeFile(join(folder, '.pi', 'mcp.json'), config('q'));
    await untilShown(['global: mine', 'a: q']);
  });

  it('sees an edit of the file that a symbolic link points to', async () => {
    const folder = await addFolder('a');
    await mkdir(join(root, 'elsewhere'));
    await writeFile(join(root, 'elsewhere', 'real.json'), config('one'));
    await symlink(join(root, 'elsewhere', 'real.json'), join(folder, '.mcp.json'));
    await discovery.start();
    await untilShown(['global: ', 'a: one']);
    await writeFile(join(root, 'elsewhere', 'real.json'), config('two'));
    await untilShown(['global: ', 'a: two']);
  });

  it('keeps the last good state of a broken file and says so', async () => {
    const folder = await addFolder('a');
    const file = join(folder, '.mcp.json');
    await writeFile(file, config('one'));
    await discovery.start();
    const changed = onceEvent(discovery.pools.onDidChange);
    await writeFile(file, '{"mcpServers": {');
    await changed;
    expect(shown()).toEqual(['global: ', 'a: one']);
    expect(discovery.pools.value[1]?.fileProblems).toMatchObject([
      { path: file, problem: { code: 'syntax' } },
    ]);
    await writeFile(file, config('two'));
    await untilShown(['global: ', 'a: two']);
    expect(discovery.pools.value[1]?.fileProblems).toEqual([]);
  });

  it('keeps what a file held while an editor that empties it first writes it, and believes one that stays empty', async () => {
    const folder = await addFolder('a');
    const file = join(folder, '.mcp.json');
    await writeFile(file, config('one'));
    await discovery.start();
    const seen: string[] = [];
    const listener = discovery.pools.onDidChange(() => seen.push(shown().join(', ')));
    await writeFile(file, '');
    await discovery.reload();
    await writeFile(file, config('one', 'two'));
    await untilShown(['global: ', 'a: one two']);
    expect(seen).toEqual(['global: , a: one two']);
    listener.dispose();
    await writeFile(file, '\n');
    await untilShown(['global: ', 'a: ']);
  });

  it('follows folders that come and go', async () => {
    const first = await addFolder('a');
    await writeFile(join(first, '.mcp.json'), config('one'));
    await discovery.start();
    const second = await addFolder('b');
    await writeFile(join(second, '.mcp.json'), config('one'));
    changedFolders.fire();
    await untilShown(['global: ', 'a: one', 'b: one']);
    folders = folders.slice(1);
    changedFolders.fire();
    await untilShown(['global: ', 'b: one']);
  });

  it('says nothing when a file is written with the same meaning', async () => {
    const folder = await addFolder('a');
    await writeFile(join(folder, '.mcp.json'), config('one'));
    await discovery.start();
    let fired = 0;
    discovery.pools.onDidChange(() => fired++);
    await writeFile(join(folder, '.mcp.json'), config('one'));
    await discovery.reload();
    expect(fired).toBe(0);
  });

  it('applies a switch of ten files as few changes and ends with what the files hold', async () => {
    const paths = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => addFolder(`f${n}`)));
    await discovery.start();
    await Promise.all(paths.map((path) => writeFile(join(path, '.mcp.json'), config('one'))));
    await untilShown(['global: ', ...folders.map(({ name }) => `${name}: one`)]);
  });

  it('takes over servers of other programs as far as the user, not the folder, asks for it', async () => {
    const folder = await addFolder('a');
    const cursor = async (directory: string, name: string) => {
      await mkdir(join(directory, '.cursor'), { recursive: true });
      await writeFile(join(directory, '.cursor', 'mcp.json'), config(name));
    };
    await cursor(home, 'of-user');
    await cursor(folder, 'of-folder');
    const claude = { projects: { [folder]: { mcpServers: { private: { command: 'x' } } } } };
    await writeFile(join(home, '.claude.json'), JSON.stringify(claude));
    await discovery.start();
    expect(shown()).toEqual(['global: ', 'a: ']);
    const asking = { imports: ['cursor', 'claude-code'] };
    await writeFile(join(folder, '.mcp.json'), JSON.stringify(asking));
    await untilShown(['global: ', 'a: of-folder']);
    await mkdir(join(home, '.pi', 'agent'), { recursive: true });
    await writeFile(join(home, '.pi', 'agent', 'mcp.json'), JSON.stringify(asking));
    await untilShown(['global: of-user', 'a: of-folder private']);
    await cursor(home, 'changed');
    await untilShown(['global: changed', 'a: of-folder private']);
    await writeFile(join(home, '.pi', 'agent', 'mcp.json'), '{}');
    await untilShown(['global: ', 'a: of-folder']);
  });
});
