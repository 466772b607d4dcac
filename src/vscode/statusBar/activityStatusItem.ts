import * as vscode from 'vscode';
import type { AgentPanel } from '../../agent/panel/agentPanel.js';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { viewIds } from '../../contributions.js';
import { hiddenActivity } from '../../presentation/statusBar/agentHeading.js';

const tickMs = 1_000;

/** That Pi works, and for how long, while the user does not see it. */
export class ActivityStatusItem implements Disposable {
  private readonly store = new DisposableStore();
  private readonly item: vscode.StatusBarItem;
  private timer: ReturnType<typeof setInterval> | undefined;

  /** @param isSeen the user sees the conversation */
  constructor(
    private readonly panel: Pick<AgentPanel, 'snapshot' | 'onDidChangeState' | 'onDidReset'>,
    private readonly isSeen: () => boolean,
    onDidChangeVisibility: (listener: () => void) => Disposable,
  ) {
    this.item = this.store.add(
      vscode.window.createStatusBarItem('piMcp.activity', vscode.StatusBarAlignment.Left, 8),
    );
    this.item.name = vscode.l10n.t('Pi Agent');
    this.item.command = `${viewIds.agent}.focus`;
    this.store.add(panel.onDidChangeState(() => this.render()));
    this.store.add(panel.onDidReset(() => this.render()));
    this.store.add(onDidChangeVisibility(() => this.render()));
  }

  dispose(): void {
    clearInterval(this.timer);
    this.store.dispose();
  }

  private render(): void {
    const shown = this.isSeen()
      ? undefined
      : hiddenActivity(this.panel.snapshot().state, Date.now());
    if (!shown) {
      clearInterval(this.timer);
      this.timer = undefined;
      this.item.hide();
      return;
    }
    this.timer ??= setInterval(() => this.render(), tickMs);
    this.item.text = shown.text;
    this.item.tooltip = shown.spoken;
    this.item.accessibilityInformation = { label: shown.spoken, role: 'button' };
    this.item.show();
  }
}
