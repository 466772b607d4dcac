import type { MessageMap } from './messages.js';

/** What the user has written in a conversation and not sent. */
export interface DraftView {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly writtenAt: number;
}

export interface DraftRequests extends MessageMap {
  /** What the user sent in other conversations of the folder, the latest first, at most 200. */
  earlierRequests: { params: undefined; result: { texts: readonly string[] } };
  /** `conversation`: as in the snapshot. Answered when the draft is on disk. */
  keepDraft: { params: { conversation: string; draft: DraftView }; result: undefined };
}
