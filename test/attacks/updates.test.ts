/** What a repository could have asked of the network, by the versions that its entries pin. */
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type McpStdioLaunch,
  serverId,
  type WorkspaceFolder,
} from '../../src/config/definition.js';
import { packageOf } from '../../src/config/lint/packageSpec.js';
import type { McpServer, McpService } from '../../src/mcp/mcpApi.js';
import { newestVersion } from '../../src/mcp/registry/newestVersion.js';
import { PackageOrigins } from '../../src/mcp/registry/packageOrigins.js';
import { RegistryClient } from '../../src/mcp/registry/registryClient.js';
import { Releases } from '../../src/mcp/registry/releases.js';
import { systemClock } from '../../src/platform/clock.js';
import { ServerUpdates } from '../../src/presentation/server/serverUpdates.js';
import { startVersionRegistry, type VersionRegistry } from '../fixtures/versionRegistry.js';
import { CoreHarness } from '../helpers/coreHarness.js';
import { FakeKept } from '../helpers/fakes/fakeKept.js';

let harness: CoreHarness;
let folder: WorkspaceFolder;
let service: McpService;
/** Of the user. */
let registry: VersionRegistry;
/** That of the attacker. */
let elsewhere: VersionRegistry;
let updates: ServerUpdates;

beforeEach(async () => {
  harness = await CoreHarness.create();
  registry = await startVersionRegistry({ 'mcp-tool': ['1.2', '1.3'], 'secret-name': ['1.0'] });
  elsewhere = await startVersionRegistry({ 'mcp-tool': ['1.2', '9.9'] });
  harness.variables = { PATH: '/nowhere', UV_DEFAULT_INDEX: `${registry.url}/simple` };
});
afterEach(async () => {
  await harness.dispose();
  await registry.close();
  await elsewhere.close();
});

async function open(entry: object): Promise<McpServer> {
  folder = await harness.addFolder('work', { tool: entry });
  service = harness.open();
  await service.whenStarted();
  updates = new ServerUpdates({
    service,
    memory: new FakeKept(),
    releases: new Releases({
      ...sources(),
      origins: new PackageOrigins(new FakeKept()),
      client: () => new RegistryClient({ baseUrl: registry.url, fetch, clock: systemClock }),
    }),
    mayAsk: () => ({ byItself: harness.isTrusted, whenAsked: harness.isTrusted }),
    now: () => 0,
    language: 'en',
  });
  return server();
}

const sources = () => ({ environment: harness.environment, fetch, dockerHub: registry.url });
const server = () => service.getServer(serverId(folder.uri, 'tool')) as McpServer;
const trust = async () =>
  await service.trust.trustServers(folder.uri, await service.trust.pendingConsent(folder.uri));
const pinned = { command: 'uvx', args: ['mcp-tool==1.2'] };
const asked = () => [...registry.requests, ...elsewhere.requests];

describe('an entry of a repository', () => {
  it('control: is asked about once it may run and its page is looked at', async () => {
    const one = await open(pinned);
    await trust();
    await updates.opened(one);
    expect(asked()).toEqual(['/simple/mcp-tool/']);
    expect(updates.facts(one)?.newest).toBe('1.3');
  });

  it('makes no request by being there, by being trusted, or by being shown in a list', async () => {
    const one = await open(pinned);
    await trust();
    updates.facts(one);
    await service.reload();
    expect(asked()).toEqual([]);
  });

  it('makes no request before the user trusts it, whatever is pressed', async () => {
    const one = await open({ command: 'uvx', args: ['secret-name==0.1'] });
    await updates.opened(one);
    await expect(updates.check(one)).rejects.toMatchObject({ code: 'trust_required' });
    expect(asked()).toEqual([]);
  });

  it('makes no request in Restricted Mode', async () => {
    harness.isTrusted = false;
    const one = await open(pinned);
    await updates.opened(one);
    await expect(updates.check(one)).rejects.toMatchObject({ code: 'trust_required' });
    expect(asked()).toEqual([]);
  });

  it('makes none after it changed behind the back of the user', async () => {
    await open(pinned);
    await trust();
    await harness.write(folder, { tool: { command: 'uvx', args: ['secret-name==0.1'] } });
    await service.reload();
    await updates.opened(server());
    expect(asked()).toEqual([]);
  });

  it('does not choose the registry', async () => {
    const env = {
      UV_DEFAULT_INDEX: `${elsewhere.url}/simple`,
      PIP_INDEX_URL: `${elsewhere.url}/simple`,
    };
    const args = ['--default-index', `${elsewhere.url}/simple`, 'mcp-tool==1.2'];
    await open({ command: 'uvx', args: args.slice(2), env });
    await trust();
    await updates.opened(server());
    const spec = packageOf('uvx', args);
    await (spec && newestVersion(spec, sources()).catch(() => undefined));
    expect(elsewhere.requests).toEqual([]);
    expect(registry.requests).toContain('/simple/mcp-tool/');
  });

  it.each([
    ['a path of another image', 'docker', ['run', '../../secret:1.0']],
    ['a host of its own', 'docker', ['run', '127.0.0.1:9/x:1.0']],
    ['a folder', 'docker', ['run', '..:1.0']],
    ['a path of another package', 'uvx', ['..==1.0']],
    ['a command of a shell', 'npx', ['x;touch@1.0.0']],
  ])('cannot ask for %s', async (_what, command, args) => {
    const spec = packageOf(command, args);
    const found = spec && (await newestVersion(spec, sources()).catch(() => undefined));
    expect(found).toBeUndefined();
    expect(asked()).toEqual([]);
  });
});

