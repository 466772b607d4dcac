/** Packages that `npx` fetches before its server can run: one after another, whatever time that takes. */
import { watch } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onceEvent } from '../../../src/base/event.js';
import type { WorkspaceFolder } from '../../../src/config/definition.js';
import type { McpServer, McpService } from '../../../src/mcp/mcpApi.js';
import type { ConnectingNote } from '../../../src/mcp/mcpTypes.js';
import { stateText } from '../../../src/mcp/trouble/stateText.js';
import { createNodeHostEnvironment } from '../../../src/platform/environment/nodeHostEnvironment.js';
import { npxCacheFolder } from '../../../src/platform/npx/npmCache.js';
import type { HostEnvironment } from '../../../src/platform/ports.js';
import { misbehaveScript } from '../../fixtures/connections.js';
import { startRegistry } from '../../fixtures/npmRegistry.js';
import { findProcesses, processMarker } from '../../fixtures/processes.js';
import { CoreHarness, find, pidOf, reach } from '../../helpers/coreHarness.js';

/** Notes the package that it is to fetch, does so until its file is there, and becomes a server when it is to run one. */
const fakeNpx = `#!/bin/sh
case "$2" in
  --package=*)
    name="\${2#--package=}"
    echo "$name" >> "$STARTS"
    while [ ! -e "$RELEASES/$name" ]; do sleep 0.05; done
    ;;
  *) exec node ${misbehaveScript} "$3" ;;
esac
`;
const packages = ['pkg-a', 'pkg-b', 'pkg-c'];

let harness: CoreHarness;
let marker: string;
let environment: HostEnvironment;

beforeEach(async () => {
  harness = await CoreHarness.create();
  marker = processMarker();
  const bin = join(harness.root, 'bin');
  await Promise.all([mkdir(bin), mkdir(join(harness.root, 'releases'))]);
  await writeFile(join(bin, 'npx'), fakeNpx);
  await chmod(join(bin, 'npx'), 0o755);
  await writeFile(join(harness.root, 'starts'), '');
  const homeDir = join(harness.root, 'home');
  environment = createNodeHostEnvironment({
    homeDir,
    env: { PATH: `${bin}:${process.env.PATH}`, HOME: homeDir },
  });
});

afterEach(async () => {
  await harness.dispose();
  expect(await findProcesses(marker)).toEqual([]);
  // what only fetches does not know the marker
  expect(await findProcesses(join(harness.root, 'bin'))).toEqual([]);
});

const wrapped = (name: string, changes: object = {}) => ({
  command: 'npx',
  args: ['-y', name, marker],
  env: { STARTS: join(harness.root, 'starts'), RELEASES: join(harness.root, 'releases') },
  ...changes,
});

function allWrapped(changes: object = {}): Record<string, object> {
  return Object.fromEntries(packages.map((name) => [name, wrapped(name, changes)]));
}

async function open(
  servers: Record<string, object>,
): Promise<{ readonly service: McpService; readonly folder: WorkspaceFolder }> {
  const folder = await harness.addFolder('work', servers);
  const service = harness.open(undefined, { environment });
  await service.whenStarted();
  await service.trust.trustFolder(folder.uri);
  return { service, folder };
}

function release(name: string): Promise<void> {
  return writeFile(join(harness.root, 'releases', name), '');
}

async function starts(): Promise<readonly string[]> {
  return (await readFile(join(harness.root, 'starts'), 'utf8')).split('\n').filter(Boolean);
}

/** The package that was begun as the `count`th. */
function started(count: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () =>
      void starts().then((names) => {
        const name = names[count - 1];
        if (name !== undefined) {
          watcher.close();
          resolve(name);
        }
      }, reject);
    const watcher = watch(join(harness.root, 'starts'), look).on('error', reject);
    look();
  });
}

function noteOf({ state }: McpServer): ConnectingNote | undefined {
  return state.value.kind === 'connecting' ? state.value.note : undefined;
}

async function reachNote(server: McpServer, note: ConnectingNote): Promise<void> {
  if (noteOf(server) !== note) {
    await onceEvent(server.state.onDidChange, () => noteOf(server) === note);
  }
}

function notes(service: McpService): readonly string[] {
  return packages.map((name) => noteOf(find(service, name)) ?? 'none').sort();
}

async function reachFirstFetch(service: McpService): Promise<string> {
  const name = await started(1);
  const others = packages.filter((other) => other !== name);
  await Promise.all([
    reachNote(find(service, name), 'fetching'),
    ...others.map((other) => reachNote(find(service, other), 'waiting')),
  ]);
  return name;
}

/** As npm leaves it. */
async function install(name: string): Promise<void> {
  const nodeModules = join(await npxCacheFolder(name, environment), 'node_modules');
  const folder = join(nodeModules, name);
  await mkdir(folder, { recursive: true });
  const manifest = { name, version: '1.0.0', bin: 'run.mjs' };
  await writeFile(join(folder, 'run.mjs'), `import ${JSON.stringify(misbehaveScript)};`);
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(nodeModules, '.package-lock.json'), '{}');
}

