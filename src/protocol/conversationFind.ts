/** Looking for a text in the shown conversation, all of it: the page has its end alone. */
import type { MessageMap } from './messages.js';

/** Parts of entries in which the text stands, from the beginning of the conversation. */
export interface FoundPart {
  readonly entryId: string;
  /** What of the entry; the page marks what it draws of it with `data-find`. */
  readonly part: string;
  /** How often. */
  readonly count: number;
}

export interface FoundText {
  readonly parts: readonly FoundPart[];
  /** There are more than were counted. */
  readonly isCut: boolean;
}

export interface FindEvents extends MessageMap {
  /** The user wants to look for something. */
  find: { params: undefined; result: undefined };
}

export interface FindRequests extends MessageMap {
  find: { params: { text: string }; result: FoundText };
  /** The keys go to the page, or do not any more. */
  pageFocus: { params: { isFocused: boolean }; result: undefined };
}
