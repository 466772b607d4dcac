import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../base/json.js';
import { nextTurn } from '../../base/nextTurn.js';
import type { McpList } from './engine.js';

/** Bounds of one list; a server without end costs no more than this. */
export const maxPages = 200;
export const maxItems = 20_000;
/** Thousands of items in one go would stall the event loop. */
const itemsPerTurn = 250;

export interface ListReading<T> {
  /** MCP method, such as `tools/list`. */
  readonly method: string;
  /** Key of the items in each page. */
  readonly key: string;
  readonly parse: (item: unknown) => T | undefined;
  /** What makes two items the same one. */
  readonly identify: (item: T) => string;
}

/**
 * Reads a list to its last page, item by item: what does not parse, comes twice or exceeds the bounds costs itself
 * and a notice. Rejects only when the first page fails, or when `isFatal` says so of a later failure.
 */
export async function readList<T>(
  reading: ListReading<T>,
  requestPage: (cursor: string | undefined) => Promise<JsonObject>,
  isFatal: (error: unknown) => boolean,
): Promise<McpList<T>> {
  const items = new Map<string, T>();
  const notices: string[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    let result: JsonObject;
    try {
      result = await requestPage(cursor);
    } catch (error) {
      if (page === 1 || isFatal(error)) {
        throw error;
      }
      notices.push(l10n.t('{0} failed on page {1}; the list is incomplete.', reading.method, page));
      break;
    }
    await addPage(reading, result, items, notices);
    cursor = typeof result.nextCursor === 'string' ? result.nextCursor : undefined;
    if (cursor === undefined) {
      break;
    }
    if (cursors.has(cursor) || page >= maxPages || items.size >= maxItems) {
      notices.push(
        l10n.t('{0} does not end; reading stopped after {1} pages.', reading.method, page),
      );
      break;
    }
    cursors.add(cursor);
  }
  return { items: [...items.values()], notices };
}

async function addPage<T>(
  reading: ListReading<T>,
  result: JsonObject,
  items: Map<string, T>,
  notices: string[],
): Promise<void> {
  const page = result[reading.key];
  if (!Array.isArray(page)) {
    notices.push(l10n.t('{0} answered without a list of {1}.', reading.method, reading.key));
    return;
  }
  for (const [index, raw] of (page as readonly unknown[]).entries()) {
    if (index % itemsPerTurn === itemsPerTurn - 1) {
      await nextTurn();
    }
    const item = reading.parse(raw);
    if (item === undefined) {
      notices.push(
        l10n.t('{0} lists a malformed item, which was left out: {1}', reading.method, label(raw)),
      );
      continue;
    }
    const id = reading.identify(item);
    if (items.has(id)) {
      notices.push(
        l10n.t('{0} lists "{1}" more than once; the first one is used.', reading.method, id),
      );
    } else if (items.size < maxItems) {
      items.set(id, item);
    }
  }
}

function label(item: unknown): string {
  const { name, uri } = (item ?? {}) as { name?: unknown; uri?: unknown };
  const text =
    typeof name === 'string' ? name : typeof uri === 'string' ? uri : JSON.stringify(item);
  return (text ?? 'undefined').slice(0, 80);
}
