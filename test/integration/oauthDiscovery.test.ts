/** Which authorization server a sign-in goes to, and what is said when it goes nowhere. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningAuthServer, startAuthServer } from '../fixtures/servers/authServer.mjs';
import { accountId, useAccounts, whoami } from '../helpers/accounts/accountHarness.js';

const test = useAccounts();
let running: RunningAuthServer;
/** An authorization server that answers with errors only. */
let broken: Server;
let brokenAddress: string;
let deadAddress: string;
let visits: number;

beforeEach(async () => {
  running = await test.start(startAuthServer());
  visits = 0;
  const dead = await startAuthServer();
  deadAddress = dead.local;
  await dead.close();
  broken = createServer((_request, response) => {
    visits++;
    response.writeHead(500).end();
  }).listen(0, '127.0.0.1');
  await once(broken, 'listening');
  brokenAddress = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
});

afterEach(() => {
  broken.close();
});

describe('among several authorization servers', () => {
  it('the next one is asked when one is dead and one is broken', async () => {
    running.auth.authorizationServers = [deadAddress, brokenAddress, running.local];
    const { core, server } = await test.open(running);
    await core.accounts.signIn(accountId);
    expect(await whoami(server)).toBe('You are signed in.');
    expect(visits).toBeGreaterThan(0);
  });

  it('"oauth.issuer" chooses, and nobody else hears of it', async () => {
    running.auth.authorizationServers = [brokenAddress, running.local];
    const { core, server } = await test.open(running, { oauth: { issuer: running.local } });
    await core.accounts.signIn(accountId);
    expect(await whoami(server)).toBe('You are signed in.');
    expect(visits).toBe(0);
  });

  it('"oauth.issuer" must be one of them', async () => {
    const { core } = await test.open(running, { oauth: { issuer: 'https://elsewhere.example' } });
    await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({
      code: 'foreign_issuer',
      message: expect.stringContaining(running.local),
      remedy: expect.stringContaining('oauth.issuer'),
    });
    expect(running.auth.clients.size).toBe(0);
  });

  it('each is named when none can be used', async () => {
    running.auth.authorizationServers = [deadAddress, brokenAddress];
    const { core } = await test.open(running);
    const error = await core.accounts.signIn(accountId).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'no_authorization_server' });
    expect(String(error)).toMatch(
      new RegExp(`${deadAddress}: ECONNREFUSED.*${brokenAddress}: .*500`),
    );
  });

  it('the one that gave the tokens renews them, although another is named first by now', async () => {
    const { core, server } = await test.open(running);
    await core.accounts.signIn(accountId);
    running.auth.authorizationServers = [brokenAddress, running.local];
    running.auth.expireAccessTokens();
    expect(await whoami(server)).toBe('You are signed in.');
    expect([visits, running.auth.pageVisits]).toEqual([0, 1]);
  });
});

describe('a sign-in that ends says', () => {
  it('that the user refused, although the answer does not say where it is from', async () => {
    running.auth.lacksIssuerOnDenial = true;
    test.user.decision = 'deny';
    const { core } = await test.open(running);
    await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({
      code: 'sign_in_refused',
    });
  });

  it('that no setting helps when the answer is from elsewhere', async () => {
    running.auth.issuerOnReturn = 'https://elsewhere.example';
    const { core } = await test.open(running);
    await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({
      code: 'foreign_return',
      message: expect.stringContaining('https://elsewhere.example'),
      remedy: 'Ask the operator of the server.',
    });
    expect(running.auth.tokenRequests).toEqual([]);
  });
});

describe('a port of this machine that the browser returns to', () => {
  const portOf = (server: Server) => (server.address() as AddressInfo).port;

  it('is the one of the entry', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const callbackPort = portOf(free);
    free.close();
    await once(free, 'close');
    const { core } = await test.open(running, { oauth: { callbackPort } });
    await core.accounts.signIn(accountId);
    expect(test.user.returns[0]).toContain(`http://localhost:${callbackPort}/callback?`);
  });

  it('is named when another program uses it', async () => {
    const callbackPort = portOf(broken);
    const { core } = await test.open(running, { oauth: { callbackPort } });
    await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({
      code: 'callback_port',
      message: expect.stringMatching(new RegExp(`port ${callbackPort}: EADDRINUSE`)),
    });
    expect(running.auth.clients.size).toBe(0);
  });
});

describe('a password in an address', () => {
  const password = 'pass-in-address';
  const withPassword = (address: string) => address.replace('://', `://user:${password}@`);

  it('of an entry stands in no sentence, which says where it belongs', async () => {
    const { core, server } = await test.open(running, { url: withPassword(running.url) });
    const error = await core.accounts.signIn(accountId).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'credentials_in_address',
      remedy: expect.stringContaining('as a header'),
    });
    expect(server.state.value).toMatchObject({ failure: { code: 'credentials_in_address' } });
    expect(JSON.stringify([String(error), server.state.value])).not.toContain(password);
  });

  it('of an authorization server stands in no sentence', async () => {
    running.auth.authorizationServers = [withPassword(running.local)];
    const { core } = await test.open(running);
    const error = await core.accounts.signIn(accountId).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'credentials_in_address' });
    expect(String(error)).not.toContain(password);
  });

  it('of metadata is sent nowhere, which nothing depends on', async () => {
    running.auth.resourceMetadata = withPassword(`${running.local}/metadata`);
    const { core, server } = await test.open(running);
    await core.accounts.signIn(accountId);
    expect(await whoami(server)).toBe('You are signed in.');
    expect(running.auth.visits.map(([path]) => path)).not.toContain('/metadata');
  });
});