it('a registry cannot say more of an image than the name of a tag and a digest', async () => {
  const digest = `sha256:${'b'.repeat(64)}`;
  const answer = (...results: readonly object[]) => ({
    ...sources(),
    fetch: async () => Response.json({ results }),
  });
  const spec = packageOf('docker', ['run', `redis:7.2@sha256:${'a'.repeat(64)}`]);
  const ask = (...results: readonly object[]) => spec && newestVersion(spec, answer(...results));
  for (const said of [`${digest} --privileged`, `${digest}\n`, 'sha256:canary', 7, { digest }]) {
    expect(await ask({ name: '7.4', digest: said })).toBeUndefined();
  }
  for (const name of ['7.4 --privileged', '7.4@x', 'latest\n', '--privileged']) {
    expect(await ask({ name, digest })).toBeUndefined();
  }
  // control
  expect(await ask({ name: '7.4', digest })).toBe(`7.4@${digest}`);
});

it('a registry of servers cannot offer a release that would run more than a package', async () => {
  const written = 'ghcr.io/example/notes:1.0.0';
  const launch = { kind: 'stdio', command: 'docker', args: ['run', '-i', written] } as const;
  const spec = packageOf(launch.command, launch.args);
  const ask = async (...packages: readonly object[]) => {
    const name = 'io.github.example/notes';
    const body = { server: { name, version: '2', packages } };
    const answers = async () => Response.json(body);
    const client = new RegistryClient({ fetch: answers, clock: systemClock });
    const origins = new PackageOrigins(new FakeKept());
    await origins.remember(
      { ...launch, env: {}, inheritEnv: true },
      { registry: client.address, name },
    );
    const releases = new Releases({ ...sources(), origins, client: () => client });
    return spec && (await releases.newest(spec));
  };
  const release = (identifier: string, more: object = {}) => ({
    registryType: 'oci',
    identifier,
    transport: { type: 'stdio' },
    ...more,
  });
  const young = 'ghcr.io/example/notes:1.1.0';
  for (const identifier of [
    `${young} --privileged`,
    `${young}\u200b`,
    'ghcr.io/other/notes:9.0.0',
  ]) {
    expect(await ask(release(identifier))).toBeUndefined();
  }
  for (const value of ['${env:CANARY}', '!touch canary', 'a\u202eb']) {
    const packageArguments = [{ type: 'positional', value }];
    expect(await ask(release(young, { packageArguments }))).toBeUndefined();
  }
  // control
  expect(await ask(release(young))).toMatchObject({ version: '1.1.0' });
});

describe('a launch that is tried out', () => {
  /** Of a server of the folder that the user trusts. */
  async function open() {
    const note = `${harness.root}/ran`;
    const args = (canary: string) => [
      '-e',
      `fs.appendFileSync(${JSON.stringify(note)}, '${canary}')`,
    ];
    folder = await harness.addFolder('work', {
      tool: { command: process.execPath, args: args('TRUSTED') },
    });
    service = harness.open();
    await service.whenStarted();
    await trust();
    await server()
      .ensureConnected()
      .catch(() => undefined);
    const { launch } = server().definition;
    if (launch?.kind !== 'stdio') {
      throw new Error('There is no launch');
    }
    const run = async (shown: string, started: string) => {
      const agreed = await service.trials.describe(server().id, { ...launch, args: args(shown) });
      const { signal } = new AbortController();
      return await service.trials
        .run({ ...launch, args: args(started) }, agreed, signal)
        .catch((error: unknown) => error);
    };
    const ran = () => readFile(note, 'utf8');
    return { run, ran };
  }

  it('control: runs once it was agreed to, and no consent to it stays', async () => {
    const { run, ran } = await open();
    const before = await service.trust.records();
    await run('CANARY', 'CANARY');
    expect(await ran()).toContain('CANARY');
    expect(await service.trust.records()).toEqual(before);
    const agreed = await service.trials.describe(server().id, {
      ...(server().definition.launch as McpStdioLaunch),
    });
    // what waits is still told by what is stored alone
    expect(agreed.reason.kind).toBe('never_consented');
    expect(await service.trust.pendingConsent(folder.uri)).toEqual([]);
  });

  it('is not another one than was shown', async () => {
    const { run, ran } = await open();
    expect(await run('SHOWN', 'CANARY')).toMatchObject({ code: 'trust_required' });
    expect(await ran()).not.toContain('CANARY');
  });

  it('does not run in Restricted Mode', async () => {
    const { run, ran } = await open();
    harness.isTrusted = false;
    expect(await run('CANARY', 'CANARY')).toMatchObject({ code: 'trust_required' });
    expect(await ran()).not.toContain('CANARY');
  });
});
