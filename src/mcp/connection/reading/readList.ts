import * as l10n from '@vscode/l10n';
import { asObject, isDeeperThan, type JsonObject, jsonLength } from '../../../base/json.js';
import { nameToken } from '../../../base/text/nameToken.js';
import type {
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  McpSkill,
  McpTool,
} from '../../mcpTypes.js';
import { parsePrompt, parseResource, parseResourceTemplate, parseTool } from './parseItems.js';
import { parseSkill } from './parseSkill.js';
import { notValid } from './repairResponse.js';
import type { Faulty } from './resultReader.js';
import { maxDepth, maxDescriptionLength, maxItemLength, maxTitleLength } from './serverBounds.js';

/** A list read to its last page. Items that do not parse are left out and named in `notices`. */
export interface McpList<T> {
  readonly items: readonly T[];
  readonly notices: readonly string[];
}

/** How a list may be kept, as its server says. */
export interface ListHint {
  /** Milliseconds that it is good for: the least of its pages. Default: the server says nothing. */
  readonly ttlMs?: number | undefined;
  /** It is for this account alone. */
  readonly isPrivate: boolean;
}

/** Bounds of one list; a server without end costs no more than this. */
const maxPages = 200;
const maxItems = 20_000;
/** Characters of all items as JSON. */
const maxListLength = 32 * 1024 * 1024;
const maxCursorLength = 16 * 1024;
/** No server has a list kept for longer without another look. */
const longestTtlMs = 24 * 60 * 60_000;
/** What is wrong with single items is told of so many; of the others only their number. */
const maxNotices = 20;

export interface ListReading<T> {
  /** MCP method, such as `tools/list`. */
  readonly method: string;
  /** Key of the items in each page. */
  readonly key: string;
  readonly parse: (item: unknown) => T | undefined;
  /** What makes two items the same one. */
  readonly identify: (item: T) => string;
}

interface Page extends Partial<Faulty> {
  readonly result: JsonObject;
}

/**
 * Reads a list to its last page, item by item: what does not parse, comes twice or exceeds the bounds costs itself
 * and a notice. Rejects only when the first page fails, or when `isFatal` says so of a later failure.
 */
export async function readList<T>(
  reading: ListReading<T>,
  requestPage: (cursor: string | undefined) => Promise<Page>,
  isFatal: (error: unknown) => boolean,
): Promise<McpList<T> & { readonly hint: ListHint }> {
  const list = new GrowingList(reading);
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    let answer: Page;
    try {
      answer = await requestPage(cursor);
    } catch (error) {
      if (page === 1 || isFatal(error)) {
        throw error;
      }
      list.notices.push(incomplete(reading.method, page - 1));
      break;
    }
    const { result } = answer;
    const known = list.notices.length;
    list.addPage(result);
    if (list.notices.length > known) {
      answer.fault?.(list.notices.slice(known).join('\n'));
    }
    cursor = typeof result.nextCursor === 'string' ? result.nextCursor : undefined;
    if (cursor === undefined) {
      break;
    }
    const isEndless = cursors.has(cursor) || cursor.length > maxCursorLength || page >= maxPages;
    if (isEndless || list.isFull) {
      list.notices.push(incomplete(reading.method, page));
      break;
    }
    cursors.add(cursor);
  }
  return list.result;
}

function incomplete(method: string, pages: number): string {
  return l10n.t('{0}: reading stopped after {1} pages; the list is incomplete.', method, pages);
}

/** Of what is malformed, too large or nested too deeply. */
function unusable(method: string, item: string): string {
  return l10n.t('{0} lists an item that is left out, since it cannot be used: {1}', method, item);
}

class GrowingList<T> {
  readonly notices: string[] = [];
  private readonly items = new Map<string, T>();
  private length = 0;
  private faults = 0;
  private surplus = 0;
  private cuts = 0;
  private hint: ListHint = { isPrivate: false };

  constructor(private readonly reading: ListReading<T>) {}

  get isFull(): boolean {
    return this.items.size >= maxItems || this.length >= maxListLength;
  }

