import type { Node } from 'jsonc-parser';
import { isJsonObject } from '../../base/json.js';
import type { OAuthIdentityProvider, OAuthSettings } from '../definition.js';
import type { ConfigField } from '../schema/field.js';
import { expectedText, readFieldValue } from '../schema/fieldValue.js';
import { cursorAuthFields, findOAuthField } from '../schema/oauthFields.js';
import type { EntryReader } from './entryReader.js';
import { jsonValueOf, properties } from './jsonDocument.js';

const providerKeys = ['issuer', 'tokenEndpoint', 'clientSecret', 'clientId', 'idToken'] as const;

/** What the flow says itself; a parameter of an entry in its place would break it, or turn it on somebody else. */
const ownParameters: ReadonlySet<string> = new Set(
  `response_type response_mode client_id client_secret client_assertion client_assertion_type redirect_uri state code
  code_challenge code_challenge_method code_verifier scope resource audience grant_type refresh_token assertion
  device_code request request_uri`.split(/\s+/),
);

type Found = Record<string, unknown>;

/**
 * The OAuth client of a remote entry: its `oauth` object, and what Cursor writes as `auth`. What does not fit is reported
 * and left out.
 */
export function parseOAuth(reader: EntryReader): OAuthSettings | undefined {
  const ofCursor = readObject(reader, 'auth', (name) => cursorAuthFields.get(name));
  const own = readObject(reader, 'oauth', (name) => findOAuthField(name)?.name);
  if (!own && !ofCursor) {
    return undefined;
  }
  const { callbackPort, ...settings }: Found = { ...ofCursor, ...own };
  if (callbackPort === undefined) {
    return settings as OAuthSettings;
  }
  // of `localhost`, since clients of programs with this field are registered that way
  return { redirectUrl: `http://localhost:${callbackPort}/callback`, ...settings } as OAuthSettings;
}

/** `undefined` when there is no such object. */
function readObject(
  reader: EntryReader,
  object: 'auth' | 'oauth',
  nameOf: (written: string) => string | undefined,
): Found | undefined {
  const node = reader.get(object)?.valueNode;
  if (!node || (object === 'auth' && node.type !== 'object')) {
    return undefined;
  }
  if (node.type !== 'object') {
    report(reader, object, node);
    return undefined;
  }
  const found: Found = {};
  const named = properties(node).map((property) => ({ property, name: nameOf(property.name) }));
  for (const { property, name } of named) {
    const place = `${object}.${property.name}`;
    // the field's own name wins over an alias, whatever their order
    const isOvershadowed =
      property.name !== name && named.some(({ property: other }) => other.name === name);
    if (name === undefined) {
      reader.unknownField(place, property.nameNode);
    } else if (!isOvershadowed) {
      const value = readValue(name, jsonValueOf(property.valueNode));
      if (value === undefined) {
        report(reader, place, property.valueNode, findOAuthField(name));
      } else {
        found[name] = value;
      }
    }
  }
  return found;
}

/** `undefined` when the value does not fit. */
function readValue(name: string, value: unknown): unknown {
  const field = findOAuthField(name);
  if (name === 'identityProvider') {
    return readIdentityProvider(value);
  }
  if (name === 'parameters') {
    return readParameters(value);
  }
  return field && readFieldValue(field, value);
}

function readIdentityProvider(value: unknown): OAuthIdentityProvider | undefined {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const texts = providerKeys.flatMap((key) =>
    typeof value[key] === 'string' ? [[key, value[key]] as const] : [],
  );
  const provider: { [key in (typeof providerKeys)[number]]?: string } = Object.fromEntries(texts);
  const { clientId, idToken, issuer, tokenEndpoint } = provider;
  const hasPlace = issuer !== undefined || tokenEndpoint !== undefined;
  return clientId === undefined || idToken === undefined || !hasPlace
    ? undefined
    : { ...provider, clientId, idToken };
}

function readParameters(value: unknown): OAuthSettings['parameters'] {
  const entries = isJsonObject(value) ? Object.entries(value) : undefined;
  return entries?.every(
    ([key, item]) =>
      ['string', 'number', 'boolean'].includes(typeof item) && !ownParameters.has(key),
  )
    ? Object.fromEntries(entries.map(([key, item]) => [key, String(item)]))
    : undefined;
}

function report(reader: EntryReader, place: string, node: Node, field?: ConfigField): void {
  const expected = field ? expectedText(field) : '{ … }';
  reader.unfit(place, expected, node, 'warning', 'bad-oauth', place);
}
