import * as vscode from 'vscode';
import type { AgentPanel } from '../../agent/panel/agentPanel.js';
import { type Disposable, DisposableOwner } from '../../base/disposable.js';
import { commandIds, contextKeys } from '../../contributions.js';
import { unseenApprovals } from '../../presentation/statusBar/unseenApprovals.js';
import { ContextValues } from '../workspace/contextValues.js';

/** Tool calls that wait for the user where the user does not see them: in a conversation that is not shown, or behind another view; and what commands ask of the agent. */
export class ApprovalsStatusItem extends DisposableOwner {
  private readonly item: vscode.StatusBarItem;
  private readonly keys = new ContextValues();

  constructor(
    private readonly panel: Pick<AgentPanel, 'snapshot' | 'onDidChangeState' | 'onDidReset'>,
    private readonly seen: () => ReadonlySet<string>,
    onDidChangeVisibility: (listener: () => void) => Disposable,
  ) {
    super();
    this.item = this.store.add(
      vscode.window.createStatusBarItem('piMcp.approvals', vscode.StatusBarAlignment.Left, 9),
    );
    this.item.name = vscode.l10n.t('Pi Approvals');
    this.item.command = commandIds.goToWaiting;
    this.item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    this.store.add(panel.onDidChangeState(() => this.render()));
    this.store.add(panel.onDidReset(() => this.render()));
    this.store.add(onDidChangeVisibility(() => this.render()));
    this.render();
  }

  private render(): void {
    const { state } = this.panel.snapshot();
    const { changes } = state;
    this.keys.set({
      [contextKeys.isAgentOpen]: true,
      [contextKeys.isConversationWaiting]: state.waiting.length > 0,
      [contextKeys.hasChanges]: (changes?.files.length ?? 0) > 0,
      [contextKeys.canRedo]: (changes?.undone ?? 0) > 0 || changes?.isConversationLeft === true,
    });
    const unseen = unseenApprovals(state, this.seen());
    if (!unseen) {
      this.item.hide();
      return;
    }
    this.item.text = `$(bell-dot) ${vscode.l10n.t('{0} waiting for you', unseen.count)}`;
    this.item.tooltip = unseen.text;
    this.item.accessibilityInformation = { label: unseen.text, role: 'button' };
    this.item.show();
  }
}
