/** Servers with certificates of a company's own authority, from the first page to the last refresh. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { insecureFetch } from '../../src/mcp/connection/http/insecureFetch.js';
import { type Certificate, createAuthority } from '../fixtures/certificate.js';
import { accountId, useAccounts, whoami } from '../helpers/accounts/accountHarness.js';
import { type AccountServer, tokenRequests } from '../helpers/accounts/accountServer.js';
import { startOidcServer } from '../helpers/accounts/oidcServer.js';
import { startSdkServer } from '../helpers/accounts/sdkServer.js';
import { useCommandProcess } from '../helpers/commandLine.js';

const test = useAccounts();
const cli = useCommandProcess();
const known = getCACertificates();
const flow = ['authorization_code 200', 'refresh_token 200'];
let authority: Awaited<ReturnType<typeof createAuthority>>;

beforeAll(async () => {
  authority = await createAuthority();
});
afterEach(() => setDefaultCACertificates(known));

/** As an editor does that reads the certificates of its system. */
function trustAuthority(): void {
  setDefaultCACertificates([...known, authority.ca]);
}

type Start = (options: { readonly certificate: Certificate }) => Promise<AccountServer>;
const starts: readonly (readonly [name: string, start: Start])[] = [
  ['oidc-provider', startOidcServer],
  ["the SDK's router", startSdkServer],
];

describe.each(starts)('%s', (_name, start) => {
  it('is signed in to, refreshed and left where the authority is known', async () => {
    trustAuthority();
    const server = await test.start(start({ certificate: authority.leaf }));
    expect(server.url).toMatch(/^https:/);
    const { core, server: account } = await test.openSignedIn(server);
    expect(await whoami(account)).toBe('whoami');
    server.expireAccessTokens();
    expect(await whoami(account)).toBe('whoami');
    await core.accounts.signOut(accountId);
    expect(tokenRequests(server)).toEqual(flow);
    const statuses = server.wire.to(server.paths.revoke).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('is reached by nobody where the authority is unknown, and said to be', async () => {
    const server = await test.start(start({ certificate: authority.leaf }));
    const { core, server: account } = await test.open(server);
    expect(account.state.value).toMatchObject({ kind: 'error', failure: { code: 'certificate' } });
    await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({ code: 'certificate' });
    expect(server.wire.exchanges).toEqual([]);
  });

  it('is used with an account where the entry ignores certificates', async () => {
    test.user.fetch = insecureFetch;
    const server = await test.start(start({ certificate: authority.leaf }));
    const entry = { ignoreCertificateErrors: true };
    const { server: account } = await test.openSignedIn(server, entry);
    expect(await whoami(account)).toBe('whoami');
    server.expireAccessTokens();
    expect(await whoami(account)).toBe('whoami');
    expect(tokenRequests(server)).toEqual(flow);
  });
});

it('says so when only the authorization server has a certificate of an unknown authority', async () => {
  const server = await test.start(startOidcServer({ issuerCertificate: authority.leaf }));
  const { core } = await test.open(server);
  await expect(core.accounts.signIn(accountId)).rejects.toMatchObject({
    code: 'certificate',
    message: expect.stringContaining(new URL(server.issuer).host),
    remedy: expect.stringContaining('certificate authority'),
  });
});

it('keeps the account when the authority is not known for a while', async () => {
  trustAuthority();
  const server = await test.start(startOidcServer({ issuerCertificate: authority.leaf }));
  const { core, server: account } = await test.openSignedIn(server);
  expect(await whoami(account)).toBe('whoami');
  setDefaultCACertificates(known);
  server.wire.dropConnections();
  server.expireAccessTokens();
  await expect(whoami(account)).rejects.toThrow();
  expect(core.accounts.stored(accountId).hasTokens).toBe(true);
  trustAuthority();
  expect(await whoami(account)).toBe('whoami');
  expect(tokenRequests(server)).toEqual(flow);
});

it('is signed in to from the command line with NODE_EXTRA_CA_CERTS', async () => {
  const server = await test.start(startOidcServer({ certificate: authority.leaf }));
  await test.cores.writeGlobal({ account: { url: server.url } });
  const file = join(test.cores.root, 'authority.pem');
  await writeFile(file, authority.ca);
  const run = (...args: string[]) =>
    cli(test.cores.root, args, {
      cwd: test.cores.root,
      env: { ...process.env, NODE_EXTRA_CA_CERTS: file },
    });
  test.user.fetch = insecureFetch;

  const login = run('login', 'account', '--no-browser');
  await test.user.visit(await login.shownAddress());
  expect(await login.ended).toMatchObject({ status: 0 });
  server.expireAccessTokens();
  const { out } = await run('call', 'account', 'whoami', '{}').ended;
  expect(out).toContain('whoami');
  expect(tokenRequests(server)).toEqual(flow);
});
