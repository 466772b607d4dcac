import * as l10n from '@vscode/l10n';
import { type FieldGuides, inGroup } from '../guide.js';

const undiscovered = () =>
  l10n.t(
    'Experimental: for a server that does not say where to sign in. With a token endpoint, it is not asked.',
  );

const audience = () =>
  l10n.t('Experimental: whom tokens are for, in place of what the server says of itself.');

const ofProvider = (label: string) => l10n.t('{0}: {1}', l10n.t('Identity provider'), label);

/** Of the `oauth` object of a remote entry. */
export const oauthGuides: FieldGuides = inGroup('account', {
  'oauth.identityProvider.issuer': {
    label: () => ofProvider(l10n.t('Address')),
  },
  'oauth.identityProvider.tokenEndpoint': {
    label: () => ofProvider(l10n.t('Token endpoint')),
  },
  'oauth.identityProvider.clientId': {
    label: () => ofProvider(l10n.t('Client id')),
  },
  'oauth.identityProvider.clientSecret': {
    label: () => ofProvider(l10n.t('Client secret')),
  },
  'oauth.identityProvider.idToken': {
    label: () => ofProvider('ID token'),
  },
  'oauth.grant': {
    label: () => l10n.t('Who authorizes'),
    choices: () => ({
      authorization_code: l10n.t('You, in a browser'),
      client_credentials: l10n.t('The client by itself'),
      cross_app_access: l10n.t('An identity provider'),
      workload_identity: l10n.t('The identity of a workload'),
    }),
  },
  'oauth.clientId': {
    label: () => l10n.t('Client id'),
  },
  'oauth.clientSecret': {
    label: () => l10n.t('Client secret'),
  },
  'oauth.clientMetadataUrl': {
    label: () => l10n.t('URL of the client metadata document'),
  },
  'oauth.scope': {
    label: () => l10n.t('Scopes'),
  },
  'oauth.issuer': {
    label: () => l10n.t('Authorization server'),
    describe: () => l10n.t('The only one that may get the credentials.'),
  },
  'oauth.authorizationUrl': {
    label: () => l10n.t('Sign-in page'),
    describe: undiscovered,
    example: 'https://login.example.com/authorize',
  },
  'oauth.tokenUrl': {
    label: () => l10n.t('Token endpoint'),
    describe: undiscovered,
    example: 'https://login.example.com/token',
  },
  'oauth.registrationUrl': {
    label: () => l10n.t('Registration endpoint'),
    describe: undiscovered,
  },
  'oauth.resource': {
    label: () => l10n.t('Resource'),
    describe: audience,
  },
  'oauth.audience': {
    label: () => l10n.t('Audience'),
    describe: audience,
  },
  'oauth.parameters': {
    label: () => l10n.t('Further parameters'),
    describe: () =>
      l10n.t('Experimental: sent to the sign-in page and with each request for tokens.'),
  },
  'oauth.redirectUrl': {
    label: () => l10n.t('Return address'),
  },
  'oauth.callbackPort': {
    label: () => l10n.t('Return port'),
    describe: () => '`http://localhost:PORT/callback`',
  },
  'oauth.privateKey': {
    label: () => l10n.t('Private key (PEM)'),
  },
  'oauth.algorithm': {
    label: () => l10n.t('Signature algorithm'),
    example: 'ES256',
  },
  'oauth.assertion': {
    label: () => l10n.t('Workload assertion (JWT)'),
  },
  'oauth.identityProvider': {
    label: () => l10n.t('Identity provider'),
  },
  'oauth.dpop': {
    label: () => l10n.t('Bind tokens to this machine'),
    describe: () => l10n.t('Left out, the server decides.'),
  },
  'oauth.skipIssuerMetadataValidation': {
    label: () => l10n.t('Accept metadata of another issuer'),
  },
});
