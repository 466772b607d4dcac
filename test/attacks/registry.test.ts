/** What a registry or a link could make of a click on *Add*. */
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkspaceFolder } from '../../src/config/definition.js';
import type { PastedServer } from '../../src/config/paste/pastedServer.js';
import { parsePastedServers } from '../../src/config/paste/pastedServers.js';
import type { McpService } from '../../src/mcp/mcpApi.js';
import type { RegistryInstaller } from '../../src/presentation/registry/registryInstaller.js';
import { Tripwires } from '../helpers/attacks/tripwires.js';
import { CoreHarness } from '../helpers/coreHarness.js';
import { createAnswers } from '../helpers/fakes/fakeAnswers.js';
import { createInstaller, paramsFor } from '../helpers/registryInstaller.js';
import { type RegistryServer, startRegistry } from '../helpers/registryServer.js';

const everybody = 'Folder work: for Everybody';
const mine = 'Yours, in Every Folder';

let harness: CoreHarness;
let folder: WorkspaceFolder;
let service: McpService;
let ran: Tripwires;
let dir: string;
let registry: RegistryServer | undefined;

beforeEach(async () => {
  harness = await CoreHarness.create();
  dir = await realpath(await mkdtemp(join(tmpdir(), 'pi-mcp-registry-')));
  ran = await Tripwires.create(join(dir, 'ran'));
  folder = await harness.addFolder('work', {});
  service = harness.open();
  await service.whenStarted();
});
afterEach(async () => {
  await harness.dispose();
  await registry?.close();
  registry = undefined;
  await rm(dir, { recursive: true, force: true });
});

async function open(packages: readonly object[]): Promise<RegistryInstaller> {
  registry = await startRegistry([
    { server: { name: 'com.example/hostile', version: '1.0.0', packages } },
  ]);
  return createInstaller(harness, service, { answers: createAnswers(), url: registry.url });
}

const npm = (rest: object) => ({ registryType: 'npm', identifier: 'a', version: '1.0.0', ...rest });

describe('an entry of the registry', () => {
  it.each([
    [
      'a command in a variable',
      () => npm({ environmentVariables: [{ name: 'A', value: ran.commandValue('a') }] }),
    ],
    [
      'a command as a default',
      () => npm({ environmentVariables: [{ name: 'A', default: ran.commandValue('a') }] }),
    ],
    [
      'a variable of the user',
      () => npm({ packageArguments: [{ type: 'positional', value: '${HOME}' }] }),
    ],
    ['a package that is an address', () => npm({ identifier: 'https://elsewhere.example/a.tgz' })],
    ['a package that is a flag', () => npm({ identifier: '--call=touch' })],
    ['a program of its own', () => npm({ registryType: 'sh', runtimeHint: 'sh' })],
  ])('cannot bring %s', async (_what, entry) => {
    const installer = await open([entry()]);
    const details = await installer.open('com.example/hostile');
    expect(details.ways[0]?.blocker).toBeDefined();
    await expect(installer.add(paramsFor(installer, details, mine))).rejects.toThrow();
    await service.reload();
    expect(service.pools.flatMap(({ servers }) => servers)).toEqual([]);
    expect(await ran.sprung()).toEqual([]);
  });

  it('cannot choose the program that runs its package by a hint', async () => {
    const installer = await open([npm({ runtimeHint: ran.path('hint') })]);
    const details = await installer.open('com.example/hostile');
    await installer.add(paramsFor(installer, details, everybody));
    const text = await readFile(join(folder.fsPath ?? '', '.mcp.json'), 'utf8');
    expect(JSON.parse(text).mcpServers.hostile.command).toBe('npx');
  });

  it('shows no text that turns or hides', async () => {
    const installer = await open([npm({ identifier: 'a' })]);
    registry?.next.push({
      status: 200,
      body: JSON.stringify({
        server: {
          name: 'com.example/hostile',
          title: 'safe\u202eelif',
          description: 'a\u200bb',
          version: '1',
          packages: [npm({})],
        },
      }),
    });
    const details = await installer.open('com.example/hostile');
    expect([details.title, details.description]).toEqual(['safe\\u202eelif', 'a\\u200bb']);
  });
});

describe('the entry of a link', () => {
  const linked = async (place: string) => {
    const installer = await open([]);
    const config = encodeURIComponent(JSON.stringify(ran.launch('linked')));
    const link = `vscode://pi-mcp.pi-mcp/add?name=linked&config=${config}`;
    const [server] = parsePastedServers(link) as readonly [PastedServer];
    const params = paramsFor(installer, installer.showLinked(server), place);
    await installer.preview(params);
    return { id: (await installer.add(params)).id };
  };

  it('starts nothing when it is shown and added to a folder, nor when a call wants it', async () => {
    const { id } = await linked(everybody);
    await service
      .getServer(id)
      ?.ensureConnected()
      .catch(() => undefined);
    expect(service.getServer(id)?.state.value.kind).toBe('trust_required');
    expect(await ran.sprung()).toEqual([]);
  });

  it('starts nothing when it is added to the file of the user', async () => {
    await linked(mine);
    expect(await ran.sprung()).toEqual([]);
  });

  it('control: runs once the user starts it', async () => {
    const { id } = await linked(mine);
    await service.getServer(id)?.ensureConnected();
    expect(await ran.sprung()).toEqual(['linked']);
  });
});
