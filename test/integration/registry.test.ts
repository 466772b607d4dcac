import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RegistryClient } from '../../src/mcp/registry/registryClient.js';
import { registryEntries } from '../fixtures/registry/entries.mjs';
import { FakeClock } from '../helpers/fakes/fakeClock.js';
import { type RegistryServer, startRegistry } from '../helpers/registryServer.js';

let registry: RegistryServer;
let clock: FakeClock;

beforeEach(async () => {
  registry = await startRegistry();
  clock = new FakeClock();
});
afterEach(() => registry.close());

function clientOf(baseUrl = registry.url): RegistryClient {
  return new RegistryClient({ baseUrl, fetch, clock });
}

describe('a registry of servers', () => {
  it('lists the latest versions page by page, without what was deleted', async () => {
    const many = Array.from({ length: 70 }, (_, index) => ({
      server: { name: `a.b/server-${index}`, version: '1.0.0', description: '' },
    }));
    await registry.close();
    registry = await startRegistry(many);
    const client = clientOf();
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.list({ cursor });
      names.push(...page.servers.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(names).toEqual(many.map(({ server }) => server.name));
    expect(registry.requests).toEqual([
      '/v0.1/servers?version=latest&limit=30',
      '/v0.1/servers?version=latest&limit=30&cursor=30',
      '/v0.1/servers?version=latest&limit=30&cursor=60',
    ]);
  });

  it('reads every shape of entry, and leaves out what was deleted', async () => {
    const { servers } = await clientOf().list({});
    const all = registryEntries.map(({ server }) => server.name);
    expect(servers.map(({ name }) => name)).toEqual(
      all.filter((name) => name !== 'com.example/gone'),
    );
    expect(servers.find(({ name }) => name === 'io.github.example/snake')).toMatchObject({
      version: '0.1.0',
      website: 'https://snake.example/',
      packages: [{ registryType: 'npm', runtimeHint: 'npx' }],
      remotes: [{ type: 'sse' }],
    });
    expect(servers.find(({ name }) => name === 'com.example/old')).toMatchObject({
      status: 'deprecated',
      statusMessage: 'Use com.example/both instead.',
    });
  });

  it('searches, and asks the same once in an hour', async () => {
    const client = clientOf();
    const first = await client.list({ search: ' weather ' });
    expect(first.servers.map(({ name }) => name)).toEqual(['io.github.example/weather']);
    await client.list({ search: 'weather' });
    expect(registry.requests).toEqual(['/v0.1/servers?version=latest&limit=30&search=weather']);
    clock.advance(60 * 60 * 1000);
    await client.list({ search: 'weather' });
    expect(registry.requests).toHaveLength(2);
  });

  it('asks one after the other, and no faster than the registry bears', async () => {
    const client = clientOf();
    const searches = Array.from({ length: 6 }, (_, index) => client.list({ search: `s${index}` }));
    await Promise.all(searches.slice(0, 4));
    expect(registry.requests).toHaveLength(4);
    await expect.poll(() => clock.pending).toEqual([250]);
    expect(registry.requests).toHaveLength(4);
    clock.advance(1000);
    await searches[4];
    await expect.poll(() => clock.pending).toEqual([250]);
    clock.advance(1000);
    await searches[5];
    expect(registry.requests).toHaveLength(6);
  });

  it('finds one server by its name', async () => {
    const client = clientOf();
    const server = await client.latest('io.github.example/weather');
    expect(server.packages).toHaveLength(1);
    expect(registry.requests).toEqual([
      '/v0.1/servers/io.github.example%2Fweather/versions/latest',
    ]);
    await expect(client.latest('com.example/none')).rejects.toMatchObject({
      code: 'registry_server_unknown',
    });
  });

  it.each([
    [{ status: 429, body: '', headers: { 'retry-after': '7' } }, 'registry_busy', 7000],
    [{ status: 503, body: 'busy' }, 'registry_busy', undefined],
    [{ status: 404, body: '{"error":"no"}' }, 'registry_answer', undefined],
    [{ status: 200, body: '<html></html>' }, 'registry_answer', undefined],
    [{ status: 200, body: '{"servers": 3}' }, 'registry_answer', undefined],
    [
      { status: 302, body: '', headers: { location: 'https://elsewhere.example' } },
      'registry_answer',
      undefined,
    ],
  ])(
    'says what is wrong with the answer %j, and keeps nothing of it',
    async (reply, code, retryAfterMs) => {
      const client = clientOf();
      registry.next.push(reply);
      await expect(client.list({})).rejects.toMatchObject({ code, retryAfterMs });
      expect((await client.list({})).servers.length).toBeGreaterThan(20);
    },
  );

  it('leaves out what is no entry, and keeps the rest', async () => {
    const good = { server: { name: 'a.b/good', version: '1' } };
    const servers = [null, 3, {}, { server: { name: '../x', version: '1' } }, good];
    registry.next.push({ status: 200, body: JSON.stringify({ servers }) });
    const page = await clientOf().list({});
    expect(page.servers.map(({ name }) => name)).toEqual(['a.b/good']);
  });

  it('lets a slow registry be left, and asks for the next thing at once', async () => {
    const client = clientOf();
    const leaving = new AbortController();
    registry.next.push(undefined);
    const slow = client.list({ search: 'a' }, leaving.signal);
    await expect.poll(() => registry.requests.length).toBe(1);
    leaving.abort(new Error('left'));
    await expect(slow).rejects.toThrow('left');
    expect((await client.list({ search: 'notes' })).servers).toHaveLength(1);
  });

  it('says that nobody answers', async () => {
    const client = clientOf();
    await registry.close();
    await expect(client.list({})).rejects.toMatchObject({ code: 'registry_unreachable' });
  });

  it.each([
    '',
    'registry',
    'http://registry.example',
    'file:///etc/passwd',
    'https://a:b@c.example',
  ])('takes %j for no address', (baseUrl) => {
    expect(() => clientOf(baseUrl)).toThrow('is not the address of an MCP registry');
  });

  it.each([
    ['https://a.example', 'https://a.example/v0.1'],
    ['https://a.example/mcp/', 'https://a.example/mcp/v0.1'],
    ['https://a.example/v0', 'https://a.example/v0'],
  ])('reads %s as %s', (baseUrl, address) => {
    expect(clientOf(baseUrl).address).toBe(address);
  });
});
