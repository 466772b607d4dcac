import { asObject } from '../../base/json.js';
import type {
  InspectorDetails,
  InspectorRow,
  InspectorView,
} from '../../protocol/inspector/inspectorProtocol.js';
import { type Filter, parseFilter } from './filter.js';
import type { TimeRange } from './timeStrip/timeScale.js';

export interface OpenEntry {
  readonly id: number;
  readonly details: InspectorDetails | undefined;
  /** By number: whole texts that were asked for, `null` when they are gone. */
  readonly wholes: ReadonlyMap<number, string | null>;
}

export interface InspectorPageState {
  readonly view: InspectorView | undefined;
  readonly tab: 'timeline' | 'connections';
  readonly query: string;
  readonly filter: Filter;
  /** Entries with the words of the filter; `undefined`: it has none, or nobody has looked yet. */
  readonly found: ReadonlySet<number> | undefined;
  readonly pinned: ReadonlySet<number>;
  /** What passes the filter, whenever it was. */
  readonly passing: readonly InspectorRow[];
  /** From the first to the last of all that was recorded; `undefined`: nothing was. */
  readonly extent: TimeRange | undefined;
  /** What the strip shows of it; `undefined`: all. */
  readonly sight: TimeRange | undefined;
  /** What the list shows of it; `undefined`: all. */
  readonly range: TimeRange | undefined;
  /** What the list shows, in its order. */
  readonly shown: readonly InspectorRow[];
  readonly total: number;
  /** There are HTTP exchanges among them. */
  readonly hasHttp: boolean;
  readonly open: OpenEntry | undefined;
  /** What came of the last thing the user did. */
  readonly outcome: { readonly isError: boolean; readonly text: string } | undefined;
  readonly isBusy: boolean;
}

export function initialState(saved: unknown): InspectorPageState {
  const { query, tab } = asObject(saved);
  const text = typeof query === 'string' ? query.slice(0, 1_000) : '';
  return {
    view: undefined,
    tab: tab === 'connections' ? 'connections' : 'timeline',
    query: text,
    filter: parseFilter(text),
    found: undefined,
    pinned: new Set(),
    passing: [],
    extent: undefined,
    sight: undefined,
    range: undefined,
    shown: [],
    total: 0,
    hasHttp: false,
    open: undefined,
    outcome: undefined,
    isBusy: false,
  };
}
