/** What servers may try with an account: nothing reaches who it was not meant for. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LoopbackPrompt } from '../../src/mcp/oauth/loopbackPrompt.js';
import { type RunningAuthServer, startAuthServer } from '../fixtures/servers/authServer.mjs';
import { accountId, useAccounts, whoami } from '../helpers/accounts/accountHarness.js';

const test = useAccounts();
let running: RunningAuthServer;
/** Another server, which nothing should reach. */
let stranger: Server;
let reached: IncomingHttpHeaders[];

beforeEach(async () => {
  running = await test.start(startAuthServer());
  reached = [];
  stranger = createServer(({ headers }, response) => {
    reached.push(headers);
    response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(stranger, 'listening');
});

afterEach(() => {
  stranger.closeAllConnections();
  stranger.close();
});

function strangersAddress(): string {
  return `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/mcp`;
}

describe('a redirect of a server that the user is signed in to', () => {
  it.each([307, 308])('within its origin is followed, with what was sent: %s', async (status) => {
    const { core, server } = await test.open(running);
    await core.accounts.signIn(accountId);
    running.auth.redirectTo = '/moved';
    running.auth.redirectStatus = status;
    expect(await whoami(server)).toBe('You are signed in.');
  });

  it.each([301, 302, 303, 307, 308])('to elsewhere takes no token along: %s', async (status) => {
    const { core, server } = await test.open(running);
    await core.accounts.signIn(accountId);
    running.auth.redirectTo = strangersAddress();
    running.auth.redirectStatus = status;
    await expect(whoami(server)).rejects.toMatchObject({ code: 'redirected' });
    expect(reached).toEqual([]);
  });

  it('in a circle ends', async () => {
    const { core, server } = await test.open(running);
    await core.accounts.signIn(accountId);
    running.auth.redirectTo = '/mcp';
    const before = running.auth.calls;
    await expect(whoami(server)).rejects.toMatchObject({ code: 'redirected' });
    expect(running.auth.calls - before).toBeLessThan(10);
  });
});

describe('what the entry of a server holds', () => {
  it('goes with every request to the server and with none to who authorizes', async () => {
    const { core, server } = await test.open(running, { headers: { 'X-Team': 'blue' } });
    await core.accounts.signIn(accountId);
    await whoami(server);
    const teams = new Map<string, Set<unknown>>();
    for (const [path, headers] of running.auth.visits) {
      teams.set(path, (teams.get(path) ?? new Set()).add(headers['x-team']));
    }
    expect(teams.get('/mcp')).toEqual(new Set(['blue']));
    teams.delete('/mcp');
    expect(teams.size).toBeGreaterThan(3);
    expect(new Set([...teams.values()].flatMap((values) => [...values]))).toEqual(
      new Set([undefined]),
    );
  });

  it('goes nowhere else when the older transport names another place', async () => {
    const legacy = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: ${strangersAddress()}\n\n`);
    }).listen(0, '127.0.0.1');
    await once(legacy, 'listening');
    const url = `http://127.0.0.1:${(legacy.address() as AddressInfo).port}/sse`;
    const { server } = await test.open(running, {
      url,
      transport: 'sse',
      headers: { 'X-Team': 'blue' },
    });
    await expect(whoami(server)).rejects.toThrow();
    expect(reached).toEqual([]);
    legacy.closeAllConnections();
    legacy.close();
  });
});

describe('a sign-in', () => {
  it('is refused when the metadata are of another issuer', async () => {
    running.auth.issuerInMetadata = 'https://elsewhere.example';
    const { core } = await test.open(running);
    await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({
      code: 'foreign_metadata',
      remedy: expect.stringContaining('oauth.skipIssuerMetadataValidation'),
    });
    expect([running.auth.pageVisits, running.auth.clients.size]).toEqual([0, 0]);
  });

  it('is refused when the metadata are without measure', async () => {
    running.auth.hasVastMetadata = true;
    const { core } = await test.open(running);
    await expect(core.accounts.signIn(accountId)).rejects.toThrow(/more than 1 MB/);
    expect([running.auth.pageVisits, running.auth.clients.size]).toEqual([0, 0]);
  });

  it('listens no longer once the browser has returned', async () => {
    const { core } = await test.open(running);
    await core.accounts.signIn(accountId);
    const [url = ''] = test.user.returns;
    expect(url).toContain('code=');
    await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  it('takes no return with another state, and listens no longer when it is cancelled', async () => {
    const cancellation = new AbortController();
    let redirectUrl = '';
    let status = 0;
    const prompt = new LoopbackPrompt({
      openUrl: async (url) => {
        redirectUrl = url.searchParams.get('redirect_uri') ?? '';
        ({ status } = await fetch(`${redirectUrl}?code=stolen&state=guessed`));
        cancellation.abort();
      },
    });
    const { core } = await test.open(running, {}, { authorizationPrompt: () => prompt });
    await expect(core.accounts.signIn(accountId, cancellation.signal)).rejects.toThrow();
    expect(status).toBe(400);
    expect(new URL(redirectUrl).hostname).toBe('127.0.0.1');
    await expect(fetch(redirectUrl)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    expect(running.auth.tokenRequests).toEqual([]);
  });
});
