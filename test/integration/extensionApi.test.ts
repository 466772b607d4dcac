/** What other extensions can do, on the whole core. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { onceEvent } from '../../src/base/event.js';
import { globalPoolId, type WorkspaceFolder } from '../../src/config/definition.js';
import { createExtensionApi } from '../../src/presentation/createExtensionApi.js';
import {
  find,
  isAlive,
  memory,
  noted,
  notedPids,
  reach,
  useCoreHarness,
} from '../helpers/coreHarness.js';
import { toolParts } from '../helpers/toolParts.js';

const hidden = '***REDACTED***';

const harness = useCoreHarness();
afterEach(() => harness.dispose());

/** @param answer what the user does when the prompt appears. */
async function open(answer: 'trust' | 'dismiss' = 'dismiss') {
  const file = join(harness.root, 'pids');
  const folder = await harness.addFolder('api', { notes: noted(file, memory) });
  const service = harness.open();
  const asked: WorkspaceFolder[] = [];
  const consent = {
    request: async (asking: WorkspaceFolder) => {
      asked.push(asking);
      if (answer === 'trust') {
        await service.trust.trustFolder(asking.uri);
      }
    },
  };
  const parts = toolParts();
  const { switches } = parts;
  const api = createExtensionApi({ ...parts, service, consent, loaded: service.whenStarted() });
  return { api, service, folder, asked, switches, pids: () => notedPids(file) };
}

function globalFile(): string {
  return join(harness.root, 'home', '.pi', 'agent', 'mcp.json');
}