describe('packages that are fetched', () => {
  it('come one after another, and hold nobody else up', async () => {
    const { service } = await open({
      ...allWrapped(),
      good: { command: 'node', args: [misbehaveScript, marker] },
    });
    for (let count = 1; count <= packages.length; count++) {
      const name = await started(count);
      await reachNote(find(service, name), 'fetching');
      expect(notes(service).filter((note) => note === 'fetching')).toHaveLength(1);
      expect(await starts()).toHaveLength(count);
      await reach(find(service, 'good'), 'connected');
      await release(name);
      await reach(find(service, name), 'connected');
    }
    expect([...(await starts())].sort()).toEqual(packages);
  });

  it('let the next begin as soon as npm has them', async () => {
    const { service } = await open(allWrapped());
    const first = await reachFirstFetch(service);
    await install(first);
    const second = await started(2);
    await reachNote(find(service, second), 'fetching');
    await reachNote(find(service, first), 'starting');
  });

  it('are fetched once for servers that want the same', async () => {
    const { service } = await open({ one: wrapped('pkg-a'), other: wrapped('pkg-a') });
    await started(1);
    await install('pkg-a');
    await release('pkg-a');
    await Promise.all(['one', 'other'].map((name) => reach(find(service, name), 'connected')));
    expect(await starts()).toEqual(['pkg-a']);
  });

  it('may take longer than a start', async () => {
    // one that is fetched has to start within it, on a busy machine, too
    const limit = { startupTimeoutMs: 8000 };
    const { service } = await open({
      ...allWrapped(limit),
      hung: { command: 'sh', args: ['-c', 'exec sleep 600', marker], ...limit },
    });
    const first = await reachFirstFetch(service);
    const hung = find(service, 'hung');
    // as long as a start may take, from now on
    await hung.restart().catch(() => undefined);
    expect([hung.state.value.kind, notes(service)]).toEqual([
      'error',
      ['fetching', 'waiting', 'waiting'],
    ]);
    await release(first);
    await reach(find(service, first), 'connected');
    await Promise.all(packages.map((name) => release(name)));
    await Promise.all(packages.map((name) => reach(find(service, name), 'connected')));
  });

  it('leave no process when their server is stopped, or consent is revoked', async () => {
    const { service, folder } = await open(allWrapped());
    const first = await reachFirstFetch(service);
    const [waiting = '', last = ''] = packages.filter((name) => name !== first);
    await find(service, waiting).stop();
    expect(find(service, waiting).state.value.kind).toBe('idle');
    await find(service, first).stop();
    expect(await started(2)).toBe(last);
    await reachNote(find(service, last), 'fetching');
    void find(service, first)
      .restart()
      .catch(() => undefined);
    await reachNote(find(service, first), 'waiting');
    await service.trust.revoke(folder.uri);
    expect(packages.map((name) => find(service, name).state.value.kind)).toEqual(
      packages.map(() => 'trust_required'),
    );
    expect(await starts()).toEqual([first, last]);
  });

  it('are named by the state', async () => {
    const { service } = await open(allWrapped());
    await reachFirstFetch(service);
    expect(
      new Set(packages.map((name) => stateText(find(service, name).state.value).reason)),
    ).toEqual(new Set(['Downloading package', 'Waiting to download']));
  });
});

describe('a package that npm fetches from its registry', () => {
  /** With the real npm, which reads its configuration in the home of the harness. */
  async function openWith(packageName: string, entry: object) {
    const registry = await startRegistry(packageName, misbehaveScript);
    const npmrc = `registry=${registry.url}\nupdate-notifier=false\n`;
    await writeFile(join(harness.root, 'home', '.npmrc'), npmrc);
    const lines: string[] = [];
    const logger = { log: (_level: string, message: string) => void lines.push(message) };
    await harness.writeGlobal({ late: entry });
    const service = harness.open(undefined, {
      loggers: { main: logger, forServer: () => logger },
    });
    await service.whenStarted();
    return { registry, late: find(service, 'late'), log: () => lines.join('\n') };
  }

  it.each([
    ['npx', ['-y']],
    ['npm', ['exec', '--yes', '--']],
  ])('runs without %s around it at once, and with nothing else', async (command, flags) => {
    const args = [...flags, 'late-mcp@^1', marker];
    const { registry, late, log } = await openWith('late-mcp', { command, args });
    try {
      expect(late.state.value).toMatchObject({ kind: 'connected' });
      expect(await findProcesses(marker)).toEqual([pidOf(late)]);
      expect(log()).toContain(`${command} runs as late-mcp 1.0.0`);
      expect(registry.tarballs()).toBe(1);
      await late.restart();
      expect(await findProcesses(marker)).toEqual([pidOf(late)]);
      expect(registry.tarballs()).toBe(1);
    } finally {
      await registry.close();
    }
  });

  it('runs as written when npm cannot keep it, and npm says why', async () => {
    const entry = { command: 'npx', args: ['-y', 'late-mcp', marker] };
    const { registry, late } = await openWith('other-mcp', entry);
    try {
      expect(late.state.value).toMatchObject({ kind: 'error', failure: { code: 'exited' } });
      expect(JSON.stringify(late.state.value)).toContain('E404');
    } finally {
      await registry.close();
    }
  });

  it('is fetched once, and run as written, where the entry keeps it elsewhere', async () => {
    const env = { npm_config_cache: join(harness.root, 'elsewhere') };
    const entry = { command: 'npx', args: ['-y', 'late-mcp', marker], env };
    const { registry, late, log } = await openWith('late-mcp', entry);
    try {
      expect(late.state.value).toMatchObject({ kind: 'connected' });
      expect(log()).not.toContain('--package');
      expect(registry.tarballs()).toBe(1);
    } finally {
      await registry.close();
    }
  });
});
