/** Marks in Pi's file of where a conversation went on: what the file holds last is what it shows when it is opened. */
import { isJsonObject } from '../../base/json.js';
import { endOfConversation, placeEntry } from '../conversations/conversationEnd.js';
import type { PiSessionEntry, PiSessionManager } from '../pi/piModule.js';

/**
 * Marks the place that the manager is at.
 * @param isCut more was said after it
 * @returns id of the mark
 */
export function markPlace(manager: PiSessionManager, isCut: boolean): string {
  const end = isCut ? 'done' : endOfConversation(manager.getBranch().reverse());
  return manager.appendCustomEntry(placeEntry, { isCut, end });
}

/** The user went to a place after which more had been said. */
export function isCutPlace(entry: PiSessionEntry): boolean {
  return (
    entry.type === 'custom' &&
    entry.customType === placeEntry &&
    isJsonObject(entry.data) &&
    entry.data.isCut === true
  );
}
