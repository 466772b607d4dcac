/** What a gateway shows of its own API, and what it tells of servers as it happens. */
import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkspaceFolder } from '../../src/config/definition.js';
import { Gateway } from '../../src/gateway/gateway.js';
import type { McpService } from '../../src/mcp/mcpApi.js';
import { CoreHarness, find, isAlive, memory, pidOf, reach } from '../helpers/coreHarness.js';
import { projectOf, rest } from '../helpers/gateway/restClient.js';

let core: CoreHarness;
let folder: WorkspaceFolder;
let service: McpService;
let gateway: Gateway;

beforeEach(async () => {
  core = await CoreHarness.create();
  await core.writeGlobal({ memory: { ...memory, env: { KEY: 'hunter2-hunter2-hunter2' } } });
  folder = await core.addFolder('<b>project', { own: memory });
  service = await core.start();
  gateway = await Gateway.start({
    service,
    folderUri: folder.uri,
    version: '0.0.0',
    onError: () => undefined,
  });
});

afterEach(async () => {
  await gateway.stop();
  await core.dispose();
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

function open(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: gateway.port, path, headers }, resolve).on('error', reject);
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  return Buffer.concat(await response.toArray()).toString('utf8');
}

describe('the page of the API', () => {
  const basic = (token: string) => ({ authorization: `Basic ${base64(`anybody:${token}`)}` });

  it('shows every route of the document, runs nothing and loads nothing', async () => {
    const [page, same] = await Promise.all(
      ['/api/docs', '/api/v1/docs'].map((path) => open(path, basic(gateway.tokens.use))),
    );
    if (!page || !same) {
      throw new Error('no page');
    }
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'unsafe-inline'",
    );
    const html = await textOf(page);
    expect(await textOf(same)).toBe(html);
    const { body } = await rest(gateway, 'GET', '/openapi.json');
    for (const [path, methods] of Object.entries(body.paths as Record<string, object>)) {
      for (const method of Object.keys(methods)) {
        expect(html).toContain(`${method.toUpperCase()} <code>/api/v1${path}</code>`);
      }
    }
    expect(html).not.toMatch(/<script|<img|<link|src=|href="http|<b>project/);
    expect(html).toContain('%3Cb%3Eproject');
  });

  it('is all that a password opens, and no page of another place reads it', async () => {
    const password = basic(gateway.tokens.manage);
    expect((await open('/api/v1/mcp/servers', password)).statusCode).toBe(401);
    expect((await open('/mcp', password)).statusCode).toBe(401);
    expect(
      (await open('/api/docs', { ...password, 'sec-fetch-site': 'cross-site' })).statusCode,
    ).toBe(403);
  });
});

/** The events of a stream, as they come. */
async function* eventsOf(response: IncomingMessage) {
  let rest = '';
  for await (const chunk of response.setEncoding('utf8')) {
    rest += chunk;
    const parts = rest.split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts.filter((one) => one.startsWith('event: '))) {
      const [event = '', data = ''] = part.split('\n');
      yield { event: event.slice(7), data: JSON.parse(data.slice(6)) };
    }
  }
}

describe('events', () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it('tell the state of all at first, and of each that changes or goes', async () => {
    const response = await open('/api/v1/events', bearer(gateway.tokens.use));
    expect(response.headers['content-type']).toBe('text/event-stream');
    const events = eventsOf(response);
    const next = async () => (await events.next()).value;
    expect(await next()).toEqual({
      event: 'status',
      data: {
        status: [
          expect.objectContaining({ scope: 'global', name: 'memory', state: 'connected' }),
          expect.objectContaining({ scope: 'project', name: 'own', state: 'trust_required' }),
        ],
      },
    });
    await find(service, 'memory').stop();
    expect(await next()).toEqual({
      event: 'status',
      data: { status: [expect.objectContaining({ name: 'memory', state: 'idle' })] },
    });
    await core.writeGlobal({});
    await service.reload();
    expect(await next()).toEqual({
      event: 'removed',
      data: { servers: [{ scope: 'global', name: 'memory' }] },
    });
    await gateway.stop();
    expect((await events.next()).done).toBe(true);
  });

  it('need a token, and a place that others leave', async () => {
    expect((await open('/api/v1/events')).statusCode).toBe(401);
    const all = await Promise.all(
      Array.from({ length: 17 }, () => open('/api/v1/events', bearer(gateway.tokens.use))),
    );
    expect(all.map(({ statusCode }) => statusCode).toSorted()).toEqual([
      ...Array.from({ length: 16 }, () => 200),
      503,
    ]);
    const left = all.find(({ statusCode }) => statusCode === 200);
    left?.destroy();
    await expect
      .poll(async () => {
        const again = await open('/api/v1/events', bearer(gateway.tokens.use));
        return again.statusCode;
      })
      .toBe(200);
  });
});

describe('start and stop', () => {
  it('of a server are for whoever has the manage token', async () => {
    const server = find(service, 'memory');
    const pid = pidOf(server);
    const { use: token } = gateway.tokens;
    expect((await rest(gateway, 'POST', '/mcp/servers/memory/stop', { token })).status).toBe(403);
    const stopped = await rest(gateway, 'POST', '/mcp/servers/memory/stop');
    expect(stopped.body.status).toMatchObject({ name: 'memory', state: 'idle' });
    expect(isAlive(pid)).toBe(false);
    const started = await rest(gateway, 'POST', '/mcp/servers/memory/start');
    expect(started.body.status).toMatchObject({ state: 'connected' });
    const running = pidOf(server);
    // one that runs is left alone
    await rest(gateway, 'POST', '/mcp/servers/memory/start');
    expect(pidOf(server)).toBe(running);
  });

  it('start nothing without consent, and say so', async () => {
    const query = `projectId=${projectOf(folder.uri)}`;
    const { status, body } = await rest(gateway, 'POST', `/mcp/servers/own/start?${query}`);
    expect([status, body.status]).toEqual([
      200,
      expect.objectContaining({ state: 'trust_required' }),
    ]);
    expect((await rest(gateway, 'POST', '/mcp/servers/none/start')).status).toBe(404);
    await reach(find(service, 'own'), 'trust_required');
  });
});
