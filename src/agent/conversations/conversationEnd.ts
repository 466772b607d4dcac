/** How the last run of a conversation ended, as its entries tell. */
import { isJsonObject, type JsonObject } from '../../base/json.js';

/** Type of Pi's session entries in which we keep what Pi itself does not. */
export const journalEntry = 'pi-mcp.shown';

/** Type of those that say where the user went in the conversation, and how what was said up to there had ended. */
export const placeEntry = 'pi-mcp.place';

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
    if (!isJsonObject(entry)) {
      continue;
    }
    const told = toldByJournal(entry);
    if (told !== undefined && !(told === 'failed' && seen)) {
      return told;
    }
    const { type, message } = entry;
    if (type === 'compaction') {
      return seen ?? 'done';
    }
    if (type === 'message' && isJsonObject(message)) {
      const end = endAt(message);
      if (message.role === 'user' || (end === 'done' && !seen)) {
        return seen ?? end ?? 'done';
      }
      seen ??= end;
    }
  }
  return seen ?? 'done';
}

/** When nothing came after the message; `undefined` for those that say nothing. */
function endAt({ role, stopReason }: JsonObject): ConversationEnd | undefined {
  switch (role) {
    case 'user':
    case 'toolResult':
      return 'interrupted';
    case 'assistant':
      if (stopReason === 'error') {
        return 'failed';
      }
      // a finished run ends with an answer that calls no tool
      return stopReason === 'toolUse' || stopReason === 'aborted' ? 'interrupted' : 'done';
    default:
      return undefined;
  }
}

function toldByJournal({ type, customType, data }: JsonObject): ConversationEnd | undefined {
  if (type !== 'custom' || !isJsonObject(data)) {
    return undefined;
  }
  if (customType === placeEntry) {
    return ends.find((end) => end === data.end);
  }
  if (customType !== journalEntry) {
    return undefined;
  }
  switch (data.type) {
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
