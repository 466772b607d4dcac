import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../base/json.js';

/** JSON schema of the `oauth` object of a remote entry. */
export function oauthSchema(): JsonObject {
  return {
    type: 'object',
    properties: {
      grant: {
        enum: ['authorization_code', 'client_credentials', 'cross_app_access', 'workload_identity'],
        default: 'authorization_code',
        description: l10n.t('Who authorizes: the user in a browser, or the client by itself.'),
      },
      clientId: text(l10n.t('Id of a client that was registered beforehand.')),
      clientSecret: text(l10n.t('Secret of that client.')),
      clientMetadataUrl: text(
        l10n.t('Address of a client metadata document, which serves as the client id.'),
      ),
      scope: text(l10n.t('Scopes to ask for, separated by spaces.')),
      issuer: text(l10n.t('The only authorization server that may get the credentials.')),
      redirectUrl: text(l10n.t('Loopback address that the browser returns to.')),
      privateKey: text(l10n.t('PEM with which the client signs its authentication.')),
      algorithm: text(l10n.t('Signature algorithm of the private key.')),
      assertion: text(l10n.t('JWT that proves the identity of the workload.')),
      identityProvider: identityProviderSchema(),
      dpop: { type: 'boolean', description: l10n.t('Bind tokens to a key of this machine.') },
      skipIssuerMetadataValidation: {
        type: 'boolean',
        default: false,
        description: l10n.t(
          'Accept metadata that names another issuer than the address it came from.',
        ),
      },
    },
  };
}

function identityProviderSchema(): JsonObject {
  return {
    type: 'object',
    description: l10n.t('The identity provider that exchanges an ID token for a grant.'),
    properties: {
      issuer: text(l10n.t('Address of the identity provider.')),
      tokenEndpoint: text(l10n.t('Its token endpoint, when its metadata should not be read.')),
      clientId: text(l10n.t('Id of this client at the identity provider.')),
      clientSecret: text(l10n.t('Secret of that client.')),
      idToken: text(l10n.t('ID token of the user.')),
    },
    required: ['clientId', 'idToken'],
  };
}

function text(description: string): JsonObject {
  return { type: 'string', description };
}
