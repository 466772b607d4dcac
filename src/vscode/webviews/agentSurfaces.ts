/** Where VS Code shows the agent's page, and what it shows of it outside of the page. */
import * as vscode from 'vscode';
import type { AgentPanel } from '../../agent/panel/agentPanel.js';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { tabHeading } from '../../presentation/statusBar/agentHeading.js';
import { unseenApprovals } from '../../presentation/statusBar/unseenApprovals.js';

/** Disposed with its page. */
export interface AgentSurface extends Disposable {
  readonly place: 'view' | 'tab';
  readonly webview: vscode.Webview;
  readonly isVisible: boolean;
  /** It is what the user works on in the editor area. */
  readonly isActive: boolean;
  readonly onDidChangeVisibility: vscode.Event<unknown>;
  readonly onDidClose: vscode.Event<void>;
  /** What ends with it. */
  readonly store: DisposableStore;
  /** Shows outside of the page what there is to say now. */
  render(): void;
  reveal(): void;
  close(): void;
}

type Heading = Pick<AgentPanel, 'snapshot' | 'onDidChangeState' | 'onDidReset'>;

/** Shows a badge for what waits out of sight. VS Code has no room for the conversation's title where the view is alone. */
export function viewSurface(
  view: vscode.WebviewView,
  model: Heading,
  seen: () => ReadonlySet<string>,
): AgentSurface {
  const store = new DisposableStore();
  const render = () => {
    const { state } = model.snapshot();
    const unseen = unseenApprovals(state, seen());
    view.description = state.activity && vscode.l10n.t('Working…');
    view.badge = unseen && { value: unseen.count, tooltip: unseen.text };
  };
  const surface: AgentSurface = {
    place: 'view',
    webview: view.webview,
    get isVisible() {
      return view.visible;
    },
    isActive: false,
    render,
    onDidChangeVisibility: view.onDidChangeVisibility,
    onDidClose: view.onDidDispose,
    store,
    reveal: () => view.show(),
    close: () => undefined,
    dispose: () => store.dispose(),
  };
  store.add(view.onDidDispose(() => store.dispose()));
  follow(surface, model);
  return surface;
}

/** Shows the conversation's title, and in words and by its icon that it waits for the user. */
export function tabSurface(
  panel: vscode.WebviewPanel,
  model: Heading,
  extensionUri: vscode.Uri,
): AgentSurface {
  const store = new DisposableStore();
  const icon = (name: string) => {
    const file = (theme: string) =>
      vscode.Uri.joinPath(extensionUri, 'media', 'icons', `${name}-${theme}.svg`);
    return { light: file('light'), dark: file('dark') };
  };
  const render = () => {
    const { title, needsUser, isWorking } = tabHeading(model.snapshot().state);
    panel.title = title;
    panel.iconPath = icon(needsUser ? 'piMcpWaiting' : isWorking ? 'piMcpWorking' : 'piMcp');
  };
  const surface: AgentSurface = {
    place: 'tab',
    webview: panel.webview,
    get isVisible() {
      return panel.visible;
    },
    get isActive() {
      return panel.active;
    },
    render,
    onDidChangeVisibility: panel.onDidChangeViewState,
    onDidClose: panel.onDidDispose,
    store,
    reveal: () => panel.reveal(),
    close: () => panel.dispose(),
    dispose: () => store.dispose(),
  };
  store.add(panel.onDidDispose(() => store.dispose()));
  follow(surface, model);
  return surface;
}

function follow({ store, onDidChangeVisibility, render }: AgentSurface, model: Heading): void {
  store.add(model.onDidChangeState(render));
  store.add(model.onDidReset(render));
  store.add(onDidChangeVisibility(render));
  render();
}
