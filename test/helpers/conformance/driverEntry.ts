import type { JsonObject } from '../../../src/base/json.js';

/** The client metadata document that the suite knows. */
const clientMetadataUrl = 'https://conformance-test.local/client-metadata.json';

export interface EntryFacts {
  readonly url: string;
  readonly context: JsonObject;
  readonly protocolVersion: string | undefined;
}

/** The entry that a user would write for the server of a scenario. */
export function entryFor(scenario: string, { url, context, protocolVersion }: EntryFacts): object {
  const oauth = oauthFor(scenario, context);
  return {
    url,
    ...(protocolVersion === '2026-07-28' ? { protocolVersion: 'auto' } : {}),
    ...(oauth ? { oauth } : {}),
  };
}

function oauthFor(scenario: string, context: JsonObject): object | undefined {
  const clientId = context.client_id;
  const clientSecret = context.client_secret;
  switch (scenario) {
    case 'auth/basic-cimd':
      return { clientMetadataUrl };
    case 'auth/pre-registration':
      return { clientId, clientSecret, issuer: context.issuer };
    case 'auth/client-credentials-basic':
      return { grant: 'client_credentials', clientId, clientSecret };
    case 'auth/client-credentials-jwt':
      return {
        grant: 'client_credentials',
        clientId,
        privateKey: context.private_key_pem,
        algorithm: context.signing_algorithm,
      };
    case 'auth/enterprise-managed-authorization':
    case 'auth/cross-app-access-complete-flow':
      return {
        grant: 'cross_app_access',
        clientId,
        clientSecret,
        identityProvider: {
          tokenEndpoint: context.idp_token_endpoint,
          clientId: context.idp_client_id,
          idToken: context.idp_id_token,
        },
      };
    case 'auth/wif-jwt-bearer':
      return { grant: 'workload_identity', clientId, assertion: context.valid_jwt };
    case 'auth/2025-03-26-oauth-metadata-backcompat':
      // the older suite's own server names another issuer than its address, which only this setting allows
      return process.env.DRIVER_SUITE === '0.1'
        ? { skipIssuerMetadataValidation: true }
        : undefined;
    case 'auth/dpop':
    case 'auth/dpop-nonce':
      return { dpop: true };
    default:
      return undefined;
  }
}
