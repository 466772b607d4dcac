/** A session that a remote server forgets: the next request opens a new one, and nothing is executed twice. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { McpServer } from '../../../src/mcp/mcpApi.js';
import {
  type MisbehavingServer,
  startMisbehavingServer,
} from '../../fixtures/servers/misbehaveHttp.mjs';
import { CoreHarness, find } from '../../helpers/coreHarness.js';
import { until } from '../../helpers/until.js';

let harness: CoreHarness;
let remote: MisbehavingServer;

beforeEach(async () => {
  harness = await CoreHarness.create();
  remote = await startMisbehavingServer();
});

afterEach(async () => {
  await harness.dispose();
  await remote.close();
});

async function open(path: string): Promise<McpServer> {
  await harness.writeGlobal({ remote: { url: remote.origin + path } });
  const core = harness.open();
  await core.whenStarted();
  const server = find(core, 'remote');
  await server.ensureConnected();
  return server;
}

async function echo(server: McpServer, message: string): Promise<unknown> {
  return (await server.callTool('echo', { message })).content[0]?.text;
}

describe.each(['/mcp', '/sse'])('a session at %s that the server forgot', (path) => {
  it('is replaced by a new one, in which the refused call is made once', async () => {
    const server = await open(path);
    expect(await echo(server, 'before')).toBe('before');
    remote.loseSessions();
    expect(await echo(server, 'after')).toBe('after');
    expect(remote.stats.calls).toBe(2);
    expect(server.activity.restarts).toBe(1);
  });

  it.each([
    ['which is not made again', false],
    ['also when the server claims that it may be made again', true],
  ])('costs a call that was under way, %s', async (_what, claims) => {
    remote.faults.claims = claims;
    const server = await open(path);
    expect(server.catalog.value.tools).toHaveLength(claims ? 2 : 1);
    const hanging = server.callTool('hang', {}).catch((error: unknown) => error);
    await until(() => remote.stats.calls === 1);
    remote.loseSessions();
    expect(await echo(server, 'after')).toBe('after');
    expect(await hanging).toMatchObject({ code: 'session_lost' });
    expect(remote.stats.calls).toBe(2);
  });

  it('is not opened without end when the server forgets every one', async () => {
    const server = await open(path);
    remote.faults.forgetsSessions = true;
    await expect(echo(server, 'never')).rejects.toMatchObject({ code: 'session_lost' });
    expect(remote.stats.calls).toBe(0);
    expect(remote.stats.initializes).toBeLessThan(6);
    remote.faults.forgetsSessions = false;
    expect(await echo(server, 'again')).toBe('again');
  });
});
