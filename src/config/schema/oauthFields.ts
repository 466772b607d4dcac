/** What the `oauth` object of a remote entry may hold. */
import { type ConfigField, type FieldRules, FieldTable, field } from './field.js';

function oauthField(name: string, type: ConfigField['type'], more: FieldRules = {}): ConfigField {
  return field(name, type, {
    kind: 'http',
    role: 'launch',
    guideId: `oauth.${name}`,
    ...more,
  });
}

const identityProviderFields: readonly ConfigField[] = [
  oauthField('issuer', 'string', { guideId: 'oauth.identityProvider.issuer' }),
  oauthField('tokenEndpoint', 'string', { guideId: 'oauth.identityProvider.tokenEndpoint' }),
  oauthField('clientId', 'string', {
    isRequired: true,
    guideId: 'oauth.identityProvider.clientId',
  }),
  oauthField('clientSecret', 'string', {
    isSecret: true,
    guideId: 'oauth.identityProvider.clientSecret',
  }),
  oauthField('idToken', 'string', {
    isRequired: true,
    isSecret: true,
    guideId: 'oauth.identityProvider.idToken',
  }),
];

export const oauthFields: readonly ConfigField[] = [
  oauthField('grant', 'enum', {
    defaultValue: 'authorization_code',
    values: ['authorization_code', 'client_credentials', 'cross_app_access', 'workload_identity'],
  }),
  oauthField('clientId', 'string'),
  oauthField('clientSecret', 'string', { isSecret: true }),
  oauthField('clientMetadataUrl', 'string'),
  oauthField('scope', 'string-or-strings', { aliases: ['scopes'] }),
  oauthField('issuer', 'string'),
  oauthField('authorizationUrl', 'string'),
  oauthField('tokenUrl', 'string'),
  oauthField('registrationUrl', 'string'),
  oauthField('resource', 'string'),
  oauthField('audience', 'string'),
  oauthField('parameters', 'map'),
  oauthField('redirectUrl', 'string', { aliases: ['redirectUri'] }),
  oauthField('callbackPort', 'number', { minimum: 1, maximum: 65_535, isInteger: true }),
  oauthField('privateKey', 'string', { isSecret: true, isLong: true }),
  oauthField('algorithm', 'string'),
  oauthField('assertion', 'string', { isSecret: true }),
  oauthField('identityProvider', 'object', { fields: identityProviderFields }),
  oauthField('dpop', 'boolean'),
  oauthField('skipIssuerMetadataValidation', 'boolean', { defaultValue: false }),
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
