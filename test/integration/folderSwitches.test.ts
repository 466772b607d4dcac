/** What a folder's files decide about the servers of the user, and what they cannot decide. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { PoolFile } from '../../src/config/configuration.js';
import { globalPoolId, serverId, type WorkspaceFolder } from '../../src/config/definition.js';
import type { McpServer } from '../../src/mcp/mcpApi.js';
import { switchInFolder } from '../../src/presentation/folderSwitch.js';
import { states, useCoreHarness } from '../helpers/coreHarness.js';

// nobody answers there: the switches are what is tested
const remote = { url: 'http://127.0.0.1:9/mcp' };

const harness = useCoreHarness();

afterEach(() => harness.dispose());

async function open(global: object, folderServers: Readonly<Record<string, unknown>>) {
  await harness.writeGlobal(global as Readonly<Record<string, unknown>>);
  const folder = await harness.addFolder('work', folderServers);
  const service = await harness.start();
  const offered = () => {
    const found = service.serversFor(folder.uri);
    const definitions = found.map(({ definition }) => definition);
    const named = service.serversFor(folder.uri, 'remote').map(({ definition }) => definition);
    expect(named).toEqual(definitions.filter(({ name }) => name === 'remote'));
    const isOn = ({ state }: McpServer) => state.value.kind !== 'disabled';
    return found.filter(isOn).map(({ definition: { name, options } }) => [name, options]);
  };
  return { folder, service, offered };
}

function read({ fsPath }: WorkspaceFolder): Promise<string> {
  return readFile(join(fsPath ?? '', '.mcp.json'), 'utf8');
}

describe('a global server in a folder', () => {
  it('is switched off by an entry of switches, and on again by removing it', async () => {
    const { folder, service, offered } = await open({ remote }, {});
    const id = serverId(globalPoolId, 'remote');
    await service.configuration.setEnabledInFolder(id, folder.uri, false);
    expect(JSON.parse(await read(folder))).toEqual({ mcpServers: { remote: { enabled: false } } });
    expect(offered()).toEqual([]);
    expect(service.serversFor(undefined)).toHaveLength(1);
    await service.configuration.setEnabledInFolder(id, folder.uri, true);
    expect(JSON.parse(await read(folder))).toEqual({ mcpServers: {} });
    expect(offered()).toHaveLength(1);
  });

  it('is switched for its user alone in no file of the folder, and for everybody in that file', async () => {
    const { folder, service, offered } = await open({ remote }, {});
    const { configuration } = service;
    const before = await read(folder);
    const local = configuration.location(folder.uri, 'local').path;
    const change = (file: PoolFile, isWanted: boolean) =>
      switchInFolder(configuration, serverId(globalPoolId, 'remote'), {
        uri: folder.uri,
        isWanted,
        file,
      });
    await change('local', false);
    expect([await read(folder), offered()]).toEqual([before, []]);
    expect(JSON.parse(await readFile(local, 'utf8'))).toEqual({
      mcpServers: { remote: { enabled: false } },
    });
    await change('local', true);
    expect([await read(folder), offered().length]).toEqual([before, 1]);
    expect(JSON.parse(await readFile(local, 'utf8'))).toEqual({ mcpServers: {} });
    await change('primary', false);
    expect([JSON.parse(await read(folder)).mcpServers, offered()]).toEqual([
      { remote: { enabled: false } },
      [],
    ]);
    await change('local', true);
    expect([JSON.parse(await read(folder)).mcpServers, offered().length]).toEqual([
      { remote: { enabled: false } },
      1,
    ]);
    await change('primary', false);
    expect(offered()).toEqual([]);
    await change('primary', true);
    expect([JSON.parse(await read(folder)).mcpServers, offered().length]).toEqual([{}, 1]);
  });

  it('comes back although two files of the folder switch it off', async () => {
    const off = { remote: { enabled: false } };
    const { folder, service, offered } = await open({ remote }, off);
    const id = serverId(globalPoolId, 'remote');
    await service.configuration.setEnabledInFolder(id, folder.uri, true);
    expect(offered()).toHaveLength(1);
    expect(await read(folder)).not.toContain('enabled');
  });

  it('is used under the switches of the folder there, and under its own elsewhere', async () => {
    const { service, offered } = await open(
      { remote: { ...remote, excludeTools: ['a'] } },
      { remote: { excludeTools: ['b'], exposure: 'direct', idleTimeout: 1 } },
    );
    expect(offered()).toMatchObject([
      // how long the shared process lives is not for one folder to say
      ['remote', { excludeTools: ['a', 'b'], exposure: 'direct', idleTimeout: 10 }],
    ]);
    const [own] = service.serversFor(undefined);
    expect(own?.definition.options).toMatchObject({ excludeTools: ['a'] });
    expect(own?.definition.options).not.toHaveProperty('exposure');
  });

  it('is as the user wrote it in Restricted Mode', async () => {
    harness.isTrusted = false;
    const { offered } = await open({ remote }, { remote: { enabled: false, exposure: 'hidden' } });
    expect(offered()).toHaveLength(1);
    expect(offered()).not.toMatchObject([['remote', { exposure: 'hidden' }]]);
  });
});

describe('settings', () => {
  it('of the user reach every folder; those of a folder stay there and guard nobody', async () => {
    await harness.writeGlobal({});
    const [one, two] = [
      await harness.addFolder('one', { a: remote }),
      await harness.addFolder('two', { b: remote }),
    ];
    const user = { toolPrefix: 'short', toonEncode: true, approveTools: ['x'] };
    const agentFile = join(harness.root, 'home', '.pi', 'agent', 'mcp.json');
    await writeFile(agentFile, JSON.stringify({ settings: user }));
    const folder = { toonEncode: false, disableProxyTool: true, approveTools: false };
    await harness.write(one, JSON.stringify({ settings: folder, mcpServers: { a: remote } }));
    const service = await harness.start();

    const prefixes = [one, two].flatMap(({ uri }) =>
      service.serversFor(uri).map(({ definition }) => definition.options.toolPrefix),
    );
    expect(prefixes).toEqual(['short', 'short']);
    expect(service.settingsFor(one.uri)).toEqual({
      ...user,
      toonEncode: false,
      disableProxyTool: true,
    });
    expect(service.settingsFor(two.uri)).toEqual(user);
    harness.setTrusted(false);
    expect(service.settingsFor(one.uri)).toEqual(user);
  });
});

describe('the master switch of the user', () => {
  it('holds for the servers of every folder, whatever their files say', async () => {
    const { folder, service } = await open({}, { own: remote });
    const agentFile = join(harness.root, 'home', '.pi', 'agent', 'mcp.json');
    await writeFile(agentFile, '{"disabled": true}');
    await writeFile(
      join(folder.fsPath ?? '', '.mcp.json'),
      JSON.stringify({ disabled: false, mcpServers: { own: remote } }),
    );
    await service.reload();
    expect(states(service)).toEqual({ own: 'disabled' });
    await writeFile(agentFile, '{}');
    await service.reload();
    expect(states(service).own).not.toBe('disabled');
  });
});
