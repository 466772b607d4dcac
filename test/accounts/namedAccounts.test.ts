/** Several accounts of one user at one server, with each of the authorization servers. */
import { describe, expect, it } from 'vitest';
import { credentialKey, accountId as keyOf } from '../../src/mcp/oauth/storedCredentials.js';
import { accountId, useAccounts, whoami } from '../helpers/accounts/accountHarness.js';
import { tokenRequests } from '../helpers/accounts/accountServer.js';
import { everyServer } from '../helpers/accounts/everyServer.js';
import { startOidcServer } from '../helpers/accounts/oidcServer.js';

const test = useAccounts();

function storedText(name: string | undefined): string {
  return test.secrets.values.get(credentialKey(keyOf(accountId, name))) ?? '';
}

describe.each(everyServer)('two accounts at %s', (_name, start) => {
  it('are used in turn, each with tokens of its own, and the one that was chosen by the next window', async () => {
    const server = await test.start(start());
    const { core, server: account } = await test.openSignedIn(server);
    const { accounts } = core;
    expect(await whoami(account)).toBe('whoami');

    await accounts.use(accountId, 'work');
    expect(account.state.value.kind).toBe('needs_auth');
    expect(accounts.stored(accountId)).toMatchObject({ hasTokens: false, name: 'work' });
    await accounts.signIn(accountId);
    expect(await whoami(account)).toBe('whoami');
    expect(accounts.stored(accountId)).toMatchObject({ hasTokens: true, names: ['work'] });
    const [mine, work] = [storedText(undefined), storedText('work')];
    expect(mine).toContain('"access_token"');
    expect(work).toContain('"access_token"');
    expect(accessToken(mine)).not.toBe(accessToken(work));

    await accounts.use(accountId, undefined);
    expect(await whoami(account)).toBe('whoami');
    expect(usedTokens(server).at(-1)).toBe(accessToken(mine));
    await accounts.use(accountId, 'work');
    await test.cores.close(core);

    const { server: next } = await test.open(server);
    expect(await whoami(next)).toBe('whoami');
    expect(usedTokens(server).at(-1)).toBe(accessToken(work));
    expect(test.asked).toEqual(['sign_in', 'sign_in']);
  });

  it('are renewed apart, and the other one stays when one signs out', async () => {
    const server = await test.start(start());
    const { core, server: account } = await test.openSignedIn(server);
    await core.accounts.use(accountId, 'work');
    await core.accounts.signIn(accountId);
    server.expireAccessTokens();
    expect(await whoami(account)).toBe('whoami');
    await core.accounts.signOut(accountId, { name: undefined });
    expect(account.state.value.kind).toBe('connected');
    expect(await whoami(account)).toBe('whoami');
    expect(storedText(undefined)).not.toContain('"access_token"');
    await core.accounts.use(accountId, undefined);
    expect(account.state.value.kind).toBe('needs_auth');
    expect(tokenRequests(server).filter((text) => !text.endsWith('200'))).toEqual([]);
  });
});

