/** How long a real server says that its lists are good, and for whom: `ttlMs` and `cacheScope`. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { McpServer } from '../../src/mcp/mcpApi.js';
import { HintingServer } from '../fixtures/servers/hintingServer.js';
import { CoreHarness, find } from '../helpers/coreHarness.js';
import { createAgentHarness } from '../helpers/fakes/agentHarness.js';
import { FakeClock } from '../helpers/fakes/fakeClock.js';
import { GatewayHarness } from '../helpers/gateway/gatewayHarness.js';

let server: HintingServer;
let core: CoreHarness;
let clock: FakeClock;

beforeEach(async () => {
  server = await HintingServer.start();
  core = await CoreHarness.create();
  clock = new FakeClock();
});

afterEach(async () => {
  await core.dispose();
  await server.close();
});

async function connect(): Promise<McpServer> {
  const entry = { url: server.url, protocolVersion: '2026-07-28', definitions: 'accept' };
  await core.writeGlobal({ hinting: entry });
  const service = core.open(undefined, { clock });
  await service.whenStarted();
  const found = find(service, 'hinting');
  await found.ensureConnected();
  return found;
}

const names = ({ catalog }: McpServer) => catalog.value.tools.map(({ name }) => name);

describe('a list that is good for a while', () => {
  beforeEach(() => {
    server.hints = { 'tools/list': { ttlMs: 60_000 }, 'prompts/list': { ttlMs: 600_000 } };
  });

  it('is read again when it is used after that, and by nothing else', async () => {
    const used = await connect();
    server.tools = ['second'];
    clock.advance(59_000);
    await used.refreshLists();
    expect([names(used), server.count('tools/list')]).toEqual([['first'], 1]);
    clock.advance(500_000);
    expect(server.count('tools/list')).toBe(1);
    await used.refreshLists();
    expect([names(used), server.count('tools/list')]).toEqual([['second'], 2]);
    expect(server.count('prompts/list')).toBe(1);
  });

  it('is not read by a server that is not connected, which reads it when it is', async () => {
    const used = await connect();
    await used.stop();
    clock.advance(120_000);
    await used.refreshLists();
    expect([used.state.value.kind, server.count('tools/list')]).toEqual(['idle', 1]);
    await used.ensureConnected();
    expect(server.count('tools/list')).toBe(2);
  });
});

it('is read again for a client of the gateway that lists it, before that is answered', async () => {
  server.hints = { 'tools/list': { ttlMs: 1 } };
  server.tools = ['first', 'second'];
  const entry = { url: server.url, protocolVersion: '2026-07-28' };
  const harness = await GatewayHarness.create({ hinting: entry });
  try {
    const client = await harness.connect(await harness.start(), 'hinting');
    const listed = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(await listed()).toEqual(['first', 'second']);
    server.tools = ['second'];
    await expect.poll(listed).toEqual(['second']);
  } finally {
    await harness.dispose();
  }
});

it('is read again for a message to the agent, before the model is asked', async () => {
  server.hints = { 'tools/list': { ttlMs: 60_000 } };
  await connect();
  const [service] = core.opened;
  const agent = await createAgentHarness(service ? { service } : {});
  // a busy machine may need longer than a message waits
  const limits = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
  try {
    server.tools = ['second'];
    clock.advance(61_000);
    await agent.say('hello');
    const offers = agent.demo.requests.map(({ tools }) => JSON.stringify(tools));
    expect(offers[0]).toContain('hinting__second');
    expect(offers[0]).not.toContain('hinting__first');
  } finally {
    limits.mockRestore();
    await agent.dispose();
  }
});

describe('a list that is for one account alone', () => {
  const stored = () => readdir(join(core.storageDir, 'catalogs')).catch(() => []);

  it.each(['private', 'public'] as const)(
    '(%s) is remembered beyond its account only where the server lets it',
    async (cacheScope) => {
      const hint = { ttlMs: 60_000, cacheScope };
      const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
      server.hints = Object.fromEntries(lists.map((method) => [method, hint]));
      const used = await connect();
      const [service] = core.opened;
      await service?.accounts.signOut(used.id);
      const left = cacheScope === 'private' ? [] : ['first'];
      expect(names(used)).toEqual(left);
      await core.closeAll();
      expect(await stored()).toHaveLength(left.length);
    },
  );

  it('is remembered as long as the account is the same', async () => {
    server.hints = { 'tools/list': { cacheScope: 'private' } };
    const used = await connect();
    await used.stop();
    expect(names(used)).toEqual(['first']);
    await core.closeAll();
    expect(await stored()).toHaveLength(1);
  });
});
