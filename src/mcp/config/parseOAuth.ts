import * as l10n from '@vscode/l10n';
import { isJsonObject, type JsonObject } from '../../base/json.js';
import type { OAuthGrant, OAuthIdentityProvider, OAuthSettings } from '../mcpTypes.js';
import type { EntryReader } from './entryReader.js';

const grants: readonly OAuthGrant[] = [
  'authorization_code',
  'client_credentials',
  'cross_app_access',
  'workload_identity',
];
const texts = [
  'clientId',
  'clientSecret',
  'clientMetadataUrl',
  'scope',
  'issuer',
  'redirectUrl',
  'privateKey',
  'algorithm',
  'assertion',
] as const;
const flags = ['dpop', 'skipIssuerMetadataValidation'] as const;

/** The `oauth` object of a remote entry. What does not fit is reported and left out. */
export function parseOAuth(reader: EntryReader): OAuthSettings | undefined {
  const value = reader.value('oauth');
  if (value === undefined) {
    return undefined;
  }
  if (!isJsonObject(value)) {
    report(reader, 'oauth');
    return undefined;
  }
  const grant = grants.find((known) => known === value.grant);
  if (value.grant !== undefined && grant === undefined) {
    report(reader, 'oauth.grant');
  }
  const identityProvider = parseIdentityProvider(reader, value.identityProvider);
  return {
    ...(grant === undefined ? {} : { grant }),
    ...pick(reader, value, texts, 'string'),
    ...pick(reader, value, flags, 'boolean'),
    ...(identityProvider === undefined ? {} : { identityProvider }),
  };
}

function parseIdentityProvider(
  reader: EntryReader,
  value: unknown,
): OAuthIdentityProvider | undefined {
  if (value === undefined) {
    return undefined;
  }
  const keys = ['issuer', 'tokenEndpoint', 'clientSecret', 'clientId', 'idToken'] as const;
  const found = isJsonObject(value) ? pick(reader, value, keys, 'string') : {};
  const { clientId, idToken, ...rest } = found;
  const hasPlace = rest.issuer !== undefined || rest.tokenEndpoint !== undefined;
  if (clientId === undefined || idToken === undefined || !hasPlace) {
    report(reader, 'oauth.identityProvider');
    return undefined;
  }
  return { ...rest, clientId, idToken };
}

interface Types {
  readonly string: string;
  readonly boolean: boolean;
}

function pick<K extends string, T extends keyof Types>(
  reader: EntryReader,
  source: JsonObject,
  keys: readonly K[],
  type: T,
): { readonly [key in K]?: Types[T] } {
  const result: { [key in K]?: Types[T] } = {};
  for (const key of keys) {
    const value = source[key];
    if (typeof value === type) {
      result[key] = value as Types[T];
    } else if (value !== undefined) {
      report(reader, `oauth.${key}`);
    }
  }
  return result;
}

function report(reader: EntryReader, field: string): void {
  reader.report(
    'bad-oauth',
    'warning',
    l10n.t('Field "{0}" of server {1} is not usable and is ignored.', field, reader.server),
    l10n.t('Correct it, or remove it.'),
    reader.get('oauth')?.valueNode,
  );
}
