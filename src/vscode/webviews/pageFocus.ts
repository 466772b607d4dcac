/** Brings who asked something on a page back to it: VS Code leaves the focus in the editor area after its own questions. */
import * as vscode from 'vscode';

/** Call before a question of VS Code. @returns what to call after it */
export type HoldFocus = () => () => Promise<void>;

/**
 * @param focused the page that has the keys now
 * @param reach gives them to a page
 */
export function holdFocus<T>(
  focused: () => T | undefined,
  reach: (page: T) => Promise<void>,
): () => Promise<void> {
  const page = focused();
  const before = vscode.window.tabGroups.activeTabGroup.activeTab;
  return async () => {
    // what was opened meanwhile is where the user wanted to go
    const isElsewhere = vscode.window.tabGroups.activeTabGroup.activeTab !== before;
    if (page !== undefined && focused() !== page && !isElsewhere) {
      await reach(page);
    }
  };
}
