import * as l10n from '@vscode/l10n';
import { type FieldGuides, inGroup } from '../guide.js';

/** Of the `oauth` object of a remote entry. */
export const oauthGuides: FieldGuides = inGroup('account', {
  'oauth.identityProvider.issuer': {
    label: () => l10n.t('Identity provider: address'),
    describe: () => l10n.t('Address of the identity provider.'),
  },
  'oauth.identityProvider.tokenEndpoint': {
    label: () => l10n.t('Identity provider: token endpoint'),
    describe: () => l10n.t('Its token endpoint, when its metadata should not be read.'),
  },
  'oauth.identityProvider.clientId': {
    label: () => l10n.t('Identity provider: client id'),
    describe: () => l10n.t('Id of this client at the identity provider.'),
  },
  'oauth.identityProvider.clientSecret': {
    label: () => l10n.t('Identity provider: client secret'),
    describe: () => l10n.t('Secret of that client.'),
  },
  'oauth.identityProvider.idToken': {
    label: () => l10n.t('Identity provider: ID token'),
    describe: () => l10n.t('ID token of the user.'),
  },
  'oauth.grant': {
    label: () => l10n.t('Who authorizes'),
    describe: () =>
      l10n.t(
        'Who authorizes: the user in a browser, the client by itself, an identity provider, or the identity of a workload.',
      ),
    choices: () => ({
      authorization_code: l10n.t('You, in a browser'),
      client_credentials: l10n.t('The client by itself'),
      cross_app_access: l10n.t('An identity provider'),
      workload_identity: l10n.t('The identity of a workload'),
    }),
  },
  'oauth.clientId': {
    label: () => l10n.t('Client id'),
    describe: () => l10n.t('Id of a client that was registered beforehand.'),
  },
  'oauth.clientSecret': {
    label: () => l10n.t('Client secret'),
    describe: () => l10n.t('Secret of that client.'),
  },
  'oauth.clientMetadataUrl': {
    label: () => l10n.t('Client metadata document'),
    describe: () => l10n.t('Address of a client metadata document, which serves as the client id.'),
  },
  'oauth.scope': {
    label: () => l10n.t('Scopes'),
    describe: () => l10n.t('Scopes to ask for, separated by spaces or as a list.'),
  },
  'oauth.issuer': {
    label: () => l10n.t('Authorization server'),
    describe: () =>
      l10n.t(
        'The only authorization server that may get the credentials, of those that the server names.',
      ),
  },
  'oauth.authorizationUrl': {
    label: () => l10n.t('Sign-in page'),
    describe: () =>
      l10n.t(
        'Experimental: address of the sign-in page, for a server that does not say where to sign in.',
      ),
    example: 'https://login.example.com/authorize',
  },
  'oauth.tokenUrl': {
    label: () => l10n.t('Token endpoint'),
    describe: () =>
      l10n.t(
        'Experimental: address that gives tokens. With it, the server is not asked where to sign in: this and the addresses beside it count.',
      ),
    example: 'https://login.example.com/token',
  },
  'oauth.registrationUrl': {
    label: () => l10n.t('Registration endpoint'),
    describe: () =>
      l10n.t(
        'Experimental: address where the client registers itself; without it, `clientId` is needed.',
      ),
  },
  'oauth.resource': {
    label: () => l10n.t('Resource'),
    describe: () =>
      l10n.t('Experimental: whom tokens are for, in place of what the server says of itself.'),
  },
  'oauth.audience': {
    label: () => l10n.t('Audience'),
    describe: () =>
      l10n.t('Experimental: the same as `audience`, which some authorization servers want.'),
  },
  'oauth.parameters': {
    label: () => l10n.t('Further parameters'),
    describe: () =>
      l10n.t(
        'Experimental: parameters for the sign-in page and for each request for tokens, beside those of the sign-in itself.',
      ),
  },
  'oauth.redirectUrl': {
    label: () => l10n.t('Return address'),
    describe: () => l10n.t('Loopback address that the browser returns to.'),
  },
  'oauth.callbackPort': {
    label: () => l10n.t('Return port'),
    describe: () =>
      l10n.t(
        'Port of this machine that the browser returns to; short for `redirectUrl` with `http://localhost:PORT/callback`.',
      ),
  },
  'oauth.privateKey': {
    label: () => l10n.t('Private key'),
    describe: () => l10n.t('PEM with which the client signs its authentication.'),
  },
  'oauth.algorithm': {
    label: () => l10n.t('Signature algorithm'),
    describe: () => l10n.t('Signature algorithm of the private key.'),
    example: 'ES256',
  },
  'oauth.assertion': {
    label: () => l10n.t('Workload assertion'),
    describe: () => l10n.t('JWT that proves the identity of the workload.'),
  },
  'oauth.identityProvider': {
    label: () => l10n.t('Identity provider'),
    describe: () => l10n.t('The identity provider that exchanges an ID token for a grant.'),
  },
  'oauth.dpop': {
    label: () => l10n.t('Bind tokens to this machine'),
    describe: () => l10n.t('Bind tokens to a key of this machine. Left out, the server decides.'),
  },
  'oauth.skipIssuerMetadataValidation': {
    label: () => l10n.t('Accept metadata of another issuer'),
    describe: () =>
      l10n.t('Accept metadata that names another issuer than the address it came from.'),
  },
});
