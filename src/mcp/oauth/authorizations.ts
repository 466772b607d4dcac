import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { stableStringify } from '../../base/json.js';
import type { McpServerId, ResolvedHttpLaunch } from '../../config/definition.js';
import type { Clock } from '../../platform/clock.js';
import type { SecretStore } from '../../platform/ports.js';
import { usesOAuth } from '../accountUse.js';
import type { AccountChoices } from './accountChoices.js';
import type { AuthorizationPrompt } from './authorizationPrompt.js';
import { CredentialStore, forgetStoredTokens } from './credentialStore.js';
import { RefreshLock } from './refreshLock.js';
import { ServerAuthorization } from './serverAuthorization.js';
import { type AccountId, accountId, credentialKey } from './storedCredentials.js';

export type CreatePrompt = (launch: ResolvedHttpLaunch, server: McpServerId) => AuthorizationPrompt;

export interface AuthorizationsOptions {
  readonly secrets: SecretStore;
  /** Default: nobody can be asked. */
  readonly prompt?: CreatePrompt | undefined;
  /** Where windows that share the secrets see who refreshes an account. Default: nobody shares them. */
  readonly lockDir?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Default: there is one account for a server, without a name. */
  readonly choices?: AccountChoices | undefined;
}

/** `undefined`: of the account without one. */
type AccountNames = readonly (string | undefined)[];

export class Authorizations {
  private readonly byAccount = new Map<
    AccountId,
    { readonly key: string; readonly authorization: ServerAuthorization }
  >();
  /** Of accounts, which outlive changes of their entries. */
  private readonly refreshLocks = new Map<AccountId, RefreshLock>();

  constructor(private readonly options: AuthorizationsOptions) {}

  /**
   * `undefined` when the entry authenticates by itself or wants none of it.
   * @param account Default: the one that is used here.
   */
  forServer(
    serverId: McpServerId,
    serverName: string,
    launch: ResolvedHttpLaunch,
    account: AccountId = accountId(serverId, this.options.choices?.used(serverId)),
  ): ServerAuthorization | undefined {
    if (!usesOAuth(launch)) {
      return undefined;
    }
    const key = stableStringify([launch.url, launch.oauth]);
    const existing = this.byAccount.get(account);
    if (existing?.key === key) {
      return existing.authorization;
    }
    const authorization = new ServerAuthorization({
      serverName,
      launch,
      credentials: new CredentialStore(this.options.secrets, account, placeOf(launch)),
      isOneOfSeveral: () => (this.options.choices?.names(serverId) ?? []).length > 0,
      prompt: this.options.prompt?.(launch, serverId),
      refreshLock: this.refreshLock(account),
      clock: this.options.clock,
    });
    this.byAccount.set(account, { key, authorization });
    return authorization;
  }

  private refreshLock(account: AccountId): RefreshLock {
    const { lockDir } = this.options;
    const name = createHash('sha256').update(account).digest('hex').slice(0, 32);
    const lock =
      this.refreshLocks.get(account) ??
      new RefreshLock(lockDir === undefined ? undefined : join(lockDir, `${name}.lock`));
    this.refreshLocks.set(account, lock);
    return lock;
  }

  /** Needs nothing of the entry, which may not be read. Registrations stay. */
  async forgetTokens(account: AccountId): Promise<void> {
    const known = this.byAccount.get(account)?.authorization.credentials;
    await (known ? known.signOut() : forgetStoredTokens(this.options.secrets, account));
  }

  /** Forgets everything of the account. Needs nothing of the entry. */
  async forget(account: AccountId): Promise<void> {
    const known = this.byAccount.get(account)?.authorization.credentials;
    await (known ? known.clear() : this.options.secrets.delete(credentialKey(account)));
  }

  /**
   * The accounts of one server for another id of it, but for those that it has.
   * @returns the names of those that there were to copy.
   */
  async copyAccounts(from: McpServerId, to: McpServerId): Promise<AccountNames> {
    const { secrets, choices } = this.options;
    const names: (string | undefined)[] = [];
    for (const name of from === to ? [] : this.namesOf(from)) {
      const key = credentialKey(accountId(to, name));
      const stored = await secrets.get(credentialKey(accountId(from, name)));
      if (stored !== undefined && (await secrets.get(key)) === undefined) {
        await secrets.store(key, stored);
        names.push(name);
      }
    }
    await (isAnyNamed(names) ? choices?.copy(from, to) : undefined);
    return names;
  }

  /** What was copied, at one of the two ends. */
  async forgetCopied(serverId: McpServerId, names: AccountNames): Promise<void> {
    for (const name of names) {
      await this.forget(accountId(serverId, name));
    }
    await (isAnyNamed(names) ? this.options.choices?.forgetServer(serverId) : undefined);
  }

  private namesOf(serverId: McpServerId): AccountNames {
    return [undefined, ...(this.options.choices?.names(serverId) ?? [])];
  }
}

function isAnyNamed(names: AccountNames): boolean {
  return names.some((name) => name !== undefined);
}

/** With endpoints of the entry's own to who gives the tokens as well, which nobody else confirms. */
function placeOf({ url, oauth }: ResolvedHttpLaunch): string {
  return oauth?.tokenUrl === undefined ? url : stableStringify([url, oauth.tokenUrl]);
}
