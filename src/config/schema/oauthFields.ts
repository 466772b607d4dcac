/**
 * The one table of what the `oauth` object of a remote entry may hold. Validator and JSON schema, and with it hovers and
 * completion, read it.
 */
import * as l10n from '@vscode/l10n';
import type { OAuthGrant, OAuthSettings } from '../definition.js';

export const oauthGrants: readonly OAuthGrant[] = [
  'authorization_code',
  'client_credentials',
  'cross_app_access',
  'workload_identity',
];

/** `scopes`: text with spaces or a list. `port`: of this machine. `provider`: see {@link identityProviderFields}. */
type OAuthFieldType = 'text' | 'flag' | 'grant' | 'scopes' | 'port' | 'provider';

export interface OAuthField {
  readonly name: keyof OAuthSettings | 'callbackPort';
  readonly type: OAuthFieldType;
  /** Other names under which the same value is accepted. */
  readonly aliases: readonly string[];
  readonly describe: () => string;
}

function field(
  name: OAuthField['name'],
  type: OAuthFieldType,
  describe: () => string,
  aliases: readonly string[] = [],
): OAuthField {
  return { name, type, aliases, describe };
}

export const oauthFields: readonly OAuthField[] = [
  field('grant', 'grant', () =>
    l10n.t('Who authorizes: the user in a browser, or the client by itself.'),
  ),
  field('clientId', 'text', () => l10n.t('Id of a client that was registered beforehand.')),
  field('clientSecret', 'text', () => l10n.t('Secret of that client.')),
  field('clientMetadataUrl', 'text', () =>
    l10n.t('Address of a client metadata document, which serves as the client id.'),
  ),
  field('scope', 'scopes', () => l10n.t('Scopes to ask for, separated by spaces or as a list.'), [
    'scopes',
  ]),
  field('issuer', 'text', () =>
    l10n.t(
      'The only authorization server that may get the credentials, of those that the server names.',
    ),
  ),
  field('redirectUrl', 'text', () => l10n.t('Loopback address that the browser returns to.'), [
    'redirectUri',
  ]),
  field('callbackPort', 'port', () =>
    l10n.t(
      'Port of this machine that the browser returns to; short for `redirectUrl` with `http://localhost:PORT/callback`.',
    ),
  ),
  field('privateKey', 'text', () => l10n.t('PEM with which the client signs its authentication.')),
  field('algorithm', 'text', () => l10n.t('Signature algorithm of the private key.')),
  field('assertion', 'text', () => l10n.t('JWT that proves the identity of the workload.')),
  field('identityProvider', 'provider', () =>
    l10n.t('The identity provider that exchanges an ID token for a grant.'),
  ),
  field('dpop', 'flag', () => l10n.t('Bind tokens to a key of this machine.')),
  field('skipIssuerMetadataValidation', 'flag', () =>
    l10n.t('Accept metadata that names another issuer than the address it came from.'),
  ),
];

/** The `auth` object of Cursor: its names and ours. */
export const cursorAuthFields: ReadonlyMap<string, OAuthField['name']> = new Map([
  ['CLIENT_ID', 'clientId'],
  ['CLIENT_SECRET', 'clientSecret'],
  ['scopes', 'scope'],
]);

const fieldByName: ReadonlyMap</* name or alias */ string, OAuthField> = new Map(
  oauthFields.flatMap((item) => [item.name, ...item.aliases].map((name) => [name, item] as const)),
);

export function findOAuthField(name: string): OAuthField | undefined {
  return fieldByName.get(name);
}
