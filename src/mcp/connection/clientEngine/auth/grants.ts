import {
  discoverAndRequestJwtAuthGrant,
  type FetchLike,
  requestJwtAuthorizationGrant,
} from '@modelcontextprotocol/client';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../../../base/errors.js';
import type { OAuthSettings } from '../../../../config/definition.js';
import { required as requiredText } from '../../../../config/sentences.js';
import type { ClientGrant } from '../../../oauth/oauthProvider.js';

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** How the client gets tokens by itself; `undefined` when the user has to authorize it. */
export function createClientGrant(
  settings: OAuthSettings,
  fetchFn: FetchLike,
): ClientGrant | undefined {
  switch (settings.grant ?? 'authorization_code') {
    case 'authorization_code':
      return undefined;
    case 'client_credentials':
      return {
        grantTypes: ['client_credentials'],
        prepareTokenRequest: async (scope) => grantRequest('client_credentials', scope, {}),
      };
    case 'workload_identity':
      return {
        grantTypes: [jwtBearer],
        prepareTokenRequest: async (scope) =>
          grantRequest(jwtBearer, scope, { assertion: required(settings, 'assertion') }),
        // the assertion says who the client is
        isClientNamed: settings.clientId !== undefined,
      };
    case 'cross_app_access':
      return {
        grantTypes: [jwtBearer],
        prepareTokenRequest: async (scope, context) => {
          const assertion = await exchangeIdentity(settings, scope, context, fetchFn);
          return grantRequest(jwtBearer, scope, { assertion });
        },
      };
  }
}

/** An ID token for a grant that the server's authorization server takes (RFC 8693, then RFC 7523). */
async function exchangeIdentity(
  settings: OAuthSettings,
  scope: string | undefined,
  { issuer, resource }: { readonly issuer: string; readonly resource: string | undefined },
  fetchFn: FetchLike,
): Promise<string> {
  const provider = required(settings, 'identityProvider');
  const request = {
    audience: issuer,
    resource: resource ?? issuer,
    idToken: provider.idToken,
    clientId: provider.clientId,
    fetchFn,
    clientSecret: provider.clientSecret,
    scope,
  };
  const { jwtAuthGrant } =
    provider.tokenEndpoint === undefined
      ? await discoverAndRequestJwtAuthGrant({ ...request, idpUrl: provider.issuer ?? '' })
      : await requestJwtAuthorizationGrant({ ...request, tokenEndpoint: provider.tokenEndpoint });
  return jwtAuthGrant;
}

function grantRequest(
  grantType: string,
  scope: string | undefined,
  extra: Readonly<Record<string, string>>,
): URLSearchParams {
  const params = new URLSearchParams({ grant_type: grantType, ...extra });
  if (scope) {
    params.set('scope', scope);
  }
  return params;
}

function required<K extends keyof OAuthSettings>(
  settings: OAuthSettings,
  key: K,
): NonNullable<OAuthSettings[K]> {
  const value = settings[key];
  if (value === undefined) {
    throw new HumanError('oauth_settings', requiredText(`oauth.${key}`), {
      remedy: l10n.t('Correct "{0}".', 'oauth'),
    });
  }
  return value;
}
