/** The REST routes of a gateway, which are pi-forge's, over a whole core with real servers. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WorkspaceFolder } from '../../src/config/definition.js';
import { Gateway } from '../../src/gateway/gateway.js';
import type { McpService } from '../../src/mcp/mcpApi.js';
import { CoreHarness, filesystem, find, memory, pidOf } from '../helpers/coreHarness.js';
import { deadServer } from '../helpers/gateway/gatewayHarness.js';
import { projectOf, rest } from '../helpers/gateway/restClient.js';

const sentinel = '***REDACTED***';
const secret = 'hunter2-hunter2-hunter2';

let core: CoreHarness;
let folder: WorkspaceFolder;
let service: McpService;
let gateway: Gateway;

const forgeFile = () => join(core.root, 'forge', 'mcp.json');
const forgeServers = async () => JSON.parse(await readFile(forgeFile(), 'utf8')).mcpServers;

async function open(): Promise<void> {
  core = await CoreHarness.create();
  core.variables = { FORGE_DATA_DIR: dirname(forgeFile()) };
  await core.writeGlobal({
    memory: { ...memory, env: { MEMORY_KEY: secret }, description: 'notes' },
    off: { ...deadServer, enabled: false },
  });
  folder = await core.addFolder('project', { files: filesystem });
  service = await core.start();
  gateway = await Gateway.start({
    service,
    folderUri: folder.uri,
    version: '0.0.0',
    onError: () => undefined,
  });
}

async function close(): Promise<void> {
  await gateway.stop();
  await core.dispose();
}

function send(method: string, path: string, body?: unknown) {
  return rest(gateway, method, path, { body });
}

async function stored(): Promise<Record<string, Record<string, unknown>>> {
  return JSON.parse(await core.readGlobal()).mcpServers;
}

describe('what changes nothing', () => {
  beforeAll(open);
  afterAll(close);

  describe('settings', () => {
    it('tell the switch, the servers of the user and the length of results', async () => {
      const reply = await rest(gateway, 'GET', '/mcp/settings', { token: gateway.tokens.use });
      expect(reply).toEqual({
        status: 200,
        body: {
          enabled: true,
          connected: 1,
          total: 2,
          truncation: { enabled: true, maxChars: 30_000 },
        },
      });
    });

    it.each([
      ['nothing', {}],
      ['something else', { enabled: true, yolo: true }],
      ['a switch that is a text', { enabled: 'false' }],
      ['a length that is too small', { truncation: { maxChars: 0 } }],
      ['something else about the length', { truncation: { max: 1 } }],
      ['no object', '[]'],
      ['no JSON', '{'],
    ])('refuse %s and stay as they are', async (_what, body) => {
      const before = await core.readGlobal();
      const reply = await send('PUT', '/mcp/settings', body);
      expect([reply.status, reply.body.error]).toEqual([400, 'mcp_invalid_config']);
      expect(await core.readGlobal()).toBe(before);
    });
  });

  describe('servers', () => {
    it('are those of the user, redacted, with the state of each', async () => {
      const { status, body } = await send('GET', '/mcp/servers');
      expect(status).toBe(200);
      expect(body.servers).toMatchObject({
        memory: { command: memory.command, env: { MEMORY_KEY: sentinel } },
      });
      expect(body.status).toMatchObject([
        { scope: 'global', name: 'memory', kind: 'stdio', enabled: true, state: 'connected' },
        { scope: 'global', name: 'off', kind: 'stdio', enabled: false, state: 'disabled' },
      ]);
      expect(body).not.toHaveProperty('stdioTrust');
      expect(JSON.stringify(body)).not.toContain(secret);
    });

    it('have those of the project beside them when it is named', async () => {
      const { body } = await send('GET', `/mcp/servers?projectId=${projectOf(folder.uri)}`);
      expect(body.stdioTrust).toEqual({ trusted: false });
      expect(body.status).toContainEqual(
        expect.objectContaining({
          scope: 'project',
          projectId: folder.uri,
          name: 'files',
          state: 'trust_required',
          lastError: expect.any(String),
        }),
      );
      expect(body.servers).not.toHaveProperty('files');
    });

    it('of an unknown project are not there, and nothing is said about its trust', async () => {
      const { status, body } = await send('GET', '/mcp/servers?projectId=file:///elsewhere');
      expect([status, 'stdioTrust' in body]).toEqual([200, false]);
    });

    it.each([
      ['an entry without a launch', 'new', {}],
      ['a command that is no text', 'new', { command: 1 }],
      ['a switch that is a text', 'new', { command: 'node', enabled: 'false' }],
      ['an address that is none', 'new', { url: 'not a url' }],
      ['a sentinel that stands for nothing', 'new', { command: 'node', env: { A: sentinel } }],
      ['a name that is too long', 'n'.repeat(65), memory],
      ['a name that is blank', '%20', memory],
      ['no object', 'new', '[]'],
    ])('refuse %s', async (_what, name, body) => {
      const before = await core.readGlobal();
      const reply = await send('PUT', `/mcp/servers/${name}`, body);
      expect([reply.status, reply.body.error]).toEqual([400, 'mcp_invalid_config']);
      expect(reply.body.message).toEqual(expect.any(String));
      expect(await core.readGlobal()).toBe(before);
    });
  });

  describe('a probe', () => {
    it('says which of server and project is not there', async () => {
      const server = await send('POST', '/mcp/servers/none/probe');
      expect([server.status, server.body.error]).toEqual([404, 'mcp_server_not_found']);
      const project = await send('POST', '/mcp/servers/files/probe?projectId=none');
      expect([project.status, project.body.error]).toEqual([404, 'project_not_found']);
    });
  });

  describe('tools', () => {
    it('are those that clients may call', async () => {
      const path = `/mcp/tools?projectId=${projectOf(folder.uri)}`;
      const { status, body } = await send('GET', path);
      expect(status).toBe(200);
      const listed = body.tools as readonly { name: string; description: string }[];
      expect(listed).toContainEqual({
        name: 'memory__read_graph',
        description: expect.stringContaining('graph'),
      });
      expect(listed.some(({ name }) => name.startsWith('files__'))).toBe(false);
    });

    it('need a project, which must be the one of the gateway', async () => {
      const none = await send('GET', '/mcp/tools');
      expect([none.status, none.body.error]).toEqual([400, 'mcp_invalid_config']);
      const other = await send('GET', '/mcp/tools?projectId=file:///elsewhere');
      expect([other.status, other.body.error]).toEqual([404, 'project_not_found']);
    });
  });

  describe('trust', () => {
    it('of another project than the one of the gateway is not there', async () => {
      for (const method of ['POST', 'DELETE']) {
        const reply = await send(method, '/mcp/trust/file%3A%2F%2F%2Felsewhere');
        expect([reply.status, reply.body.error]).toEqual([404, 'project_not_found']);
      }
    });
  });

  describe('the OpenAPI document', () => {
    it('describes what is served, and every reference in it leads somewhere', async () => {
      const { status, body } = await send('GET', '/openapi.json');
      expect([status, body.openapi]).toEqual([200, '3.1.0']);
      const paths = body.paths as Record<string, Record<string, unknown>>;
      const served = Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      );
      expect(served).toEqual([
        'GET /openapi.json',
        'GET /mcp/settings',
        'PUT /mcp/settings',
        'GET /mcp/servers',
        'PUT /mcp/servers/{name}',
        'DELETE /mcp/servers/{name}',
        'POST /mcp/servers/{name}/probe',
        'POST /mcp/servers/{name}/start',
        'POST /mcp/servers/{name}/stop',
        'GET /events',
        'GET /mcp/tools',
        'POST /mcp/trust/{projectId}',
        'DELETE /mcp/trust/{projectId}',
      ]);
      const { schemas } = body.components as { schemas: Record<string, unknown> };
      const references = [...JSON.stringify(body).matchAll(/#\/components\/schemas\/(\w+)/g)];
      for (const [, name = ''] of references) {
        expect(schemas).toHaveProperty(name);
      }
      expect(JSON.stringify(body)).not.toContain(secret);
    });

    it('leaves out nothing: other addresses and methods are refused', async () => {
      expect((await send('GET', '/mcp/none')).status).toBe(404);
      expect((await send('GET', '/mcp/servers/%E0%A4%A')).status).toBe(404);
      expect((await send('PUT', '/mcp/tools', {})).status).toBe(405);
    });
  });
});

describe('what changes something', () => {
  beforeEach(open);
  afterEach(close);

  describe('settings', () => {
    it('change in the file of the user, one by one', async () => {
      const shorter = await send('PUT', '/mcp/settings', { truncation: { maxChars: 500 } });
      expect(shorter.body).toMatchObject({ truncation: { enabled: true, maxChars: 500 } });
      const off = await send('PUT', '/mcp/settings', {
        enabled: false,
        truncation: { enabled: false },
      });
      expect(off.body).toMatchObject({
        enabled: false,
        truncation: { enabled: false, maxChars: 500 },
      });
      expect(JSON.parse(await core.readGlobal())).toMatchObject({ disabled: true });
      expect((await send('PUT', '/mcp/settings', { enabled: true })).body.enabled).toBe(true);
    });
  });

  describe('servers', () => {
    it.each([
      ['in one', { command: ['node', '-e', '0'] }, { command: 'node', args: ['-e', '0'] }],
      ['with more behind', { command: ['node'], args: ['x'] }, { command: 'node', args: ['x'] }],
    ])('tell program and arguments that are written %s', async (_how, entry, told) => {
      await core.writeGlobal({ whole: { ...entry, enabled: false } });
      await service.reload();
      const { body } = await send('GET', '/mcp/servers');
      expect(body.status).toMatchObject([{ name: 'whole', ...told }]);
    });

    it('are added, and run', async () => {
      expect(await send('PUT', '/mcp/servers/my%20notes', memory)).toEqual({
        status: 200,
        body: { ok: true },
      });
      expect(await stored()).toMatchObject({ 'my notes': memory });
      const probed = await send('POST', '/mcp/servers/my%20notes/probe');
      expect(probed.body.status).toMatchObject({ name: 'my notes', state: 'connected' });
    });

    it('are replaced: secrets that are sent back stay, what the form leaves out goes, the rest stays', async () => {
      const reply = await send('PUT', '/mcp/servers/memory', {
        ...memory,
        env: { MEMORY_KEY: sentinel, LEVEL: 'debug' },
      });
      expect(reply.status).toBe(200);
      expect((await stored()).memory).toEqual({
        ...memory,
        env: { MEMORY_KEY: secret, LEVEL: 'debug' },
        description: 'notes',
      });
      await send('PUT', '/mcp/servers/memory', memory);
      expect((await stored()).memory).toEqual({ ...memory, description: 'notes' });
    });

    it('are all there when many are added at once', async () => {
      const names = Array.from({ length: 8 }, (_one, index) => `many${index}`);
      const entry = { ...deadServer, enabled: false };
      const replies = await Promise.all(
        names.map((name) => send('PUT', `/mcp/servers/${name}`, entry)),
      );
      expect(replies.map(({ status }) => status)).toEqual(names.map(() => 200));
      expect(Object.keys(await stored())).toEqual(expect.arrayContaining(names));
    });

    it('are not written into a file with a syntax error', async () => {
      await service.configuration.addServer('global', 'last', deadServer);
      const broken = `${await core.readGlobal()} {`;
      await core.writeGlobal(broken);
      const reply = await send('PUT', '/mcp/servers/new', memory);
      expect([reply.status, reply.body.error]).toEqual([400, 'mcp_invalid_config']);
      expect(await core.readGlobal()).toBe(broken);
    });

    it('are removed from the file of the user alone', async () => {
      expect(await send('DELETE', '/mcp/servers/off')).toEqual({
        status: 200,
        body: { removed: true },
      });
      expect(Object.keys(await stored())).toEqual(['memory']);
      for (const name of ['off', 'files']) {
        expect(await send('DELETE', `/mcp/servers/${name}`)).toMatchObject({
          status: 404,
          body: { error: 'mcp_server_not_found' },
        });
      }
      expect(find(service, 'files').definition.name).toBe('files');
    });
  });

  describe('a server that pi-forge keeps', () => {
    const entry = { ...deadServer, env: { KEY: secret }, enabled: false };

    beforeEach(async () => {
      await mkdir(dirname(forgeFile()));
      await writeFile(forgeFile(), JSON.stringify({ mcpServers: { kept: entry, memory: entry } }));
      await service.reload();
    });

    it('is changed and removed in the file of pi-forge', async () => {
      const before = await core.readGlobal();
      const changed = { ...deadServer, env: { KEY: sentinel, LEVEL: 'debug' }, enabled: false };
      expect((await send('PUT', '/mcp/servers/kept', changed)).status).toBe(200);
      expect((await forgeServers()).kept).toEqual({
        ...entry,
        env: { KEY: secret, LEVEL: 'debug' },
      });
      expect((await send('DELETE', '/mcp/servers/kept')).body).toEqual({ removed: true });
      expect(Object.keys(await forgeServers())).toEqual(['memory']);
      expect(await core.readGlobal()).toBe(before);
    });

    it('comes back when the one that hides it is removed', async () => {
      expect((await send('DELETE', '/mcp/servers/memory')).body).toEqual({ removed: true });
      expect(await stored()).not.toHaveProperty('memory');
      const { body } = await send('GET', '/mcp/servers');
      expect(body.servers).toMatchObject({ memory: { enabled: false } });
    });
  });

  describe('a probe', () => {
    it('connects afresh, unless the server is switched off or waits for consent', async () => {
      const before = pidOf(find(service, 'memory'));
      const { body } = await send('POST', '/mcp/servers/memory/probe');
      expect(body.status).toMatchObject({ state: 'connected', toolCount: expect.any(Number) });
      expect(pidOf(find(service, 'memory'))).not.toBe(before);
      const off = await send('POST', '/mcp/servers/off/probe');
      expect(off.body.status).toMatchObject({ state: 'disabled', toolCount: 0 });
      const project = projectOf(folder.uri);
      const files = await send('POST', `/mcp/servers/files/probe?projectId=${project}`);
      expect(files.body.status).toMatchObject({ state: 'trust_required', toolCount: 0 });
    });
  });

  describe('tools', () => {
    it('of servers that cannot be asked are an error, never an empty list', async () => {
      await send('PUT', '/mcp/servers/dead', deadServer);
      await send('DELETE', '/mcp/servers/memory');
      const reply = await send('GET', `/mcp/tools?projectId=${projectOf(folder.uri)}`);
      expect([reply.status, reply.body.error]).toEqual([502, 'mcp_unreachable']);
    });
  });

  describe('trust', () => {
    it('is told once a person has given it, and withdrawn, which ends what was lent', async () => {
      await service.trust.trustFolder(folder.uri);
      await service.whenStarted();
      const path = `/mcp/trust/${projectOf(folder.uri)}`;
      const told = await send('POST', path);
      expect([told.status, told.body.trusted]).toEqual([200, true]);
      const ended = new Promise((resolve) => gateway.onDidEnd(resolve));
      expect(await send('DELETE', path)).toEqual({ status: 200, body: { trusted: false } });
      expect(await ended).toBe('revoked');
      expect(service.trust.folderTrust(folder.uri)).toEqual({ kind: 'none' });
    });
  });
});
