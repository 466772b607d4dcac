/** How the last run of a conversation ended, as its entries tell. */
import { type EntryEvent, readStored } from './storedEntry.js';

export type ConversationEnd =
  /** With an answer, or because the user stopped it. */
  | 'done'
  /** The model or the run failed. */
  | 'failed'
  /** The window closed in the middle of it. */
  | 'interrupted';

/** What a conversation does or waits for. */
export type ConversationState = 'needs_you' | 'working' | ConversationEnd;

const ends: readonly ConversationEnd[] = ['done', 'failed', 'interrupted'];

/** @param entries newest first; taken as far as the last request */
export function endOfConversation(entries: Iterable<unknown>): ConversationEnd {
  // a run that was stopped ends like one that failed or was cut off, and what was noted before says which
  let seen: ConversationEnd | undefined;
  for (const entry of entries) {
    const event = readStored(entry);
    const told = event && toldBy(event);
    if (told !== undefined && !(told === 'failed' && seen)) {
      return told;
    }
    if (event?.kind === 'summary') {
      return seen ?? 'done';
    }
    const end = event && endAt(event);
    if (event?.kind === 'request' || (end === 'done' && !seen)) {
      return seen ?? end ?? 'done';
    }
    seen ??= end;
  }
  return seen ?? 'done';
}

/** When nothing came after it; `undefined` for what says nothing. */
export function endAt(event: EntryEvent): ConversationEnd | undefined {
  switch (event.kind) {
    case 'request':
    case 'result':
      return 'interrupted';
    case 'answer': {
      const { stopReason } = event.message;
      if (stopReason === 'error') {
        return 'failed';
      }
      // a finished run ends with an answer that calls no tool
      return stopReason === 'toolUse' || stopReason === 'aborted' ? 'interrupted' : 'done';
    }
    default:
      return undefined;
  }
}

function toldBy(event: EntryEvent): ConversationEnd | undefined {
  if (event.kind === 'place') {
    return ends.find((end) => end === event.end);
  }
  switch (event.kind === 'note' ? event.input.type : undefined) {
    case 'user_stop':
      return 'done';
    case 'failure':
      return 'failed';
    case 'interrupted':
      return 'interrupted';
    default:
      return undefined;
  }
}
