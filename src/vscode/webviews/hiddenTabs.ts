/** Tabs of conversations that VS Code kept over a reload and restores when the user first looks at them. */
import * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import { agentTabType, storageKeys } from '../../contributions.js';
import { tabTitles } from '../../presentation/statusBar/agentHeading.js';

export class HiddenTabs extends DisposableOwner {
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  /** Of conversations that had tabs when the window was closed and that no tab has taken up. */
  private waiting: readonly string[];

  /** VS Code shows other tabs. */
  readonly onDidChange = this.changeEmitter.event;

  /** @param restored how many tabs of conversations have been restored, or made */
  constructor(
    private readonly memory: vscode.Memento,
    private readonly restored: () => number,
  ) {
    super();
    const stored: unknown = memory.get(storageKeys.conversationTabs);
    this.waiting = Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
    this.store.add(vscode.window.tabGroups.onDidChangeTabs(() => this.changeEmitter.fire()));
  }

  /** The conversation has a tab that nobody has looked at since the window was opened. */
  has(id: string | undefined): boolean {
    return (
      id !== undefined && this.waiting.includes(id) && conversationTabs().length > this.restored()
    );
  }

  /** Closes the tab of that title, where there is no doubt which one it is. */
  async close(title: string): Promise<void> {
    const titles = tabTitles(title);
    const [found, other] = conversationTabs().filter(({ label }) => titles.includes(label));
    if (found && !other) {
      await vscode.window.tabGroups.close(found);
    }
  }

  /** Another place has the conversation from now on. */
  leave(id: string | undefined): void {
    this.waiting = this.waiting.filter((one) => one !== id);
  }

  /** @param open ids of the conversations that have tabs */
  async remember(open: readonly string[]): Promise<void> {
    const all = [...new Set([...open, ...this.waiting])];
    await this.memory.update(storageKeys.conversationTabs, all);
  }
}

function conversationTabs(): readonly vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: some }) => some);
  // VS Code puts words of its own before the type
  return tabs.filter(
    ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(agentTabType),
  );
}