describe('the API for other extensions', () => {
  it('adds, changes and removes servers, secrets hidden and kept', async () => {
    const { api } = await open();
    const entry = { url: 'http://127.0.0.1:9/mcp', headers: { 'X-Key': 's3cret' }, enabled: false };
    expect(await api.upsert(globalPoolId, 'docs', entry)).toMatchObject({
      kind: 'http',
      state: 'disabled',
      source: globalFile(),
      entry: { ...entry, headers: { 'X-Key': hidden } },
    });
    const moved = { url: 'http://127.0.0.1:9/other', headers: { 'X-Key': hidden } };
    await api.upsert(globalPoolId, 'docs', moved);
    const text = await readFile(globalFile(), 'utf8');
    expect(JSON.parse(text).mcpServers.docs).toMatchObject({
      url: moved.url,
      headers: { 'X-Key': 's3cret' },
    });
    await api.remove(globalPoolId, 'docs');
    expect(await api.servers(globalPoolId)).toEqual([]);
  });

  it('refuses what would be invalid, unknown servers and unknown folders', async () => {
    const { api } = await open();
    await expect(api.upsert(globalPoolId, 'x', {})).rejects.toMatchObject({
      code: 'no-command-or-url',
    });
    await expect(api.remove(globalPoolId, 'x')).rejects.toMatchObject({ code: 'server_unknown' });
    await expect(api.upsert('file:///gone', 'x', { command: 'x' })).rejects.toMatchObject({
      code: 'folder_unknown',
    });
  });

  it('starts nothing that the user has not agreed to', async () => {
    const { api, folder, asked, pids } = await open('dismiss');
    expect(await api.probe(folder.uri, 'notes')).toMatchObject({ state: 'trust_required' });
    expect(await api.requestTrust(folder.uri)).toEqual({ kind: 'none' });
    expect(asked).toEqual([folder]);
    expect(await pids()).toEqual([]);
  });

  it('shows state and tools once the user has agreed, and takes consent back', async () => {
    const { api, service, folder } = await open('trust');
    expect(await api.requestTrust(folder.uri)).toMatchObject({ kind: 'folder' });
    await reach(find(service, 'notes'), 'connected');
    expect(await api.servers()).toMatchObject([
      { name: 'notes', state: 'connected', toolCount: 9 },
    ]);
    expect(api.settings()).toEqual({ enabled: true, connected: 1, total: 1 });
    const tools = await api.tools(folder.uri, 'notes');
    expect(tools).toHaveLength(9);
    expect(tools.find(({ name }) => name === 'open_nodes')).toMatchObject({
      description: expect.stringContaining('by their names'),
      inputSchema: { properties: { names: { type: 'array' } } },
    });
    expect(await api.revokeTrust(folder.uri)).toEqual({ kind: 'none' });
    expect(await api.servers()).toMatchObject([{ state: 'trust_required' }]);
  });

  it('starts a server that does not run, leaves one that does alone, and stops it', async () => {
    const { api, pids } = await open();
    await api.upsert(globalPoolId, 'notes', noted(join(harness.root, 'pids'), memory));
    expect(await api.start(globalPoolId, 'notes')).toMatchObject({ state: 'connected' });
    const started = await pids();
    await api.start(globalPoolId, 'notes');
    expect(await pids()).toEqual(started);
    expect(await api.stop(globalPoolId, 'notes')).toMatchObject({ state: 'idle' });
    expect(started.filter(isAlive)).toEqual([]);
  });

  it('connects afresh and reads the tools again when it probes', async () => {
    const { api, pids } = await open();
    const file = join(harness.root, 'pids');
    await api.upsert(globalPoolId, 'notes', noted(file, memory));
    await api.probe(globalPoolId, 'notes');
    const [first] = await pids();
    expect(await api.probe(globalPoolId, 'notes')).toMatchObject({
      state: 'connected',
      toolCount: 9,
    });
    const started = await pids();
    expect(started.length).toBeGreaterThan(1);
    expect(started.filter(isAlive)).toEqual([started.at(-1)]);
    expect(started.at(-1)).not.toBe(first);
  });

  it('turns the master switch of the user', async () => {
    const { api, service } = await open();
    expect(await api.updateSettings({ enabled: false })).toMatchObject({
      enabled: false,
      total: 0,
    });
    expect(find(service, 'notes').state.value).toEqual({ kind: 'disabled', by: 'master' });
    expect(await api.updateSettings({ enabled: true })).toMatchObject({ enabled: true });
  });

  it('lists servers of other programs and of a broken file without their entries', async () => {
    await mkdir(join(harness.root, 'home', '.cursor'), { recursive: true });
    await writeFile(
      join(harness.root, 'home', '.cursor', 'mcp.json'),
      JSON.stringify({ mcpServers: { theirs: { url: 'http://127.0.0.1:9/mcp' } } }),
    );
    await harness.writeGlobal({});
    await writeFile(globalFile(), '{"imports": ["cursor"]}');
    const { api, service, folder } = await open();
    await api.servers();
    await harness.write(folder, '{"mcpServers": {');
    await service.reload();
    const listed = (await api.servers()).map(({ name, entry }) => [name, entry]);
    expect(listed).toEqual([
      ['theirs', undefined],
      ['notes', undefined],
    ]);
  });

  it('lists the tools of agent sessions in one flat list, and says what the user consented to', async () => {
    const { api, service, folder, switches } = await open('trust');
    await harness.writeGlobal({ own: memory });
    await service.reload();
    const before = await api.servers();
    expect(before.map(({ name, folderTrust }) => [name, folderTrust])).toEqual([
      ['own', undefined],
      ['notes', { kind: 'none' }],
    ]);
    await reach(find(service, 'own'), 'connected');
    await api.requestTrust(folder.uri);
    await reach(find(service, 'notes'), 'connected');
    expect((await api.servers(folder.uri))[0]?.folderTrust).toMatchObject({ kind: 'folder' });

    // of each server its own nine and the one for its resources
    const tools = await api.agentTools(folder.uri);
    expect(tools).toHaveLength(20);
    expect(tools.find(({ name }) => name === 'notes__read_graph')).toEqual({
      name: 'notes__read_graph',
      poolId: folder.uri,
      server: 'notes',
      tool: 'read_graph',
      description: expect.stringContaining('graph'),
      inputSchema: expect.objectContaining({ type: 'object' }),
      exposure: 'direct',
    });
    expect((await api.agentTools()).map(({ server }) => server)).toEqual(Array(10).fill('own'));
    await switches.set({ folderUri: folder.uri, server: 'notes', tool: 'read_graph' }, 'off');
    expect(await api.agentTools(folder.uri)).toHaveLength(19);
    await expect(api.agentTools('file:///gone')).rejects.toMatchObject({ code: 'folder_unknown' });
  });

  it('hands nothing of its own to those who listen', async () => {
    const { api, service, folder } = await open('trust');
    const heard: (readonly unknown[])[] = [];
    api.onDidChange((...event: readonly unknown[]) => heard.push(event));
    await api.requestTrust(folder.uri);
    await reach(find(service, 'notes'), 'connected');
    expect(heard.length).toBeGreaterThan(0);
    expect(heard.flat().filter((event) => event !== undefined)).toEqual([]);
  });

  it('gives copies, so that what others do with them changes nothing here', async () => {
    const { api, service, folder } = await open('trust');
    await api.requestTrust(folder.uri);
    await reach(find(service, 'notes'), 'connected');
    const spoil = (value: unknown) => {
      Object.assign((value as { inputSchema: object }[])[0]?.inputSchema ?? {}, { type: 'spoilt' });
    };
    spoil(await api.agentTools(folder.uri));
    spoil(await api.tools(folder.uri, 'notes'));
    expect(JSON.stringify(await api.agentTools(folder.uri))).not.toContain('spoilt');
    expect(JSON.stringify(await api.tools(folder.uri, 'notes'))).not.toContain('spoilt');
  });

  it('announces which servers changed, and that tools did', async () => {
    const { api, service, folder, switches } = await open('trust');
    await api.servers();
    const seen: (readonly string[])[] = [];
    const listening = api.onDidChangeServers((servers) =>
      seen.push(servers.map(({ name }) => name)),
    );
    const next = () => onceEvent(api.onDidChangeServers);
    const added = next();
    await api.upsert(globalPoolId, 'docs', { url: 'http://127.0.0.1:9/mcp', enabled: false });
    await added;
    expect(seen.at(-1)).toEqual(['docs']);
    const removed = next();
    await api.remove(globalPoolId, 'docs');
    await removed;
    expect(seen.at(-1)).toEqual(['docs']);

    await api.requestTrust(folder.uri);
    await reach(find(service, 'notes'), 'connected');
    // the watch has looked once before it can tell a change
    const toolsChanged = onceEvent(api.onDidChangeTools);
    await api.agentTools(folder.uri);
    await switches.set({ folderUri: folder.uri, server: 'notes', tool: 'read_graph' }, 'off');
    await toolsChanged;
    listening.dispose();
    const heard = seen.length;
    const last = next();
    await api.revokeTrust(folder.uri);
    await last;
    expect(seen).toHaveLength(heard);
  });
});
