import type * as vscode from 'vscode';
import { storageKeys } from '../../contributions.js';
import type { ProfileMemory } from '../../mcp/catalog/records/toolProfiles.js';

/** Never in a file of the folder: what a repository brings along chooses nothing. */
export function createProfileMemory(storage: vscode.Memento): ProfileMemory {
  return {
    recall: () => storage.get(storageKeys.chosenProfiles),
    remember: async (chosen) => {
      await storage.update(storageKeys.chosenProfiles, chosen);
    },
  };
}
