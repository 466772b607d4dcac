import * as l10n from '@vscode/l10n';
import { briefly } from '../../../../base/errors.js';
import type { JsonObject } from '../../../../base/json.js';
import type { LogLevel } from '../../../../platform/ports.js';
import { OAuthProvider } from '../../../oauth/oauthProvider.js';
import { shownAddress } from '../../../oauth/safeAddress.js';
import type { ServerAuthorization } from '../../../oauth/serverAuthorization.js';
import type { Fetch } from '../../http/fetch.js';
import { postAsClient } from './authentication.js';
import { discoverAuthorization, discoveredIssuer, fetchForAuthorization } from './discovery.js';

/** The one that new tokens are made from goes first. */
const tokenKinds = ['refresh_token', 'access_token'] as const;

/** Gives the tokens of an account back, and says in the log when that fails. Never rejects. */
export async function revokeTokens(
  authorization: ServerAuthorization,
  baseFetch: Fetch,
  onNotice: (level: LogLevel, message: string) => void,
): Promise<void> {
  try {
    await revoke(authorization, fetchForAuthorization(authorization, baseFetch));
  } catch (error) {
    onNotice(
      'warn',
      l10n.t('The authorization server still takes the tokens: {0}', briefly(error)),
    );
  }
}

async function revoke(authorization: ServerAuthorization, fetchFn: Fetch): Promise<void> {
  const { credentials, settings } = authorization;
  const { tokens, issuer = '' } = await credentials.read(true);
  const held = tokens[issuer] ?? {};
  const kinds = tokenKinds.filter((kind) => typeof held[kind] === 'string');
  if (kinds.length === 0) {
    return;
  }
  const discovery = await discoverAuthorization(authorization, {}, fetchFn);
  // only the server that gave a token is told about it
  if (discoveredIssuer(discovery) !== issuer) {
    throw new Error(shownAddress(discoveredIssuer(discovery)));
  }
  const metadata = discovery.authorizationServerMetadata;
  const endpoint = (metadata as JsonObject | undefined)?.revocation_endpoint;
  if (typeof endpoint !== 'string') {
    throw new Error(l10n.t('{0} is missing', 'revocation_endpoint'));
  }
  const provider = new OAuthProvider({ authorization, discovery });
  const client = await provider.clientInformation({ issuer });
  if (!client) {
    throw new Error(l10n.t('{0} is missing', 'client_id'));
  }
  const subject = { settings, client, metadata, endpoint: 'revocation' } as const;
  const failures: unknown[] = [];
  for (const kind of kinds) {
    const form = new URLSearchParams({ token: String(held[kind]), token_type_hint: kind });
    await postAsClient(endpoint, form, subject, fetchFn)
      .then((response) => response.body?.cancel())
      .catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) {
    throw failures[0];
  }
}
