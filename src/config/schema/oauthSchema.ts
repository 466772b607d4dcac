import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../base/json.js';
import {
  cursorAuthFields,
  findOAuthField,
  type OAuthField,
  oauthFields,
  oauthGrants,
} from './oauthFields.js';

/** JSON schema of the `oauth` object of a remote entry. */
export function oauthSchema(): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries([
      ...oauthFields.map((field) => [field.name, fieldSchema(field)]),
      ...oauthFields.flatMap((field) =>
        field.aliases.map((alias) => [alias, { ...fieldSchema(field), doNotSuggest: true }]),
      ),
    ]),
  };
}

/** JSON schema of the `auth` object as Cursor writes it. */
export function cursorAuthSchema(): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(
      [...cursorAuthFields].map(([name, ours]) => {
        const field = findOAuthField(ours);
        return [name, field ? { ...fieldSchema(field), doNotSuggest: true } : {}];
      }),
    ),
  };
}

function fieldSchema({ type, describe }: OAuthField): JsonObject {
  return { ...typeSchema(type), ...description(describe()) };
}

function typeSchema(type: OAuthField['type']): JsonObject {
  switch (type) {
    case 'text':
      return { type: 'string' };
    case 'flag':
      return { type: 'boolean' };
    case 'grant':
      return { enum: [...oauthGrants], default: 'authorization_code' };
    case 'scopes':
      return { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
    case 'port':
      return { type: 'integer', minimum: 1, maximum: 65_535 };
    case 'provider':
      return identityProviderSchema();
  }
}

function identityProviderSchema(): JsonObject {
  return {
    type: 'object',
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

function text(sentence: string): JsonObject {
  return { type: 'string', ...description(sentence) };
}

function description(markdownDescription: string): JsonObject {
  return { description: markdownDescription.replaceAll('`', ''), markdownDescription };
}
