import { isJsonObject, type JsonObject, parseJsonObject } from '../../base/json.js';
import { encodeAnyText } from '../../base/text/wellFormed.js';
import type { McpServerId } from '../../config/definition.js';
import type { StoredAccount } from '../mcpApi.js';

/** What authorization servers gave us for one account of a server. Every value is kept as it came. */
export interface StoredCredentials {
  /** Address of the MCP server that everything below belongs to, with the token endpoint that the entry names, if any. */
  readonly url: string;
  readonly tokens: Readonly<Record</* issuer */ string, JsonObject>>;
  readonly clients: Readonly<Record</* issuer */ string, JsonObject>>;
  /** Of the tokens that were stored last, which are the ones to present. */
  readonly issuer?: string;
  /** Private key of sender-constrained tokens, as a JWK, and its thumbprint. */
  readonly dpopKey?: JsonObject;
  /** Where browsers returned to when the client was registered. */
  readonly redirectUrl?: string;
  /** Where we listened for them, when a proxy was in between. */
  readonly listenUrl?: string;
}

/** Key of one of the accounts of a server: that of the server for the one without a name. */
export type AccountId = string;

const keyPrefix = 'piMcp.oauth.';

/** @param name `undefined` for the account without a name */
export function accountId(serverId: McpServerId, name: string | undefined): AccountId {
  return name === undefined ? serverId : `${serverId}#${encodeAnyText(name)}`;
}

export function credentialKey(account: AccountId): string {
  return keyPrefix + account;
}

/** `undefined` for a key that is none of ours. */
export function accountOfKey(key: string): AccountId | undefined {
  return key.startsWith(keyPrefix) ? key.slice(keyPrefix.length) : undefined;
}

/** The id of a server has one `#`, since neither of its parts may hold any. */
export function serverOfAccount(account: AccountId): McpServerId {
  return account.split('#', 2).join('#');
}

/** What an entry of the secret storage amounts to, without its values. */
export function readStoredAccount(text: string): StoredAccount {
  const { tokens = {}, clients = {} } = readCredentials(text) ?? {};
  return {
    hasTokens: Object.keys(tokens).length > 0,
    hasClient: Object.keys(clients).length > 0,
  };
}

/** Undefined for what is not ours, or of a version that wrote otherwise. */
export function readCredentials(text: string): StoredCredentials | undefined {
  const value = parseJsonObject(text);
  const isWhole =
    typeof value?.url === 'string' && isJsonObject(value.tokens) && isJsonObject(value.clients);
  return isWhole ? (value as unknown as StoredCredentials) : undefined;
}
