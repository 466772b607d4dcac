import { Sequencer } from '../../base/async/sequencer.js';
import type { JsonObject } from '../../base/json.js';
import type { SecretStore } from '../../platform/ports.js';
import {
  type AccountId,
  credentialKey,
  readCredentials,
  type StoredCredentials,
} from './storedCredentials.js';

const secretKeys = ['access_token', 'refresh_token', 'client_secret', 'registration_access_token'];

/**
 * The credentials of one account of a server at one address: one entry of the platform's secret storage, and nowhere else. What
 * was stored for another address is deleted when it is found.
 */
export class CredentialStore {
  private readonly key: string;
  private readonly writes = new Sequencer();
  private known: StoredCredentials | undefined;

  constructor(
    private readonly secrets: SecretStore,
    account: AccountId,
    /** Of the server; see {@link StoredCredentials.url}. */
    private readonly url: string,
  ) {
    this.key = credentialKey(account);
  }

  /** @param isFresh look at the storage again, which other windows may have changed. */
  async read(isFresh = false): Promise<StoredCredentials> {
    if (!this.known || isFresh) {
      this.known = await this.load();
    }
    return this.known;
  }

  /** The token set to present to the server. */
  async tokens(isFresh = false): Promise<JsonObject | undefined> {
    const { tokens, issuer } = await this.read(isFresh);
    return issuer === undefined ? undefined : tokens[issuer];
  }

  /** Whether there is a token set to present, as far as it has been read. */
  get holdsTokens(): boolean {
    const { tokens = {}, issuer } = this.known ?? {};
    return issuer !== undefined && tokens[issuer] !== undefined;
  }

  /** Values that must be masked wherever they turn up, as far as they have been read. */
  get secretValues(): readonly string[] {
    const { tokens = {}, clients = {} } = this.known ?? {};
    return [...Object.values(tokens), ...Object.values(clients)].flatMap((item) =>
      secretKeys.map((key) => item[key]).filter((value) => typeof value === 'string'),
    );
  }

  /** Changes run one after another, each on what is stored then, by us or by another window. */
  update(change: (stored: StoredCredentials) => StoredCredentials): Promise<void> {
    return this.writes.queue(async () => {
      const next = change(await this.read(true));
      this.known = next;
      await this.secrets.store(this.key, JSON.stringify(next));
    });
  }

  /** Forgets tokens and the keys that they are bound to; registrations stay. */
  signOut(): Promise<void> {
    return this.update(withoutTokens);
  }

  /** Forgets everything. */
  clear(): Promise<void> {
    return this.writes.queue(async () => {
      this.known = this.empty();
      await this.secrets.delete(this.key);
    });
  }

  private async load(): Promise<StoredCredentials> {
    const text = await this.secrets.get(this.key);
    const stored = text === undefined ? undefined : readCredentials(text);
    if (stored && stored.url === this.url) {
      return stored;
    }
    if (text !== undefined) {
      await this.secrets.delete(this.key);
    }
    return this.empty();
  }

  private empty(): StoredCredentials {
    return { url: this.url, tokens: {}, clients: {} };
  }
}

/** {@link CredentialStore.signOut} for a server whose address is not known. */
export async function forgetStoredTokens(secrets: SecretStore, account: AccountId): Promise<void> {
  const key = credentialKey(account);
  const text = await secrets.get(key);
  const stored = text === undefined ? undefined : readCredentials(text);
  if (stored) {
    await secrets.store(key, JSON.stringify(withoutTokens(stored)));
  } else if (text !== undefined) {
    await secrets.delete(key);
  }
}

function withoutTokens(stored: StoredCredentials): StoredCredentials {
  const { url, clients, redirectUrl, listenUrl } = stored;
  return { url, clients, tokens: {}, redirectUrl, listenUrl };
}
