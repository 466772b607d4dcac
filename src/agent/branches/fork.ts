/** A conversation of its own from the beginning of another one. */
import type { PiSessionEntry, PiSessionManager } from '../pi/piModule.js';
import { markPlace } from './places.js';
import { ConversationTree } from './tree.js';

/** Type of Pi's session entries that hold which tools the user wants in the conversation; the last one counts, in whichever branch. */
export const toolChoiceEntry = 'pi-mcp.toolChoice';

/** What the user chose last, wherever the conversation was then. */
export function lastToolChoice(entries: readonly PiSessionEntry[]): unknown {
  const entry = entries.findLast(
    (candidate) => candidate.type === 'custom' && candidate.customType === toolChoiceEntry,
  );
  return entry?.type === 'custom' ? entry.data : undefined;
}

/**
 * Makes of the manager that of a new file, which holds what was said up to a message of the shown branch, and what
 * belongs to it: results of its calls, and what became of them.
 * @param messageId of one side or the other. @throws when it is not in the file
 */
export function forkAt(manager: PiSessionManager, messageId: string): void {
  const branch = manager.getBranch();
  const from = branch.findIndex(({ id }) => id === messageId);
  const next = branch.findIndex((entry, index) => index > from && beginsStep(entry));
  const last = from === -1 ? undefined : branch.at(next === -1 ? -1 : next - 1);
  const end = last?.id ?? messageId;
  const entries = manager.getEntries();
  const isEnd = new ConversationTree(entries).isEnd(end);
  const choice = lastToolChoice(entries);
  manager.createBranchedSession(end);
  if (choice !== undefined && choice !== lastToolChoice(manager.getEntries())) {
    manager.appendCustomEntry(toolChoiceEntry, choice);
  }
  if (!isEnd) {
    markPlace(manager, true);
  }
}

function beginsStep(entry: PiSessionEntry): boolean {
  return entry.type === 'message' && entry.message.role !== 'toolResult';
}
