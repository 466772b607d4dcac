import { describe, expect, it } from 'vitest';
import { onceEvent } from '../../../../src/base/event.js';
import { usesOAuth } from '../../../../src/mcp/accountUse.js';
import { Authorizations } from '../../../../src/mcp/oauth/authorizations.js';
import { CredentialStore } from '../../../../src/mcp/oauth/credentialStore.js';
import { OAuthProvider } from '../../../../src/mcp/oauth/oauthProvider.js';
import { ServerAuthorization } from '../../../../src/mcp/oauth/serverAuthorization.js';
import { StoredAccounts } from '../../../../src/mcp/oauth/storedAccounts.js';
import { credentialKey } from '../../../../src/mcp/oauth/storedCredentials.js';
import { Accounts, type AccountsOptions } from '../../../../src/mcp/service/accounts.js';
import { httpLaunch } from '../../../fixtures/connections.js';
import { OpenSecrets } from '../../../fixtures/signIn.js';
import { createDeferred } from '../../../helpers/fakes/deferred.js';

const id = 'global#notes';
const url = 'https://notes.example/mcp';

function issue(store: CredentialStore, token: string): Promise<void> {
  return store.update((stored) => ({
    ...stored,
    issuer: 'https://as.example',
    tokens: { 'https://as.example': { access_token: token } },
    clients: { 'https://as.example': { client_id: 'c' } },
  }));
}

describe('the credentials of a server', () => {
  it('are one entry of the secret storage', async () => {
    const secrets = new OpenSecrets();
    await issue(new CredentialStore(secrets, id, url), 't1');
    expect([...secrets.values.keys()]).toEqual([credentialKey(id)]);
    expect(await new CredentialStore(secrets, id, url).tokens()).toEqual({ access_token: 't1' });
  });

  it('are deleted when the server has another address', async () => {
    const secrets = new OpenSecrets();
    await issue(new CredentialStore(secrets, id, url), 't1');
    const moved = new CredentialStore(secrets, id, 'https://elsewhere.example/mcp');
    expect(await moved.tokens()).toBeUndefined();
    expect(secrets.values.size).toBe(0);
  });

  it('of another server with the same address are its own', async () => {
    const secrets = new OpenSecrets();
    await issue(new CredentialStore(secrets, id, url), 't1');
    expect(await new CredentialStore(secrets, 'file:///a#notes', url).tokens()).toBeUndefined();
    expect(secrets.values.size).toBe(1);
  });

  it.each([
    ['stay when the client is refused that another window has replaced meanwhile', 'c2'],
    ['go with the client that is refused', 'c1'],
  ])('%s', async (_what, now) => {
    const issuer = 'https://as.example';
    const secrets = new OpenSecrets();
    const credentials = new CredentialStore(secrets, id, url);
    const signIn = (client: string) =>
      new CredentialStore(secrets, id, url).update((stored) => ({
        ...stored,
        issuer,
        tokens: { [issuer]: { access_token: client, refresh_token: client } },
        clients: { [issuer]: { client_id: client } },
      }));
    await signIn('c1');
    const authorization = new ServerAuthorization({
      serverName: 'notes',
      launch: { url },
      credentials,
    });
    const discovery = { authorizationServerUrl: issuer };
    const provider = new OAuthProvider({ authorization, discovery });
    await provider.clientInformation({ issuer });
    await provider.tokens({ issuer });
    await signIn(now);
    await provider.forgetRefused('client');
    const { clients, tokens } = await credentials.read(true);
    const left = now === 'c1' ? [undefined, undefined] : [now, now];
    expect([clients[issuer]?.client_id, tokens[issuer]?.refresh_token]).toEqual(left);
  });

  it('that another window has renewed are found when asked for afresh', async () => {
    const secrets = new OpenSecrets();
    const [here, there] = [1, 2].map(() => new CredentialStore(secrets, id, url));
    if (!here || !there) {
      throw new Error('unreachable');
    }
    await issue(here, 't1');
    await there.read();
    await issue(here, 't2');
    expect(await there.tokens()).toEqual({ access_token: 't1' });
    expect(await there.tokens(true)).toEqual({ access_token: 't2' });
  });

  it('start anew when what is stored cannot be read', async () => {
    const secrets = new OpenSecrets();
    secrets.values.set(credentialKey(id), '{"url":');
    expect(await new CredentialStore(secrets, id, url).tokens()).toBeUndefined();
  });
});

