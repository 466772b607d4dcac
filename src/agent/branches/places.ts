/** Marks in Pi's file of where a conversation went on: what the file holds last is what it shows when it is opened. */
import { endOfConversation } from '../conversations/conversationEnd.js';
import { placeEntry } from '../conversations/storedEntry.js';
import type { PiSessionManager } from '../pi/piModule.js';

/**
 * Marks the place that the manager is at.
 * @param isCut more was said after it
 * @returns id of the mark
 */
export function markPlace(manager: PiSessionManager, isCut: boolean): string {
  const end = isCut ? 'done' : endOfConversation(manager.getBranch().reverse());
  return manager.appendCustomEntry(placeEntry, { isCut, end });
}
