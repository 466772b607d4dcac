/** What a program that was given a gateway's token could do through the REST routes, and what no token is for. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkspaceFolder } from '../../src/config/definition.js';
import { Gateway } from '../../src/gateway/gateway.js';
import type { McpService } from '../../src/mcp/mcpApi.js';
import { CoreHarness, find, reach } from '../helpers/coreHarness.js';
import { projectOf, rest } from '../helpers/gateway/restClient.js';

const secret = 'canary-5f2c9e71-canary';

let core: CoreHarness;
let folder: WorkspaceFolder;
let service: McpService;
let gateway: Gateway;
/** Appears when a command has run. */
let canary: string;
let reported: unknown[];

beforeEach(async () => {
  core = await CoreHarness.create();
  canary = join(core.root, 'canary');
  await core.writeGlobal({
    kept: {
      command: 'node',
      args: ['server.js', '--api-key', secret],
      env: { API_TOKEN: secret },
      enabled: false,
    },
    remote: {
      url: `https://user:${secret}@example.invalid/mcp?token=${secret}`,
      headers: { Authorization: `Bearer ${secret}` },
      enabled: false,
    },
  });
  folder = await core.addFolder('project', { hostile: singing() });
  service = core.open();
  await service.whenStarted();
  reported = [];
  gateway = await Gateway.start({
    service,
    folderUri: folder.uri,
    version: '0.0.0',
    onError: (error) => reported.push(error),
  });
});

afterEach(async () => {
  await gateway.stop();
  await core.dispose();
});

function singing() {
  const script = `require('node:fs').writeFileSync(${JSON.stringify(canary)}, 'sings')`;
  return { command: process.execPath, args: ['-e', script] };
}

const changes: readonly (readonly [string, string, () => unknown])[] = [
  ['PUT', '/mcp/settings', () => ({ enabled: false })],
  ['PUT', '/mcp/servers/evil', singing],
  ['PUT', '/mcp/servers/kept', singing],
  ['DELETE', '/mcp/servers/kept', () => undefined],
  ['POST', '/mcp/servers/kept/probe', () => undefined],
];

describe('the use token', () => {
  it.each(changes)('cannot %s %s', async (method, path, body) => {
    const before = await core.readGlobal();
    const reply = await rest(gateway, method, path, { token: gateway.tokens.use, body: body() });
    expect([reply.status, reply.body.error]).toEqual([403, 'manage_token_required']);
    expect(await core.readGlobal()).toBe(before);
    expect(existsSync(canary)).toBe(false);
  });

  it.each([
    ['POST', 'none'],
    ['DELETE', 'folder'],
  ])('cannot %s trust, which stays "%s"', async (method, kind) => {
    if (kind === 'folder') {
      await service.trust.trustFolder(folder.uri);
    }
    const path = `/mcp/trust/${projectOf(folder.uri)}`;
    const reply = await rest(gateway, method, path, { token: gateway.tokens.use });
    expect([reply.status, reply.body.error]).toEqual([403, 'manage_token_required']);
    expect(service.trust.folderTrust(folder.uri).kind).toBe(kind);
  });

  it('learns nothing about what is there from a refusal', async () => {
    const [known, unknown] = await Promise.all(
      ['kept', 'none'].map((name) =>
        rest(gateway, 'DELETE', `/mcp/servers/${name}`, { token: gateway.tokens.use }),
      ),
    );
    expect(known).toEqual(unknown);
  });
});

describe('the control', () => {
  it('the manage token adds a server, whose command runs as one of the user', async () => {
    const reply = await rest(gateway, 'PUT', '/mcp/servers/own', { body: singing() });
    expect(reply).toEqual({ status: 200, body: { ok: true } });
    await rest(gateway, 'POST', '/mcp/servers/own/probe');
    expect(existsSync(canary)).toBe(true);
  });

  it('a person gives the consent that no token gives', async () => {
    await service.trust.trustFolder(folder.uri);
    await reach(find(service, 'hostile'), 'error');
    expect(existsSync(canary)).toBe(true);
  });
});

describe('consent', () => {
  it('is given by no token, whatever is sent', async () => {
    const path = `/mcp/trust/${projectOf(folder.uri)}`;
    for (const body of [undefined, { trusted: true }, { confirm: true, servers: ['hostile'] }]) {
      const reply = await rest(gateway, 'POST', path, { body });
      expect([reply.status, reply.body.error]).toEqual([409, 'mcp_consent_required']);
      expect(reply.body.message).toMatch(/person .* window/);
    }
    const project = projectOf(folder.uri);
    await rest(gateway, 'POST', `/mcp/servers/hostile/probe?projectId=${project}`);
    expect(service.trust.folderTrust(folder.uri)).toEqual({ kind: 'none' });
    expect(existsSync(canary)).toBe(false);
  });
});

describe('secrets', () => {
  it('are in no answer, to whichever token', async () => {
    const project = projectOf(folder.uri);
    const paths = ['/mcp/servers', `/mcp/servers?projectId=${project}`, '/openapi.json'];
    for (const token of [gateway.tokens.use, gateway.tokens.manage]) {
      for (const path of paths) {
        const reply = await rest(gateway, 'GET', path, { token });
        expect(reply.status).toBe(200);
        expect(JSON.stringify(reply.body)).not.toContain(secret);
      }
    }
    const refused = await rest(gateway, 'PUT', '/mcp/servers/kept', {
      body: { command: 5, env: { API_TOKEN: secret } },
    });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).not.toContain(secret);
  });
});

describe('a hostile body or name', () => {
  it.each(['__proto__', 'constructor', '..%2F..%2Fetc'])(
    'named %s changes nothing else',
    async (name) => {
      await rest(gateway, 'PUT', `/mcp/servers/${name}`, {
        body: { command: 'node', enabled: false },
      });
      expect(({} as Record<string, unknown>).command).toBeUndefined();
      expect(Object.keys(JSON.parse(await core.readGlobal()).mcpServers)).toEqual(
        expect.arrayContaining(['kept', 'remote']),
      );
      expect((await rest(gateway, 'GET', '/mcp/servers')).status).toBe(200);
    },
  );

  it('is refused when it is nested without end', async () => {
    const deep = `{"command":"node","args":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const reply = await rest(gateway, 'PUT', '/mcp/servers/deep', { body: deep });
    expect([reply.status, reply.body.error]).toEqual([400, 'mcp_invalid_config']);
    expect(reported).toEqual([]);
  });
});
