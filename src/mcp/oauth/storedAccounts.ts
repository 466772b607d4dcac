import { DisposableOwner } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { SecretStore } from '../../platform/ports.js';
import type { StoredAccount } from '../mcpApi.js';
import {
  type AccountId,
  accountOfKey,
  credentialKey,
  readStoredAccount,
} from './storedCredentials.js';

const nothing: StoredAccount = { hasTokens: false, hasClient: false };

/** What the secret storage holds for each account, without the values; other windows' changes included. */
export class StoredAccounts extends DisposableOwner {
  private readonly changeEmitter = this.store.add(new Emitter<AccountId>());
  private readonly known = new Map<AccountId, StoredAccount>();
  private readonly readings = new Map<AccountId, Promise<void>>();

  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly secrets: SecretStore) {
    super();
    const subscription = secrets.onDidChange?.((key) => {
      const id = accountOfKey(key);
      if (id !== undefined) {
        this.read(id);
      }
    });
    if (subscription) {
      this.store.add(subscription);
    }
  }

  /** Nothing, until the first look into the storage announces more. */
  of(id: AccountId): StoredAccount {
    if (!this.known.has(id) && !this.readings.has(id)) {
      this.read(id);
    }
    return this.known.get(id) ?? nothing;
  }

  /** Resolves when {@link of} tells what is stored by now, whether or not the storage has told of a change. */
  async refresh(id: AccountId): Promise<void> {
    this.read(id);
    let reading: Promise<void> | undefined;
    do {
      reading = this.readings.get(id);
      await reading;
    } while (reading !== this.readings.get(id));
  }

  private read(id: AccountId): void {
    const reading = this.secrets
      .get(credentialKey(id))
      .then((text) => (text === undefined ? nothing : readStoredAccount(text)))
      // without the storage nobody is signed in
      .catch(() => nothing)
      .then((account) => {
        // a later change may have been read sooner
        if (this.readings.get(id) === reading) {
          this.learn(id, account);
        }
      });
    this.readings.set(id, reading);
  }

  private learn(id: AccountId, account: StoredAccount): void {
    const before = this.known.get(id) ?? nothing;
    this.known.set(id, account);
    const isSame = before.hasTokens === account.hasTokens && before.hasClient === account.hasClient;
    if (!isSame && !this.store.isDisposed) {
      this.changeEmitter.fire(id);
    }
  }
}
