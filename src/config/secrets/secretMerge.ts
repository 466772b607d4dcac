/** Puts stored secrets back where an edited entry holds the sentinel. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { isJsonObject, type JsonObject, mapValues } from '../../base/json.js';
import { findField, secretFieldNames } from '../schema/fields.js';
import { urlParameter } from './addressSecrets.js';
import { findInUrl } from './findSecrets.js';
import { redactArgs, redactUrl } from './redact.js';
import { holdsSentinel, redactedSentinel } from './sentinel.js';

/** Field → new key → key under which the value is stored. */
export type RenamedKeys = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * The edited entry with every sentinel replaced by the value that `stored` has in its place.
 * @throws {HumanError} when a sentinel has no stored value; it is never written.
 */
export function restoreSecrets(
  edited: JsonObject,
  stored: JsonObject | undefined,
  renamedKeys: RenamedKeys = {},
): JsonObject {
  return mapValues(edited, (value, name) =>
    restoreField(name, value, readStored(stored, name), renamedKeys[name] ?? {}),
  );
}

function restoreField(
  name: string,
  value: unknown,
  stored: unknown,
  renamedKeys: Readonly<Record<string, string>>,
): unknown {
  if (!holdsSentinel(value)) {
    return value;
  }
  const restored = restoreValue(name, value, stored, renamedKeys);
  if (holdsSentinel(restored) && !holdsSentinel(stored)) {
    throw lost(name);
  }
  return restored;
}

function restoreValue(
  name: string,
  value: unknown,
  stored: unknown,
  renamedKeys: Readonly<Record<string, string>>,
): unknown {
  if (isJsonObject(value) && isJsonObject(stored) && secretFieldNames.includes(name)) {
    return restoreMap(value, stored, renamedKeys);
  }
  const isArgs = ['args', 'command'].includes(findField(name)?.name ?? '');
  if (Array.isArray(value) && Array.isArray(stored) && isArgs) {
    return restoreArgs(value, stored);
  }
  if (typeof value === 'string' && typeof stored === 'string') {
    return value === redactedSentinel ? stored : restoreUrl(value, stored);
  }
  return restoreDeep(value, stored);
}

function restoreMap(
  value: JsonObject,
  stored: JsonObject,
  renamedKeys: Readonly<Record<string, string>>,
): JsonObject {
  const renamed = soleRename(value, stored);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (item !== redactedSentinel) {
        return [key, item];
      }
      const named = Object.hasOwn(renamedKeys, key) ? renamedKeys[key] : undefined;
      const source = named ?? (Object.hasOwn(stored, key) ? key : renamed?.get(key));
      return [key, source !== undefined && Object.hasOwn(stored, source) ? stored[source] : item];
    }),
  );
}

/** One key went and one came with a kept value: that is a rename. More than one would be a guess. */
function soleRename(value: JsonObject, stored: JsonObject): Map<string, string> | undefined {
  const gone = Object.keys(stored).filter((key) => !Object.hasOwn(value, key));
  const come = Object.keys(value).filter(
    (key) => !Object.hasOwn(stored, key) && value[key] === redactedSentinel,
  );
  const [from] = gone;
  const [to] = come;
  return gone.length === 1 && come.length === 1 && from !== undefined && to !== undefined
    ? new Map([[to, from]])
    : undefined;
}

/** Members by their names; items by their places, as long as none of them has come or gone. */
function restoreDeep(value: unknown, stored: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(stored) && value.length === stored.length) {
    return value.map((item, index) => restoreDeep(item, stored[index]));
  }
  if (isJsonObject(value) && isJsonObject(stored)) {
    return mapValues(value, (item, key) =>
      restoreDeep(item, Object.hasOwn(stored, key) ? stored[key] : undefined),
    );
  }
  return value === redactedSentinel && stored !== undefined ? stored : value;
}

/** Arguments are matched by how they were shown, in order, wherever they have moved to. */
function restoreArgs(values: readonly unknown[], stored: readonly unknown[]): readonly unknown[] {
  const originals = stored.map((item) => (typeof item === 'string' ? item : String(item)));
  const shown = redactArgs(originals);
  const used = new Set<number>();
  return values.map((value, index) => {
    if (!holdsSentinel(value)) {
      return value;
    }
    const fits = (at: number) => shown[at] === value && !used.has(at);
    const follows = (at: number) => fits(at) && originals[at - 1] === values[index - 1];
    const candidates = [...originals.keys()];
    const found = candidates.find(follows) ?? (fits(index) ? index : candidates.find(fits));
    if (found === undefined) {
      return value;
    }
    used.add(found);
    return stored[found];
  });
}

/** Parameters by their names, the others in their order, as long as none of them has come or gone. */
function restoreUrl(value: string, stored: string): string {
  if (redactUrl(stored) === value) {
    return stored;
  }
  const parameters = new Map(
    [...stored.matchAll(urlParameter)].map(([, , key, item]) => [key, item] as const),
  );
  const named = value.replace(urlParameter, (whole, lead: string, key: string, item: string) => {
    const original = parameters.get(key);
    return item === redactedSentinel && original !== undefined
      ? `${lead}${key}=${original}`
      : whole;
  });
  const user = /:\/\/([^/?#@]*)@/.exec(stored)?.[1];
  if (user !== undefined && named.includes(`://${redactedSentinel}@`)) {
    return named.replace(`://${redactedSentinel}@`, () => `://${user}@`);
  }
  const query = stored.search(/[?;#]/);
  const others = findInUrl(stored)
    .filter(({ start }) => query === -1 || start < query)
    .map(({ start, end }) => stored.slice(start, end));
  const pieces = named.split(redactedSentinel);
  return pieces.length - 1 === others.length
    ? pieces.map((piece, index) => piece + (others[index] ?? '')).join('')
    : named;
}

/** A field may be stored under an alias. */
function readStored(stored: JsonObject | undefined, name: string): unknown {
  if (!stored) {
    return undefined;
  }
  const field = findField(name);
  const names = field ? [name, field.name, ...field.aliases] : [name];
  const found = names.find((candidate) => Object.hasOwn(stored, candidate));
  return found === undefined ? undefined : stored[found];
}

function lost(field: string): HumanError {
  return new HumanError(
    'secret_unknown',
    l10n.t('No stored value was found for a hidden value in "{0}".', field),
    { remedy: l10n.t('Enter the value again.') },
  );
}
