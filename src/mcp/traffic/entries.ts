import type { FrameFacts, HttpEnd, LifeRecord } from '../trafficTypes.js';

interface EntryHead {
  /** Of its first record; unique. */
  readonly id: number;
  readonly gen: number;
  readonly startedAt: number;
  /** Numbers of its records, in order. */
  readonly records: readonly number[];
}

/**
 * `faulty`: the answer is one on the wire, but could not be taken, or not all of it. `lost`: the connection ended, or the
 * id was used again, before there was an answer.
 */
type SpanState = 'open' | 'ok' | 'faulty' | 'error' | 'cancelled' | 'lost';

/** A request with all that belongs to it. */
export interface RequestEntry extends EntryHead {
  readonly kind: 'request';
  /** Who asked. */
  readonly dir: 'sent' | 'received';
  readonly method: string;
  readonly target: string | undefined;
  readonly state: SpanState;
  readonly endedAt: number | undefined;
  readonly error: FrameFacts['error'];
  /** What is wrong with its answer. */
  readonly fault: string | undefined;
  /** What the last progress said. */
  readonly progress: string | undefined;
  /** How often the server asked for more before it answered. */
  readonly rounds: number;
  readonly task: { readonly id: string; readonly status: string | undefined } | undefined;
}

interface NotificationEntry extends EntryHead {
  readonly kind: 'notification';
  readonly dir: 'sent' | 'received';
  readonly method: string;
  readonly target: string | undefined;
}

/** A response that nobody waits for. */
interface StrayEntry extends EntryHead {
  readonly kind: 'stray';
  readonly dir: 'sent' | 'received';
  readonly error: FrameFacts['error'];
}

export interface HttpEntry extends EntryHead {
  readonly kind: 'http';
  readonly method: string;
  readonly url: string;
  readonly status: number | undefined;
  readonly end: HttpEnd | undefined;
  readonly endedAt: number | undefined;
}

interface StderrEntry extends EntryHead {
  readonly kind: 'stderr';
  readonly text: string;
}

interface LifeEntry extends EntryHead {
  readonly kind: 'life';
  readonly record: LifeRecord;
}

export type TrafficEntry =
  | RequestEntry
  | NotificationEntry
  | StrayEntry
  | HttpEntry
  | StderrEntry
  | LifeEntry;
