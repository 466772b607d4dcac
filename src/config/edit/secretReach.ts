/** Where the hidden values of an entry go, so that an edit sends none of them to another place. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { isJsonObject, type JsonObject } from '../../base/json.js';
import { entryFields, findField } from '../schema/fields.js';
import { redactEntry } from '../secrets/redact.js';
import { holdsSentinel } from '../secrets/sentinel.js';

/** Fields whose values are sent to the address of the entry; those of `oauth` to its issuers as well. */
const sentFields: ReadonlySet<string> = new Set(
  ['url', 'headers', 'bearerToken', 'oauth', 'auth'].flatMap(namesOf),
);
const oauthNames: readonly string[] = ['oauth', 'auth'];
const oauthAddresses: readonly string[] = [
  'issuer',
  'tokenEndpoint',
  'authorizationUrl',
  'tokenUrl',
  'registrationUrl',
];

/**
 * A value that is kept without being entered again, by the sentinel or because its field is left out, goes where it went
 * before. Environment and arguments of a program are not bound: what runs as the user can read the file.
 * @param change as it came, with its sentinels
 * @param after what it leads to
 * @throws {HumanError} when scheme, host or port of the address are others.
 */
export function assertSameReach(change: JsonObject, before: JsonObject, after: JsonObject): void {
  const shown = redactEntry(after);
  for (const name of Object.keys(after)) {
    const field = findField(name)?.name ?? name;
    const changed = Object.entries(change).filter(
      ([key]) => key === name || findField(key)?.name === field,
    );
    const isKept =
      changed.length === 0
        ? sentFields.has(name) && holdsSentinel(shown[name])
        : changed.some(([, value]) => holdsSentinel(value));
    if (isKept && !reachesNoFarther(field, before, after)) {
      throw elsewhere(name);
    }
  }
}

function reachesNoFarther(field: string, before: JsonObject, after: JsonObject): boolean {
  const places = (entry: JsonObject) => [
    ...addressesOf(entry),
    ...(oauthNames.includes(field) ? issuersOf(entry) : []),
  ];
  const known = new Set(places(before));
  return places(after).every((place) => known.has(place));
}

/** Also of the names that do not count. */
function addressesOf(entry: JsonObject): readonly string[] {
  return namesOf('url').flatMap((name) => placeOf(entry[name]));
}

function issuersOf(entry: JsonObject): readonly string[] {
  const addressesIn = (value: unknown): readonly string[] =>
    isJsonObject(value)
      ? Object.entries(value).flatMap(([key, item]) =>
          oauthAddresses.includes(key) ? placeOf(item) : addressesIn(item),
        )
      : [];
  return oauthNames.flatMap((name) => addressesIn(entry[name]));
}

/** Scheme, host and port; all of an address in which a variable may decide them. */
function placeOf(url: unknown): readonly string[] {
  if (typeof url !== 'string') {
    return [];
  }
  const literal = url.slice(0, url.search(/[${]|$/));
  const [base] =
    /^\s*https?:\/\/[^/?#\\]+[/?#\\]/i.exec(`${literal}${literal === url ? '/' : ''}`) ?? [];
  const parsed = base !== undefined && URL.canParse(base) ? new URL(base) : undefined;
  return [parsed ? `${parsed.protocol}//${parsed.host}` : url];
}

function namesOf(name: string): readonly string[] {
  return [name, ...(entryFields.find(name)?.aliases ?? [])];
}

function elsewhere(field: string): HumanError {
  return new HumanError(
    'secret_elsewhere',
    l10n.t('The hidden value of "{0}" was stored for another address.', field),
    { remedy: l10n.t('Enter the value again.') },
  );
}
