/** A conversation of its own from the beginning of another one. */
import type { PiSessionEntry, PiSessionManager } from '../pi/piModule.js';
import { markPlace } from './places.js';
import { ConversationTree } from './tree.js';

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
  const isEnd = new ConversationTree(manager.getEntries()).isEnd(end);
  manager.createBranchedSession(end);
  if (!isEnd) {
    markPlace(manager, true);
  }
}

function beginsStep(entry: PiSessionEntry): boolean {
  return entry.type === 'message' && entry.message.role !== 'toolResult';
}
