import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { stableStringify } from '../../base/json.js';
import type { McpServerId, ResolvedHttpLaunch } from '../../config/definition.js';
import type { Clock } from '../../platform/clock.js';
import type { SecretStore } from '../../platform/ports.js';
import { usesOAuth } from '../accountUse.js';
import type { AuthorizationPrompt } from './authorizationPrompt.js';
import { CredentialStore, forgetStoredTokens } from './credentialStore.js';
import { RefreshLock } from './refreshLock.js';
import { ServerAuthorization } from './serverAuthorization.js';
import { credentialKey } from './storedCredentials.js';

export type CreatePrompt = (launch: ResolvedHttpLaunch, server: McpServerId) => AuthorizationPrompt;

export interface AuthorizationsOptions {
  readonly secrets: SecretStore;
  /** Default: nobody can be asked. */
  readonly prompt?: CreatePrompt | undefined;
  /** Of this product, for registrations. */
  readonly clientName: string;
  /** Where windows that share the secrets see who refreshes an account. Default: nobody shares them. */
  readonly lockDir?: string | undefined;
  readonly clock?: Clock | undefined;
}

export class Authorizations {
  private readonly byServer = new Map<
    McpServerId,
    { readonly key: string; readonly authorization: ServerAuthorization }
  >();
  /** Of accounts, which outlive changes of their entries. */
  private readonly refreshLocks = new Map<McpServerId, RefreshLock>();

  constructor(private readonly options: AuthorizationsOptions) {}

  /** `undefined` when the entry authenticates by itself or wants none of it. */
  forServer(
    serverId: McpServerId,
    serverName: string,
    launch: ResolvedHttpLaunch,
  ): ServerAuthorization | undefined {
    if (!usesOAuth(launch)) {
      return undefined;
    }
    const key = stableStringify([launch.url, launch.oauth]);
    const existing = this.byServer.get(serverId);
    if (existing?.key === key) {
      return existing.authorization;
    }
    const authorization = new ServerAuthorization({
      serverName,
      serverUrl: launch.url,
      settings: launch.oauth ?? {},
      credentials: new CredentialStore(this.options.secrets, serverId, placeOf(launch)),
      prompt: this.options.prompt?.(launch, serverId),
      clientName: this.options.clientName,
      refreshLock: this.refreshLock(serverId),
      clock: this.options.clock,
    });
    this.byServer.set(serverId, { key, authorization });
    return authorization;
  }

  private refreshLock(serverId: McpServerId): RefreshLock {
    const { lockDir } = this.options;
    const name = createHash('sha256').update(serverId).digest('hex').slice(0, 32);
    const lock =
      this.refreshLocks.get(serverId) ??
      new RefreshLock(lockDir === undefined ? undefined : join(lockDir, `${name}.lock`));
    this.refreshLocks.set(serverId, lock);
    return lock;
  }

  /** Needs nothing of the entry, which may not be read. Registrations stay. */
  async forgetTokens(serverId: McpServerId): Promise<void> {
    const known = this.byServer.get(serverId)?.authorization.credentials;
    await (known ? known.signOut() : forgetStoredTokens(this.options.secrets, serverId));
  }

  /**
   * The account of one server for another id of it, unless that has one.
   * @returns whether there was something to copy.
   */
  async copyAccount(from: McpServerId, to: McpServerId): Promise<boolean> {
    const { secrets } = this.options;
    const stored = from === to ? undefined : await secrets.get(credentialKey(from));
    if (stored === undefined || (await secrets.get(credentialKey(to))) !== undefined) {
      return false;
    }
    await secrets.store(credentialKey(to), stored);
    return true;
  }

  /** Forgets everything of the server. Needs nothing of the entry. */
  async forget(serverId: McpServerId): Promise<void> {
    const known = this.byServer.get(serverId)?.authorization.credentials;
    await (known ? known.clear() : this.options.secrets.delete(credentialKey(serverId)));
  }
}

/** With endpoints of the entry's own to who gives the tokens as well, which nobody else confirms. */
function placeOf({ url, oauth }: ResolvedHttpLaunch): string {
  return oauth?.tokenUrl === undefined ? url : stableStringify([url, oauth.tokenUrl]);
}