describe('a second account', () => {
  it.each([
    ['is chosen on the page where nobody can sign in anew', ['select_account'], 'select_account'],
    ['is signed in to anew', ['select_account', 'login', 'none'], 'login'],
    ['is asked for nothing that the server does not know', ['none'], null],
    ['is asked for nothing where the server does not say what it knows', undefined, null],
  ])('%s', async (_name, known, expected) => {
    const server = await test.start(startOidcServer());
    server.wire.metadata = ({ prompt_values_supported: _own, ...document }) =>
      known === undefined ? document : { ...document, prompt_values_supported: known };
    const { core } = await test.open(server);
    await core.accounts.use(accountId, 'work');
    await core.accounts.signIn(accountId).catch(() => undefined);
    const [page] = server.wire.to(server.paths.authorize);
    const prompts = page?.url.searchParams.get('prompt')?.split(' ') ?? [null];
    expect(prompts.filter((one) => one !== 'consent')).toEqual(expected === null ? [] : [expected]);
  });

  it('of a user with one is not asked for', async () => {
    const server = await test.start(startOidcServer());
    server.wire.metadata = (document) => ({ ...document, prompt_values_supported: ['login'] });
    await test.openSignedIn(server);
    const [page] = server.wire.to(server.paths.authorize);
    expect(page?.url.searchParams.get('prompt') ?? 'consent').toBe('consent');
  });

  it('that nobody signed in to leaves no name behind when the user goes back', async () => {
    const server = await test.start(startOidcServer());
    const { core, server: account } = await test.openSignedIn(server);
    await core.accounts.use(accountId, 'wrok');
    await core.accounts.use(accountId, undefined);
    expect(core.accounts.stored(accountId)).toMatchObject({ name: undefined, names: [] });
    expect(await whoami(account)).toBe('whoami');
  });

  it('is chosen by folder', async () => {
    const server = await test.start(startOidcServer());
    const first = await test.cores.addFolder('first', {});
    const { core } = await test.openSignedIn(server);
    await core.accounts.use(accountId, 'work');
    await test.cores.close(core);
    test.cores.removeFolder(first);
    const second = await test.cores.addFolder('second', {});
    const other = await test.open(server);
    expect(other.core.accounts.stored(accountId)).toMatchObject({
      name: undefined,
      names: ['work'],
    });
    expect(await whoami(other.server)).toBe('whoami');
    await test.cores.close(other.core);
    test.cores.removeFolder(second);
    test.cores.restoreFolder(first);
    const again = await test.open(server);
    await again.server.ensureConnected().catch(() => undefined);
    expect(again.core.accounts.stored(accountId).name).toBe('work');
    expect(again.server.state.value.kind).toBe('needs_auth');
  });

  it('goes along to another file with its name, and leaves nothing behind', async () => {
    const server = await test.start(startOidcServer());
    const folder = await test.cores.addFolder('folder', {});
    const { core } = await test.openSignedIn(server);
    await core.accounts.use(accountId, 'work');
    await core.accounts.signIn(accountId);
    const before = storedText('work');
    const moved = await core.configuration.transferServer(accountId, {
      poolId: 'global',
      file: 'primary',
      name: 'renamed',
      isCopy: false,
    });
    expect(folder.uri).toBeDefined();
    expect(core.accounts.stored(moved)).toMatchObject({ name: 'work', names: ['work'] });
    expect(test.secrets.values.get(credentialKey(keyOf(moved, 'work')))).toBe(before);
    expect([storedText('work'), storedText(undefined)]).toEqual(['', '']);
    expect(core.accounts.stored(accountId).names).toEqual([]);
  });

  it('that is chosen while the one before is forgotten with its client keeps its name', async () => {
    const server = await test.start(startOidcServer());
    const { core } = await test.openSignedIn(server);
    for (const name of ['home', 'work']) {
      await core.accounts.use(accountId, name);
      await core.accounts.signIn(accountId);
    }
    const forgetting = core.accounts.forgetClient(accountId);
    await core.accounts.use(accountId, 'home');
    await forgetting;
    await core.accounts.use(accountId, undefined);
    expect([storedText('work'), core.accounts.stored(accountId).names]).toEqual(['', ['home']]);
  });

  it('is forgotten with its client, and stays chosen until the user chooses another one', async () => {
    const server = await test.start(startOidcServer());
    const { core, server: account } = await test.openSignedIn(server);
    await core.accounts.use(accountId, 'work');
    await core.accounts.signIn(accountId);
    await core.accounts.forgetClient(accountId);
    expect(storedText('work')).toBe('');
    expect(core.accounts.stored(accountId)).toMatchObject({ name: 'work', hasClient: false });
    await account.ensureConnected().catch(() => undefined);
    expect(account.state.value.kind).toBe('needs_auth');
    await core.accounts.use(accountId, undefined);
    expect(core.accounts.stored(accountId).names).toEqual([]);
    expect(await whoami(account)).toBe('whoami');
  });
});

function accessToken(text: string): unknown {
  const { tokens, issuer } = JSON.parse(text);
  return tokens[issuer].access_token;
}

function usedTokens({
  resourceWire,
}: {
  readonly resourceWire: { readonly exchanges: readonly { readonly headers: object }[] };
}): readonly (string | undefined)[] {
  return resourceWire.exchanges
    .map(({ headers }) => (headers as { readonly authorization?: string }).authorization)
    .flatMap((text) => (text === undefined ? [] : [text.replace(/^\w+ /, '')]));
}
