/**
 * Server cards (SEP-2127): what a host lists as its servers in `/.well-known/ai-catalog.json`. Only the host of the address that
 * the user has pasted is asked; a card of another one is named, and never fetched. Everything is text from outside, and bounded.
 */
import { asList, asObject, isJsonObject, type JsonObject } from '../../base/json.js';
import { addAll } from '../../base/lists.js';
import { addressReach, isSafeAddress, parseAddress } from '../../config/launch/addressReach.js';
import { askJson, type JsonAnswer } from '../connection/http/askJson.js';
import type { Fetch } from '../connection/http/fetch.js';
import { type RegistryServer, readServer } from './serverJson.js';

export interface FoundCard {
  /** As the catalog calls it. */
  readonly identifier: string;
  /** Of the card; default: it stands in the catalog. */
  readonly url: URL | undefined;
  /** Default: it is at another host, which was not asked, or is none. */
  readonly server: RegistryServer | undefined;
}

/** `unreachable`: there was no answer. Cards beyond the bound are counted and not read. */
export type CardSearch =
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'found'; readonly cards: readonly FoundCard[]; readonly count: number };

export interface CardQuestion {
  readonly fetch: Fetch;
  /** Cards that are read. */
  readonly most: number;
  readonly signal?: AbortSignal | undefined;
}

const cardType = 'application/mcp-server-card+json';
const wellKnown = '/.well-known/ai-catalog.json';
const maxCatalogBytes = 1024 * 1024;
const maxCardBytes = 256 * 1024;
const timeoutMs = 10_000;
const maxIdentifier = 300;
/** Entries that are looked at. */
const maxEntries = 1_000;
/** Cards that are asked for at the same time. */
const atOnce = 5;

/** The address to ask for the servers of a pasted one; `undefined`: none is to be asked. */
export function catalogAddress(text: string): URL | undefined {
  const url = addressReach(text.trim()) === 'unknown' ? undefined : parseAddress(text.trim());
  if (!url || !isSafeAddress(url)) {
    return undefined;
  }
  // somebody who names a card or a catalog means that one
  const isNamed = /\/(?:server-card|[^/]+\.json)$/.test(url.pathname);
  return isNamed ? url : new URL(wellKnown, url.origin);
}

/** @param address of {@link catalogAddress}. Rejects with the signal's reason when it aborts. */
export async function findServerCards(
  address: URL,
  { fetch, most, signal }: CardQuestion,
): Promise<CardSearch> {
  const ask = async (url: URL, maxBytes: number): Promise<JsonAnswer | undefined> => {
    try {
      const headers = { accept: `${cardType}, application/ai-catalog+json, application/json` };
      return await askJson(url.href, { fetch, signal, timeoutMs, maxBytes, headers });
    } catch {
      signal?.throwIfAborted();
      return undefined;
    }
  };
  const answer = await ask(address, maxCatalogBytes);
  if (!answer) {
    return { kind: 'unreachable' };
  }
  const body = answer.status === 200 ? answer.body : undefined;
  const entries = catalogEntries(body);
  const cards: FoundCard[] = [];
  for (let at = 0; at < Math.min(most, entries.length); at += atOnce) {
    const read = entries.slice(at, Math.min(most, at + atOnce)).map(async (entry) => {
      const { identifier, url } = entry;
      const isHere = url?.origin === address.origin;
      const card = isHere ? (await ask(url, maxCardBytes))?.body : entry.data;
      return { identifier, url, server: readCard(card) };
    });
    addAll(cards, await Promise.all(read));
  }
  const own = entries.length === 0 ? readCard(body) : undefined;
  return own
    ? { kind: 'found', cards: [{ identifier: own.name, url: undefined, server: own }], count: 1 }
    : { kind: 'found', cards, count: entries.length };
}

interface CatalogEntry {
  readonly identifier: string;
  readonly url: URL | undefined;
  readonly data: JsonObject | undefined;
}

/** Those of server cards. */
function catalogEntries(body: JsonObject | undefined): readonly CatalogEntry[] {
  const entries = asList(body?.entries);
  return entries.slice(0, maxEntries).flatMap((entry) => {
    const { identifier, type, url, data } = asObject(entry);
    const address = typeof url === 'string' ? parseAddress(url) : undefined;
    const card = isJsonObject(data) ? data : undefined;
    const isWhole = typeof identifier === 'string' && identifier !== '' && (address || card);
    return type === cardType && isWhole
      ? [
          {
            identifier: identifier.slice(0, maxIdentifier),
            url: card ? undefined : address,
            data: card,
          },
        ]
      : [];
  });
}

/** A card says where a server is, never what is to be run. */
function readCard(card: JsonObject | undefined): RegistryServer | undefined {
  const { name, title, description, version, repository, websiteUrl, remotes } = card ?? {};
  const server = readServer({ name, title, description, version, repository, websiteUrl, remotes });
  return server && server.remotes.length > 0 ? server : undefined;
}
