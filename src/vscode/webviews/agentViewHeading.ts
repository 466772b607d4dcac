import type * as vscode from 'vscode';
import type { AgentPanelModel } from '../../agent/panel/agentApi.js';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { unseenApprovals } from '../../presentation/statusBar/unseenApprovals.js';

/** What VS Code shows of the view outside of its page: the conversation's title, and a badge for what waits out of sight. */
export function showHeading(
  view: vscode.WebviewView,
  panel: Pick<AgentPanelModel, 'snapshot' | 'onDidChangeState' | 'onDidReset'>,
): Disposable {
  const store = new DisposableStore();
  const render = () => {
    const { state } = panel.snapshot();
    const unseen = unseenApprovals(state, view.visible);
    view.description = state.title;
    view.badge = unseen && { value: unseen.count, tooltip: unseen.text };
  };
  store.add(panel.onDidChangeState(render));
  store.add(panel.onDidReset(render));
  store.add(view.onDidChangeVisibility(render));
  render();
  return store;
}
