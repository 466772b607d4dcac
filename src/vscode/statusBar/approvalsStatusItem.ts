import * as vscode from 'vscode';
import type { AgentPanelModel } from '../../agent/panel/agentApi.js';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { commandIds } from '../../contributions.js';
import { unseenApprovals } from '../../presentation/statusBar/unseenApprovals.js';

/** Tool calls that wait for the user where the user does not see them: in a folder that is not shown, or behind another view. */
export class ApprovalsStatusItem implements Disposable {
  private readonly store = new DisposableStore();
  private readonly item: vscode.StatusBarItem;

  constructor(
    private readonly panel: Pick<AgentPanelModel, 'snapshot' | 'onDidChangeState' | 'onDidReset'>,
    private readonly isViewVisible: () => boolean,
    onDidChangeVisibility: (listener: () => void) => Disposable,
  ) {
    this.item = this.store.add(
      vscode.window.createStatusBarItem('piMcp.approvals', vscode.StatusBarAlignment.Left, 9),
    );
    this.item.name = vscode.l10n.t('Pi Approvals');
    this.item.command = commandIds.reviewApprovals;
    this.item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    this.store.add(panel.onDidChangeState(() => this.render()));
    this.store.add(panel.onDidReset(() => this.render()));
    this.store.add(onDidChangeVisibility(() => this.render()));
  }

  dispose(): void {
    this.store.dispose();
  }

  private render(): void {
    const unseen = unseenApprovals(this.panel.snapshot().state, this.isViewVisible());
    if (!unseen) {
      this.item.hide();
      return;
    }
    this.item.text = `$(shield) ${unseen.count}`;
    this.item.tooltip = unseen.text;
    this.item.accessibilityInformation = { label: unseen.text, role: 'button' };
    this.item.show();
  }
}