describe('one authorization at a time', () => {
  function authorization(): ServerAuthorization {
    return new ServerAuthorization({
      serverName: 'notes',
      launch: { url },
      credentials: new CredentialStore(new OpenSecrets(), id, url),
    });
  }

  it('serves everybody who waits for it', async () => {
    const subject = authorization();
    let runs = 0;
    const authorize = async () => {
      runs++;
      await issue(subject.credentials, 'new');
      return true;
    };
    const isDone = (tokens: unknown) => tokens !== undefined;
    const results = await Promise.all(
      Array.from({ length: 20 }, () => subject.authorizeOnce(isDone, authorize)),
    );
    expect(runs).toBe(1);
    expect(results.every(Boolean)).toBe(true);
  });

  it('that the user refuses is refused for everybody, and may be tried again', async () => {
    const subject = authorization();
    let runs = 0;
    const refuse = async () => {
      runs++;
      return false;
    };
    const results = await Promise.all(
      Array.from({ length: 5 }, () => subject.authorizeOnce(() => false, refuse)),
    );
    expect([runs, ...results]).toEqual([1, false, false, false, false, false]);
    expect(
      await subject.authorizeOnce(
        () => false,
        async () => true,
      ),
    ).toBe(true);
  });
});

describe('OAuth', () => {
  it.each([
    [{}, true],
    [{ auth: 'oauth' }, true],
    [{ auth: false }, false],
    [{ auth: 'bearer' }, false],
    [{ headers: { authorization: 'Bearer x' } }, false],
    [{ headers: { 'X-Key': 'x' } }, true],
  ] as const)('with %j is used: %s', (changes, expected) => {
    expect(usesOAuth(httpLaunch(url, changes))).toBe(expected);
  });

  it('is shared by the connections of a server until its address or settings change', () => {
    const authorizations = new Authorizations({ secrets: new OpenSecrets() });
    const first = authorizations.forServer(id, 'notes', httpLaunch(url));
    expect(authorizations.forServer(id, 'notes', httpLaunch(url))).toBe(first);
    const scoped = httpLaunch(url, { oauth: { scope: 'read' } });
    expect(authorizations.forServer(id, 'notes', scoped)).not.toBe(first);
  });
});

describe('what is stored for an account', () => {
  it('is told without its values, and again when it changes', async () => {
    const secrets = new OpenSecrets();
    const accounts = new StoredAccounts(secrets);
    const store = new CredentialStore(secrets, id, url);
    const changed = () => onceEvent(accounts.onDidChange);
    expect(accounts.of(id)).toEqual({ hasTokens: false, hasClient: false });

    const issued = changed();
    await issue(store, 't1');
    expect(await issued).toBe(id);
    expect(accounts.of(id)).toEqual({ hasTokens: true, hasClient: true });

    const signedOut = changed();
    await store.signOut();
    await signedOut;
    expect(accounts.of(id)).toEqual({ hasTokens: false, hasClient: true });

    const forgotten = changed();
    await store.clear();
    await forgotten;
    expect(accounts.of(id)).toEqual({ hasTokens: false, hasClient: false });
    accounts.dispose();
  });

  it.each([
    ['signing out', 'signOut', { hasTokens: false, hasClient: true }],
    ['forgetting the client', 'forgetClient', { hasTokens: false, hasClient: false }],
  ] as const)(
    'is known after %s, however late the storage tells of it',
    async (_name, act, expected) => {
      const secrets = new OpenSecrets();
      const { get, store, delete: remove } = secrets;
      const silent = {
        get: get.bind(secrets),
        store: store.bind(secrets),
        delete: remove.bind(secrets),
      };
      await issue(new CredentialStore(silent, id, url), 't1');
      const stored = new StoredAccounts(silent);
      await stored.refresh(id);
      expect(stored.of(id)).toEqual({ hasTokens: true, hasClient: true });
      const accounts = new Accounts({
        authorizations: new Authorizations({ secrets: silent }),
        stored,
        choices: { used: () => undefined },
        servers: {
          get: () => ({
            definition: { id, name: 'notes' },
            stop: async () => undefined,
            forgetPrivate: () => undefined,
          }),
          mayReach: () => false,
        },
      } as unknown as AccountsOptions);
      await accounts[act](id);
      expect(stored.of(id)).toEqual(expected);
    },
  );

  it('stays known when an older look at the storage fails later', async () => {
    const secrets = new OpenSecrets();
    await issue(new CredentialStore(secrets, id, url), 't1');
    const older = createDeferred<string | undefined>();
    const get = secrets.get.bind(secrets);
    secrets.get = () => older.promise;
    const accounts = new StoredAccounts(secrets);
    accounts.of(id);
    secrets.get = get;
    await accounts.refresh(id);
    older.reject(new Error('locked'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(accounts.of(id)).toEqual({ hasTokens: true, hasClient: true });
  });

  it('is found when it was there before, and is nothing when the storage fails', async () => {
    const secrets = new OpenSecrets();
    await issue(new CredentialStore(secrets, id, url), 't1');
    const accounts = new StoredAccounts(secrets);
    const found = onceEvent(accounts.onDidChange);
    accounts.of(id);
    await found;
    expect(accounts.of(id).hasTokens).toBe(true);
    secrets.get = () => Promise.reject(new Error('locked'));
    const locked = new StoredAccounts(secrets);
    expect(locked.of(id)).toEqual({ hasTokens: false, hasClient: false });
  });
});
