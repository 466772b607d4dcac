import type * as vscode from 'vscode';
import type { ConversationMemory } from '../../agent/agentSessions.js';
import { isJsonObject } from '../../base/json.js';
import { storageKeys } from '../../contributions.js';

/** Each workspace goes on with its own conversations, also where two of them share a folder. */
export function createConversationMemory(state: vscode.Memento): ConversationMemory {
  const read = () => {
    const stored = state.get<unknown>(storageKeys.shownConversations);
    return isJsonObject(stored) ? stored : {};
  };
  return {
    recall(key) {
      const id = read()[key];
      return typeof id === 'string' ? id : undefined;
    },
    async remember(key, conversationId) {
      await state.update(storageKeys.shownConversations, { ...read(), [key]: conversationId });
    },
  };
}
