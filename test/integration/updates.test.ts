/** Newer versions of pinned packages, from registries on loopback to the entry in its file. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverId, type WorkspaceFolder } from '../../src/config/definition.js';
import { packageOf } from '../../src/config/lint/packageSpec.js';
import type { McpServer, McpService } from '../../src/mcp/mcpApi.js';
import { newestVersion } from '../../src/mcp/registry/newestVersion.js';
import { PackageOrigins } from '../../src/mcp/registry/packageOrigins.js';
import { RegistryClient } from '../../src/mcp/registry/registryClient.js';
import { Releases } from '../../src/mcp/registry/releases.js';
import { systemClock } from '../../src/platform/clock.js';
import { ServerUpdates } from '../../src/presentation/server/serverUpdates.js';
import {
  imageDigest,
  startVersionRegistry,
  type VersionRegistry,
} from '../fixtures/versionRegistry.js';
import { CoreHarness } from '../helpers/coreHarness.js';
import { FakeKept } from '../helpers/fakes/fakeKept.js';

const [old, young] = ['a', 'b'].map((letter) => `sha256:${letter.repeat(64)}`);
const day = 24 * 60 * 60 * 1000;

let harness: CoreHarness;
let registry: VersionRegistry;

beforeEach(async () => {
  harness = await CoreHarness.create();
  registry = await startVersionRegistry({
    'mcp-notes': ['1.2.3', '1.4.0'],
    '@example/notes': ['2.0.0'],
    'mcp-tool': ['1.2', '1.10', '1.9', '2.0rc1', '0.1'],
    'library/redis': ['7', '7.2', '7.4', '8-alpine', '7.4-alpine', 'latest'],
    'example/server': ['v1.0.0', 'v1.2.0', '9.0.0', 'v2.0.0-rc1'],
  });
});
afterEach(async () => {
  await harness.dispose();
  await registry.close();
});

function ask(command: string, ...args: readonly string[]) {
  const spec = packageOf(command, args);
  return spec && newestVersion(spec, sources());
}

function sources() {
  return { environment: harness.environment, fetch, dockerHub: registry.url };
}

describe('a registry', () => {
  it('of npm is the one that the user has configured, by their own npm', async () => {
    await writeFile(join(harness.root, 'home/.npmrc'), `registry=${registry.url}/\n`);
    expect(await ask('npx', '-y', 'mcp-notes@1.2.3')).toBe('1.4.0');
    expect(await ask('npx', '-y', 'mcp-notes@1.4.0')).toBeUndefined();
    expect(await ask('npx', '-y', '@example/notes@2.0.0-beta.1')).toBe('2.0.0');
    expect(await ask('npx', '-y', '@example/notes@3.0.0-beta.1')).toBeUndefined();
  });

  it('of PyPI is the index of the variables, and tells no release before one', async () => {
    harness.variables = { UV_DEFAULT_INDEX: `${registry.url}/simple` };
    expect(await ask('uvx', 'mcp-tool==1.2')).toBe('1.10');
    expect(await ask('uvx', 'mcp-tool@1.10')).toBeUndefined();
    // one package, under the name that an index lists it by
    expect(await ask('uvx', 'MCP_tool==1.2')).toBe('1.10');
    expect(await ask('uvx', 'mcp.-tool==1.2')).toBe('1.10');
  });

  it('of Docker tells tags of the same form', async () => {
    expect(await ask('docker', 'run', '-i', 'redis:7.2')).toBe('7.4');
    expect(await ask('docker', 'run', '-i', 'example/server:v1.0.0')).toBe('v1.2.0');
  });

  it('of Docker tells by its digest which release an image is, and the digest of a newer one', async () => {
    const digest = (tag: string, platform?: string) => imageDigest('library/redis', tag, platform);
    const newest = `7.4@${digest('7.4')}`;
    const of = (image: string) => ask('docker', 'run', '-i', image);
    expect(await of(`redis@${digest('7.2')}`)).toBe(newest);
    expect(await of(`redis@${digest('7.2', 'arm64')}`)).toBe(newest);
    expect(await of(`redis:7.2@${digest('7.2')}`)).toBe(newest);
    expect(await of(`redis@${digest('7.4')}`)).toBeUndefined();
    expect(await of(`redis@${digest('of another image')}`)).toBeUndefined();
  });

  it('of Docker tells that a tag has moved on from its digest', async () => {
    const [now, before] = ['latest', 'older'].map((tag) => imageDigest('library/redis', tag));
    expect(await ask('docker', 'run', `redis:latest@${before}`)).toBe(`latest@${now}`);
    expect(await ask('docker', 'run', `redis:latest@${now}`)).toBeUndefined();
    const moved = `7.4@${imageDigest('library/redis', '7.4')}`;
    expect(await ask('docker', 'run', `redis:7.4@${before}`)).toBe(moved);
  });

  it.each([
    ['half a digest', 'docker', ['run', `redis@sha256:${'a'.repeat(63)}`]],
    ['an image of another host', 'docker', ['run', 'ghcr.io/example/server:1.0.0']],
    ['a repository', 'npx', ['github:example/server#v1.0.0']],
  ])('is not asked about %s', async (_what, command, args) => {
    expect(await ask(command, ...args)).toBeUndefined();
    expect(registry.requests).toEqual([]);
  });

  it('that does not tell is said, without its address', async () => {
    harness.variables = { PIP_INDEX_URL: `${registry.url.replace('//', '//user:canary@')}/other` };
    const failed = ask('uvx', 'mcp-tool==1.2');
    await expect(failed).rejects.toMatchObject({ code: 'package_version_unknown' });
    await expect(failed).rejects.not.toThrow('canary');
  });
});

describe('the page of a server', () => {
  let folder: WorkspaceFolder;
  let service: McpService;
  let now = 0;
  let may = { byItself: true, whenAsked: true };
  let updates: ServerUpdates;

  beforeEach(async () => {
    // nothing is found on such a PATH, so that nothing of the entry is downloaded
    harness.variables = { PATH: '/nowhere', UV_DEFAULT_INDEX: `${registry.url}/simple` };
    folder = await harness.addFolder('work', {
      tool: { command: 'uvx', args: ['--quiet', 'mcp-tool[cli]==1.2', '--token', 'x'] },
      loose: { command: 'uvx', args: ['mcp-tool'] },
    });
    service = await harness.start();
    now = Date.parse('2026-05-04T10:00:00Z');
    may = { byItself: true, whenAsked: true };
    updates = new ServerUpdates(parts());
  });

  const parts = () => ({
    service,
    memory: new FakeKept(),
    releases: new Releases({
      ...sources(),
      origins: new PackageOrigins(new FakeKept()),
      client: () => new RegistryClient({ fetch, clock: systemClock }),
    }),
    mayAsk: () => may,
    now: () => now,
    language: 'en',
  });

  const server = (name = 'tool') => service.getServer(serverId(folder.uri, name)) as McpServer;
  const trust = async () =>
    await service.trust.trustServers(folder.uri, await service.trust.pendingConsent(folder.uri));

  it('tells the newer version once it was asked for, and what would run then', async () => {
    await trust();
    expect(updates.facts(server())).toMatchObject({ version: '1.2', newest: undefined });
    await updates.opened(server());
    expect(updates.facts(server())).toEqual({
      name: 'mcp-tool',
      version: '1.2',
      newest: '1.10',
      asks: [],
      changes: [],
      skipped: undefined,
      asked: 'now',
      launch: 'uvx --quiet mcp-tool[cli]==1.10 --token ***REDACTED***',
    });
    expect(updates.facts(server('loose'))).toBeUndefined();
  });

  it('asks once a day, and when it is told to', async () => {
    await trust();
    await Promise.all([updates.opened(server()), updates.opened(server())]);
    now += day - 1;
    await updates.opened(server());
    expect(registry.requests).toHaveLength(1);
    now += 1;
    await updates.opened(server());
    expect(registry.requests).toHaveLength(2);
    await updates.check(server());
    expect(registry.requests).toHaveLength(3);
  });

  it('asks no more that day of a registry that fails, and says so when it is told to ask', async () => {
    await trust();
    await registry.close();
    await updates.opened(server());
    expect(updates.facts(server())).toMatchObject({ asked: 'now', newest: undefined });
    await expect(updates.check(server())).rejects.toMatchObject({
      code: 'package_version_unknown',
    });
    registry = await startVersionRegistry({});
  });

  it('does not tell of a version that was skipped', async () => {
    await trust();
    await updates.check(server());
    await updates.skip(server());
    await updates.check(server());
    expect(updates.facts(server())).toMatchObject({ newest: undefined, skipped: '1.10' });
  });

  it('asks nothing by itself when the setting is off', async () => {
    await trust();
    may = { byItself: false, whenAsked: true };
    await updates.opened(server());
    expect(registry.requests).toEqual([]);
    await updates.check(server());
    expect(registry.requests).toEqual(['/simple/mcp-tool/']);
  });

  it('writes the newer version in its place, which waits for trust as any change', async () => {
    await trust();
    await updates.check(server());
    await updates.update(server().id, '1.10');
    const text = await readFile(join(folder.fsPath ?? '', '.mcp.json'), 'utf8');
    expect(JSON.parse(text).mcpServers.tool.args).toEqual([
      '--quiet',
      'mcp-tool[cli]==1.10',
      '--token',
      'x',
    ]);
    expect(server().state.value.kind).toBe('trust_required');
    expect(updates.facts(server())).toMatchObject({ version: '1.10', newest: undefined });
  });

  it.each([
    ['npx', ['--package=mcp-notes@1.2.3', 'run'], ['--package=mcp-notes@1.4.0', 'run']],
    ['sh', ['-c', 'cd x && npx -y mcp-notes@1.2.3'], ['-c', 'cd x && npx -y mcp-notes@1.4.0']],
    ['docker', ['run', '-i', 'redis:7.2', 'a'], ['run', '-i', 'redis:7.4', 'a']],
    ['docker', ['run', `redis@${old}`], ['run', `redis:7.4@${young}`]],
    ['docker', ['run', `redis:7.2@${old}`], ['run', `redis:7.4@${young}`]],
  ])('finds the version in the arguments of %s', async (command, args, expected) => {
    await harness.write(folder, { tool: { command, args } });
    await service.reload();
    await trust();
    updates = new ServerUpdates({
      ...parts(),
      releases: {
        knows: () => true,
        newest: async ({ registry: kind, written }) => {
          const image = written.includes('@') ? `7.4@${young}` : '7.4';
          const version = kind === 'docker' ? image : '1.4.0';
          return { version, asks: { variables: [], args: [] } };
        },
      },
    });
    await updates.check(server());
    const { newest = '' } = updates.facts(server()) ?? {};
    await updates.update(server().id, newest);
    const text = await readFile(join(folder.fsPath ?? '', '.mcp.json'), 'utf8');
    expect(JSON.parse(text).mcpServers.tool.args).toEqual(expected);
  });

  it('writes no other version than the one that was shown', async () => {
    await trust();
    await updates.check(server());
    await expect(updates.update(server().id, '1.9')).rejects.toThrow();
  });
});
