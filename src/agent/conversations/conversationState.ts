/** What a conversation does or waits for, and which of them a list names first. */
import type { ConversationEnd } from './conversationEnd.js';

export type ConversationState = 'needs_you' | 'working' | ConversationEnd;

interface Ordered {
  readonly state: ConversationState;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** What waits for the user, then what works, then the rest; of each the newest first. */
export function byState(a: Ordered, b: Ordered): number {
  return rankOf(a.state) - rankOf(b.state) || b.modifiedAt - a.modifiedAt;
}

function rankOf(state: ConversationState): number {
  return state === 'needs_you' ? 0 : state === 'working' ? 1 : 2;
}
