/** What the `oauth` object of a remote entry may hold. */
import * as l10n from '@vscode/l10n';
import { type ConfigField, type FieldSpec, FieldTable, field } from './field.js';

function oauthField(
  name: string,
  type: ConfigField['type'],
  label: () => string,
  describe: () => string,
  more: Partial<FieldSpec> = {},
): ConfigField {
  return field({
    name,
    type,
    label,
    describe,
    kind: 'http',
    role: 'launch',
    group: 'account',
    hasVariables: type === 'string',
    ...more,
  });
}

const identityProviderFields: readonly ConfigField[] = [
  oauthField(
    'issuer',
    'string',
    () => l10n.t('Identity provider: address'),
    () => l10n.t('Address of the identity provider.'),
  ),
  oauthField(
    'tokenEndpoint',
    'string',
    () => l10n.t('Identity provider: token endpoint'),
    () => l10n.t('Its token endpoint, when its metadata should not be read.'),
  ),
  oauthField(
    'clientId',
    'string',
    () => l10n.t('Identity provider: client id'),
    () => l10n.t('Id of this client at the identity provider.'),
    { isRequired: true },
  ),
  oauthField(
    'clientSecret',
    'string',
    () => l10n.t('Identity provider: client secret'),
    () => l10n.t('Secret of that client.'),
    { isSecret: true },
  ),
  oauthField(
    'idToken',
    'string',
    () => l10n.t('Identity provider: ID token'),
    () => l10n.t('ID token of the user.'),
    { isRequired: true, isSecret: true },
  ),
];

export const oauthFields: readonly ConfigField[] = [
  oauthField(
    'grant',
    'enum',
    () => l10n.t('Who authorizes'),
    () => l10n.t('Who authorizes: the user in a browser, or the client by itself.'),
    {
      defaultValue: 'authorization_code',
      values: ['authorization_code', 'client_credentials', 'cross_app_access', 'workload_identity'],
      choices: () => ({
        authorization_code: l10n.t('You, in a browser'),
        client_credentials: l10n.t('The client by itself'),
        cross_app_access: l10n.t('An identity provider'),
        workload_identity: l10n.t('The identity of a workload'),
      }),
    },
  ),
  oauthField(
    'clientId',
    'string',
    () => l10n.t('Client id'),
    () => l10n.t('Id of a client that was registered beforehand.'),
  ),
  oauthField(
    'clientSecret',
    'string',
    () => l10n.t('Client secret'),
    () => l10n.t('Secret of that client.'),
    { isSecret: true },
  ),
  oauthField(
    'clientMetadataUrl',
    'string',
    () => l10n.t('Client metadata document'),
    () => l10n.t('Address of a client metadata document, which serves as the client id.'),
  ),
  oauthField(
    'scope',
    'string-or-strings',
    () => l10n.t('Scopes'),
    () => l10n.t('Scopes to ask for, separated by spaces or as a list.'),
    { aliases: ['scopes'] },
  ),
  oauthField(
    'issuer',
    'string',
    () => l10n.t('Authorization server'),
    () =>
      l10n.t(
        'The only authorization server that may get the credentials, of those that the server names.',
      ),
  ),
  oauthField(
    'redirectUrl',
    'string',
    () => l10n.t('Return address'),
    () => l10n.t('Loopback address that the browser returns to.'),
    { aliases: ['redirectUri'] },
  ),
  oauthField(
    'callbackPort',
    'number',
    () => l10n.t('Return port'),
    () =>
      l10n.t(
        'Port of this machine that the browser returns to; short for `redirectUrl` with `http://localhost:PORT/callback`.',
      ),
    { minimum: 1, maximum: 65_535, isInteger: true },
  ),
  oauthField(
    'privateKey',
    'string',
    () => l10n.t('Private key'),
    () => l10n.t('PEM with which the client signs its authentication.'),
    { isSecret: true, isLong: true },
  ),
  oauthField(
    'algorithm',
    'string',
    () => l10n.t('Signature algorithm'),
    () => l10n.t('Signature algorithm of the private key.'),
    { example: 'ES256' },
  ),
  oauthField(
    'assertion',
    'string',
    () => l10n.t('Workload assertion'),
    () => l10n.t('JWT that proves the identity of the workload.'),
    { isSecret: true },
  ),
  oauthField(
    'identityProvider',
    'object',
    () => l10n.t('Identity provider'),
    () => l10n.t('The identity provider that exchanges an ID token for a grant.'),
    { fields: identityProviderFields },
  ),
  oauthField(
    'dpop',
    'boolean',
    () => l10n.t('Bind tokens to this machine'),
    () => l10n.t('Bind tokens to a key of this machine.'),
  ),
  oauthField(
    'skipIssuerMetadataValidation',
    'boolean',
    () => l10n.t('Accept metadata of another issuer'),
    () => l10n.t('Accept metadata that names another issuer than the address it came from.'),
    { defaultValue: false },
  ),
];

const table = new FieldTable(oauthFields);

export function findOAuthField(name: string): ConfigField | undefined {
  return table.find(name);
}

/** The `auth` object of Cursor: its names and ours. */
export const cursorAuthFields: ReadonlyMap<string, string> = new Map([
  ['CLIENT_ID', 'clientId'],
  ['CLIENT_SECRET', 'clientSecret'],
  ['scopes', 'scope'],
]);

/** Of the object and those within it. */
export const oauthSecretNames: readonly string[] = [
  ...table.secretNames,
  ...new FieldTable(identityProviderFields).secretNames,
];
