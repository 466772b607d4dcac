/** Newer releases of what was added from an MCP registry, as that registry tells them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverId, type WorkspaceFolder } from '../../src/config/definition.js';
import type { McpServer, McpService } from '../../src/mcp/mcpApi.js';
import { PackageOrigins } from '../../src/mcp/registry/packageOrigins.js';
import { RegistryClient } from '../../src/mcp/registry/registryClient.js';
import { Releases } from '../../src/mcp/registry/releases.js';
import { systemClock } from '../../src/platform/clock.js';
import type { ServerInstaller } from '../../src/presentation/add/serverInstaller.js';
import { ServerUpdates } from '../../src/presentation/server/serverUpdates.js';
import { CoreHarness } from '../helpers/coreHarness.js';
import { createAnswers } from '../helpers/fakes/fakeAnswers.js';
import { FakeKept } from '../helpers/fakes/fakeKept.js';
import { type RegistryServer, startRegistry } from '../helpers/registryServer.js';
import { createInstaller, paramsFor } from '../helpers/serverInstaller.js';

const name = 'io.github.example/notes';
const stdio = { type: 'stdio' };

let harness: CoreHarness;
let folder: WorkspaceFolder;
let service: McpService;
/** What it lists may be replaced. */
let listed: object[];
let registry: RegistryServer;
let registryUrl: string;
let installer: ServerInstaller;
let updates: ServerUpdates;

beforeEach(async () => {
  harness = await CoreHarness.create();
  // nothing is found on such a PATH, so that nothing of an entry is downloaded
  harness.variables = { PATH: '/nowhere' };
  listed = [];
  registry = await startRegistry(listed);
  registryUrl = registry.url;
  folder = await harness.addFolder('work', {});
  service = await harness.start();
  const origins = new PackageOrigins(new FakeKept());
  installer = createInstaller(service, { answers: createAnswers(), url: registry.url, origins });
  updates = new ServerUpdates({
    service,
    memory: new FakeKept(),
    releases: new Releases({
      environment: harness.environment,
      fetch,
      origins,
      client: () => new RegistryClient({ baseUrl: registryUrl, fetch, clock: systemClock }),
    }),
    mayAsk: () => ({ byItself: true, whenAsked: true }),
    now: () => 0,
    language: 'en',
  });
});
afterEach(async () => {
  await harness.dispose();
  await registry.close();
});

function publish(...packages: readonly object[]): void {
  const released = packages.map((one) => ({ transport: stdio, ...one }));
  listed.splice(0, listed.length, { server: { name, version: '0', packages: released } });
}

/** The server, added from what the registry lists, and trusted. */
async function add(): Promise<McpServer> {
  const details = await installer.open(name);
  const { id } = await installer.add(
    paramsFor(installer, details, 'Folder work: for Everybody', {}),
  );
  await trust();
  return service.getServer(id) as McpServer;
}

async function trust(): Promise<void> {
  await service.trust.trustServers(folder.uri, await service.trust.pendingConsent(folder.uri));
}

async function argsOf({ definition }: McpServer): Promise<unknown> {
  const text = await readFile(join(folder.fsPath ?? '', '.mcp.json'), 'utf8');
  return JSON.parse(text).mcpServers[definition.name].args;
}

describe('a server that was added from a registry', () => {
  it.each([
    [
      'an image of a host that tells no versions',
      { registryType: 'oci', identifier: 'ghcr.io/example/notes:1.2.0' },
      { registryType: 'oci', identifier: 'ghcr.io/example/notes:1.10.0' },
      '1.10.0',
    ],
    [
      'a package of NuGet',
      { registryType: 'nuget', identifier: 'Example.Notes', version: '1.2.0' },
      { registryType: 'nuget', identifier: 'Example.Notes', version: '1.10.0' },
      '1.10.0',
    ],
    [
      'a package of npm',
      { registryType: 'npm', identifier: '@example/notes', version: '1.2.0' },
      { registryType: 'npm', identifier: '@example/notes', version: '1.10.0' },
      '1.10.0',
    ],
    [
      'a package of PyPI',
      { registryType: 'pypi', identifier: 'example-notes', version: '1.2' },
      { registryType: 'pypi', identifier: 'example-notes', version: '1.10' },
      '1.10',
    ],
  ])('learns of its newer release: %s', async (_what, old, young, version) => {
    publish(old);
    const server = await add();
    await updates.opened(server);
    expect(updates.facts(server)).toMatchObject({ newest: undefined, asked: 'now' });
    publish(young);
    await updates.check(server);
    expect(updates.facts(server)).toMatchObject({ newest: version, asks: [] });
    const before = JSON.stringify(await argsOf(server));
    await updates.update(server.id, version);
    const { version: was = '' } = old as { version?: string };
    expect(await argsOf(server)).toEqual(
      JSON.parse(before.replace(was || '1.2.0', version)) as unknown,
    );
    expect(service.getServer(server.id)?.state.value.kind).toBe('trust_required');
  });

  it('says what the newer release does not run without', async () => {
    const one = { registryType: 'npm', identifier: 'notes' };
    const asked = (...names: string[]) =>
      names.map((variable) => ({ name: variable, isRequired: true, default: 'x' }));
    publish({ ...one, version: '1.0.0', environmentVariables: asked('HOME_URL') });
    const details = await installer.open(name);
    const params = paramsFor(installer, details, 'Folder work: for Everybody', {
      'package-0-env-HOME_URL': 'x',
    });
    const { id } = await installer.add(params);
    await trust();
    publish({
      ...one,
      version: '2.0.0',
      environmentVariables: [...asked('HOME_URL', 'NOTES_KEY'), { name: 'COLOUR' }],
      packageArguments: [
        { type: 'positional', value: 'serve' },
        { type: 'named', name: '--mode', isRequired: true },
        { type: 'named', name: '--verbose', isRequired: false },
      ],
    });
    const server = service.getServer(id) as McpServer;
    await updates.check(server);
    expect(updates.facts(server)?.asks).toEqual(['NOTES_KEY', 'serve', '--mode']);
  });

  it('is offered no other package that the registry lists under its name, and none that is older', async () => {
    publish({ registryType: 'oci', identifier: 'ghcr.io/example/notes:1.2.0' });
    const server = await add();
    for (const identifier of ['ghcr.io/attacker/notes:9.0.0', 'ghcr.io/example/notes:1.1.9']) {
      publish({ registryType: 'oci', identifier });
      await updates.check(server);
      expect(updates.facts(server)?.newest).toBeUndefined();
    }
  });

  it('is asked about nowhere once the settings name another registry', async () => {
    publish({ registryType: 'oci', identifier: 'ghcr.io/example/notes:1.2.0' });
    const server = await add();
    const other = await startRegistry();
    registryUrl = other.url;
    await expect(updates.check(server)).rejects.toMatchObject({
      code: 'package_version_unknown',
      remedy: expect.stringContaining('piMcp.registry.url'),
    });
    expect(other.requests).toEqual([]);
    await other.close();
  });

  it('control: of the same package in a file, nobody knows a registry', async () => {
    const entry = { command: 'docker', args: ['run', '-i', 'ghcr.io/example/notes:1.2.0'] };
    await harness.write(folder, { tool: entry });
    await service.reload();
    await trust();
    const server = service.getServer(serverId(folder.uri, 'tool')) as McpServer;
    await updates.opened(server);
    expect(updates.facts(server)).toBeUndefined();
    expect(registry.requests).toEqual([]);
  });
});
