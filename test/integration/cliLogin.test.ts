/** Sign-in from the command line: real processes, a real authorization server, and a file that keeps the account. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningAuthServer, startAuthServer } from '../fixtures/servers/authServer.mjs';
import { TestUser } from '../fixtures/signIn.js';
import { type CommandRun, useCommandLine } from '../helpers/commandLine.js';
import { CoreHarness } from '../helpers/coreHarness.js';

const cli = useCommandLine();
let harness: CoreHarness;
let running: RunningAuthServer;
let user: TestUser;

beforeEach(async () => {
  harness = await CoreHarness.create();
  running = await startAuthServer();
  user = new TestUser();
  await harness.writeGlobal({ account: { url: running.url } });
});

afterEach(async () => {
  await harness.dispose();
  await running.close();
});

const accounts = () => join(harness.root, 'home', '.pi', 'agent', 'pi-mcp', 'accounts.json');

function start(...args: string[]): CommandRun {
  return cli(harness.root, [...args, '--json', '--folder', harness.root]);
}

const run = (...args: string[]) => start(...args).document();

async function login(...args: string[]) {
  const command = start('login', 'account', ...args);
  await user.visit(await command.shownAddress());
  return command.document();
}

describe('pi-mcp login', () => {
  it('keeps an account that later runs use', async () => {
    expect(await run('probe')).toMatchObject({
      status: 1,
      document: {
        servers: [
          { state: 'needs_auth', error: { remedy: expect.stringContaining('pi-mcp login') } },
        ],
      },
    });
    expect(await login()).toMatchObject({
      status: 0,
      document: { name: 'account', state: 'connected', signedIn: true, accounts: accounts() },
    });
    expect(await run('probe')).toMatchObject({
      status: 0,
      document: { servers: [{ state: 'connected' }] },
    });
    running.auth.expireAccessTokens();
    expect(await run('call', 'account', 'whoami')).toMatchObject({
      status: 0,
      document: { content: [{ text: 'You are signed in.' }] },
    });
    expect(running.auth.tokenRequests).toEqual(['authorization_code', 'refresh_token']);
    expect(await run('login', 'account')).toMatchObject({
      status: 0,
      document: { signedIn: false, state: 'connected' },
    });
    expect(running.auth.pageVisits).toBe(1);
  });

  it('keeps it in a file that only its user may read', async () => {
    await login();
    const { mode } = await stat(accounts());
    const folder = await stat(dirname(accounts()));
    expect([mode & 0o777, folder.mode & 0o777]).toEqual([0o600, 0o700]);
    const [token = ''] = running.auth.accessTokens;
    expect(await readFile(accounts(), 'utf8')).toContain(token);
  });

  it('shows no token', async () => {
    const { document, error } = await login('--no-browser');
    const output = `${error}${JSON.stringify(document)}`;
    const tokens = [...running.auth.accessTokens, ...running.auth.refreshTokens];
    expect(tokens).toHaveLength(2);
    expect(tokens.filter((token) => output.includes(token))).toEqual([]);
  });

  it('fails when the user refuses, and names what it does not know', async () => {
    user.decision = 'deny';
    expect(await login()).toMatchObject({
      status: 1,
      document: { error: { code: 'sign_in_refused' } },
    });
    expect(await run('login', 'nobody')).toMatchObject({
      status: 2,
      document: { error: { code: 'server_unknown' } },
    });
  });

  it('ends with the time that it got', async () => {
    expect(await run('login', 'account', '--timeout', '1500')).toMatchObject({
      status: 1,
      document: { error: { code: 'timeout', remedy: expect.stringContaining('--timeout') } },
    });
  });

  it('says so when the file of the accounts is damaged', async () => {
    await login();
    await writeFile(accounts(), 'no accounts');
    expect(await run('login', 'account')).toMatchObject({
      status: 1,
      document: { error: { code: 'accounts_damaged' } },
    });
    expect(await readFile(accounts(), 'utf8')).toBe('no accounts');
  });
});

describe('several accounts', () => {
  const names = () => join(dirname(accounts()), 'accountNames.json');
  const state = async () => (await run('probe')).document;
  const connected = { servers: [{ state: 'connected' }] };
  const signedOut = { servers: [{ state: 'needs_auth' }] };

  it('are signed in to by name, and the folder uses the last one', async () => {
    await login();
    expect(await login('--account', 'work')).toMatchObject({
      status: 0,
      document: { account: 'work', signedIn: true, state: 'connected' },
    });
    expect(running.auth.pageVisits).toBe(2);
    expect(await state()).toMatchObject(connected);
    expect(await run('login', 'account', '--account', '')).toMatchObject({
      status: 0,
      document: { account: null, signedIn: false, state: 'connected' },
    });
    expect(await readFile(names(), 'utf8')).not.toMatch(/token|client/);
  });

  it('are signed out of by name, and the one that the folder uses stays', async () => {
    await login();
    await login('--account', 'work');
    expect(await run('logout', 'account', '--account', '')).toMatchObject({ status: 0 });
    expect(await state()).toMatchObject(connected);
    expect(await run('logout', 'account')).toMatchObject({ status: 0 });
    expect(await state()).toMatchObject(signedOut);
    expect(running.auth.refreshTokens.size).toBe(0);
  });

  it('leave the folder with the one before when a sign-in fails, or the name is none', async () => {
    await login();
    user.decision = 'deny';
    expect(await login('--account', 'work')).toMatchObject({
      document: { error: { code: 'sign_in_refused' } },
    });
    expect(await state()).toMatchObject(connected);
    expect(await run('login', 'account', '--account', 'a\nb')).toMatchObject({
      document: { error: { code: 'account_name' } },
    });
  });
});

it('pi-mcp logout gives the tokens back and forgets them', async () => {
  await login();
  expect(await run('logout', 'account')).toMatchObject({
    status: 0,
    document: { name: 'account', signedIn: false },
  });
  expect(running.auth.refreshTokens.size).toBe(0);
  expect(await readFile(accounts(), 'utf8')).not.toContain('access_token');
  expect(await run('probe')).toMatchObject({ document: { servers: [{ state: 'needs_auth' }] } });
});