  get result(): McpList<T> & { readonly hint: ListHint } {
    const { method } = this.reading;
    return {
      hint: this.hint,
      items: [...this.items.values()],
      notices: [
        ...this.notices,
        ...(this.faults > maxNotices
          ? [l10n.t('{0}: {1} more items were left out.', method, this.faults - maxNotices)]
          : []),
        ...(this.surplus > 0
          ? [l10n.t('{0}: {1} more items were left out.', method, this.surplus)]
          : []),
        ...(this.cuts > 0 ? [l10n.t('{0}: {1} long texts were cut.', method, this.cuts)] : []),
      ],
    };
  }

  addPage(result: JsonObject): void {
    const { method, key } = this.reading;
    const page = result[key];
    this.hint = joinHints(this.hint, result);
    if (!Array.isArray(page)) {
      this.notices.push(notValid(method, key));
      return;
    }
    for (const raw of page as readonly unknown[]) {
      this.addItem(raw);
    }
  }

  private addItem(raw: unknown): void {
    const { method, identify, parse } = this.reading;
    if (this.isFull) {
      this.surplus++;
      return;
    }
    const item = parse(raw);
    if (item === undefined) {
      this.fault(unusable(method, label(raw)));
      return;
    }
    const id = identify(item);
    if (this.items.has(id)) {
      this.fault(
        l10n.t('{0} lists "{1}" more than once; the first one is used.', method, nameToken(id)),
      );
      return;
    }
    if (isDeeperThan(item, maxDepth + 1)) {
      this.fault(unusable(method, nameToken(id)));
      return;
    }
    const length = jsonLength(item, maxItemLength);
    if (length > maxItemLength) {
      this.fault(unusable(method, nameToken(id)));
      return;
    }
    this.length += length;
    this.cuts += isCut(raw) ? 1 : 0;
    this.items.set(id, item);
  }

  private fault(notice: string): void {
    if (this.faults++ < maxNotices) {
      this.notices.push(notice);
    }
  }
}

/** The stricter of both. */
function joinHints({ ttlMs, isPrivate }: ListHint, page: JsonObject): ListHint {
  const own = typeof page.ttlMs === 'number' ? Math.max(0, page.ttlMs) : undefined;
  return {
    ttlMs: own === undefined ? ttlMs : Math.min(own, ttlMs ?? longestTtlMs),
    isPrivate: isPrivate || page.cacheScope === 'private',
  };
}

/** The parsers have cut a text of it. */
function isCut(raw: unknown): boolean {
  const { title, description } = asObject(raw);
  return (
    (typeof title === 'string' && title.length > maxTitleLength) ||
    (typeof description === 'string' && description.length > maxDescriptionLength)
  );
}

function label(item: unknown): string {
  const { name, uri } = (item ?? {}) as { name?: unknown; uri?: unknown };
  const text = typeof name === 'string' ? name : typeof uri === 'string' ? uri : undefined;
  if (text !== undefined) {
    return text.slice(0, 80);
  }
  return isDeeperThan(item, 5) || jsonLength(item, 1000) > 1000
    ? '…'
    : (JSON.stringify(item) ?? 'undefined').slice(0, 80);
}

/** What each list holds, by its name in a catalog, which is also that of the items in a page. */
export interface ListItems {
  readonly tools: McpTool;
  readonly resources: McpResource;
  readonly resourceTemplates: McpResourceTemplate;
  readonly prompts: McpPrompt;
  readonly skills: McpSkill;
}

const byName = ({ name }: { readonly name: string }): string => name;
const byUri = ({ uri }: { readonly uri: string }): string => uri;

export const listReadings: { readonly [K in keyof ListItems]: ListReading<ListItems[K]> } = {
  tools: { method: 'tools/list', key: 'tools', parse: parseTool, identify: byName },
  resources: { method: 'resources/list', key: 'resources', parse: parseResource, identify: byUri },
  resourceTemplates: {
    method: 'resources/templates/list',
    key: 'resourceTemplates',
    parse: parseResourceTemplate,
    identify: ({ uriTemplate }) => uriTemplate,
  },
  prompts: { method: 'prompts/list', key: 'prompts', parse: parsePrompt, identify: byName },
  skills: { method: 'skills/list', key: 'skills', parse: parseSkill, identify: byName },
};
