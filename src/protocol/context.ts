/** What fills the context of the model, as the agent's page shows it. Tokens are whole numbers. */
import type { MessageMap } from './messages.js';

export interface ContextUsageView {
  /** Of the next request, before its message. */
  readonly tokens: number;
  /** Nothing was sent since the context changed: the number is our guess, not the provider's. */
  readonly isGuessed?: true;
  readonly contextWindow: number;
  /** US dollars, of the whole conversation; 0 where the provider names no price. */
  readonly cost: number;
  /** Tokens above which the conversation is summarized by itself; absent while it is not. */
  readonly compactsAt?: number;
}

export const contextKinds = [
  'system',
  'instructions',
  'tools',
  'attachments',
  'conversation',
  'summary',
] as const;
export type ContextKind = (typeof contextKinds)[number];

/** Something in the context; estimated, and scaled so that all parts together are what the provider counted. */
export interface ContextItem {
  readonly name: string;
  readonly tokens: number;
}

export interface ContextPart {
  readonly kind: ContextKind;
  readonly tokens: number;
  /** What it is made of, largest first; none where that says nothing. */
  readonly items: readonly ContextItem[];
}

/** What requests used, as their provider says. */
export interface SpentView {
  readonly requests: number;
  /** Tokens that were sent, those of caches included. */
  readonly sent: number;
  /** Of those, tokens that came from the provider's cache. */
  readonly cached: number;
  readonly received: number;
  /** US dollars. */
  readonly cost: number;
}

export interface ContextView {
  /** Those that are there, in the order of {@link contextKinds}. */
  readonly parts: readonly ContextPart[];
  /** Since the latest message of the user; absent before the first answer. */
  readonly lastTurn?: SpentView;
  /** Of the conversation with all its branches and summaries. */
  readonly all: SpentView;
  /** Messages of the user that `all` is for. */
  readonly turns: number;
  /** When the conversation is summarized by itself; absent when the settings cannot be used. */
  readonly limits?: CompactionLimits;
}

/** When a conversation with a model is summarized by itself, and what is left as it is. */
export interface CompactionLimits {
  /** Of all models. */
  readonly isAutomatic: boolean;
  /** Tokens above which it is summarized. */
  readonly above: number;
  /** Tokens at its end that are kept as they are. */
  readonly keeps: number;
  /** The user has set one of them for this model. */
  readonly isOwn: boolean;
}

export interface ContextRequests extends MessageMap {
  /** Computed when it is asked for; `null` while there is no conversation. */
  readContext: { params: undefined; result: ContextView | null };
  /** Summarizes what was said. `focus`: what to keep. */
  compact: { params: { focus?: string }; result: undefined };
  /** Ends a summary that is being made; the conversation stays as it is. */
  cancelCompaction: { params: undefined; result: undefined };
  /** Sends a request that waits to be sent again at once. */
  retryNow: { params: undefined; result: undefined };
  /** Gives the request under way up, and sends it again. */
  sendAgain: { params: undefined; result: undefined };
  /** In the user's Pi settings, for all models. */
  setAutoCompaction: { params: { isOn: boolean }; result: undefined };
  /** In the user's Pi settings, for the model of the conversation. Absent: Pi's defaults. */
  setCompactionLimits: { params: { above?: number; keeps?: number }; result: undefined };
  /** Lets the model have results again that were left out. */
  giveBackResults: { params: { ids: readonly string[] }; result: undefined };
  /** Goes back to before a summary, by its id in the conversation's file. */
  undoCompaction: { params: { id: string }; result: undefined };
}
