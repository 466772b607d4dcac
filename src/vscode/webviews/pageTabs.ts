/** Tabs of pages: made for the user, or handed back by VS Code after a reload of its window. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { webviewOptions } from './webviewHtml.js';

export interface TabKindOptions {
  /** Under which VS Code keeps the tab. */
  readonly type: string;
  readonly extensionUri: vscode.Uri;
  /** What VS Code gives the page beside its files. Default: nothing. */
  readonly extra?: vscode.WebviewPanelOptions;
}

/** Tabs that look the same however they came to be. */
export class TabKind implements vscode.WebviewPanelSerializer {
  /** @param restore fills a tab that comes back; `saved` is what its page wrote down, which may be anything */
  constructor(
    private readonly options: TabKindOptions,
    private readonly restore: (panel: vscode.WebviewPanel, saved: unknown) => void | Promise<void>,
  ) {}

  /** An empty tab beside what the user works on. */
  create(title: string): vscode.WebviewPanel {
    const { type, extensionUri, extra } = this.options;
    const options = { ...webviewOptions(extensionUri), ...extra };
    const panel = vscode.window.createWebviewPanel(type, title, vscode.ViewColumn.Active, options);
    this.mark(panel);
    return panel;
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    panel.webview.options = webviewOptions(this.options.extensionUri);
    this.mark(panel);
    await this.restore(panel, saved);
  }

  private mark(panel: vscode.WebviewPanel): void {
    const file = (theme: string) =>
      vscode.Uri.joinPath(this.options.extensionUri, 'media', 'icons', `piMcp-${theme}.svg`);
    panel.iconPath = { light: file('light'), dark: file('dark') };
  }
}

export interface PageTabsOptions<Subject, Tab extends Disposable> extends TabKindOptions {
  readonly titleOf: (subject: Subject) => string;
  /** Subjects with equal keys share a tab. Default: all do. */
  readonly keyOf?: (subject: Subject) => string;
  /**
   * What a tab is about that comes back; a state, where it is not there any more. Starts nothing and asks nothing.
   * Default: there is one subject alone.
   */
  readonly read?: (saved: unknown) => Subject | Promise<Subject>;
  /** Gives the tab its page. */
  readonly open: (panel: vscode.WebviewPanel, subject: Subject) => Tab;
  /** The user has closed the tab. Default: nothing more happens. */
  readonly onDidClose?: (subject: Subject) => void;
}

interface OpenTab<Tab> {
  readonly panel: vscode.WebviewPanel;
  readonly tab: Tab;
}

/** One tab for each subject. */
export class PageTabs<Subject, Tab extends Disposable>
  implements Disposable, vscode.WebviewPanelSerializer
{
  private readonly store = new DisposableStore();
  private readonly kind: TabKind;
  private readonly opened = new Map</* key */ string, OpenTab<Tab>>();

  constructor(private readonly options: PageTabsOptions<Subject, Tab>) {
    this.kind = new TabKind(options, (panel, saved) => this.restore(panel, saved));
  }

  /** Those that are open. */
  get all(): readonly Tab[] {
    return [...this.opened.values()].map(({ tab }) => tab);
  }

  of(key: string): Tab | undefined {
    return this.opened.get(key)?.tab;
  }

  /** Brings the tab of the subject to the front, made now where there is none. */
  show(subject: Subject): Tab {
    const known = this.opened.get(this.keyOf(subject));
    if (known) {
      known.panel.reveal();
      return known.tab;
    }
    return this.fill(this.kind.create(this.options.titleOf(subject)), subject);
  }

  close(key: string): void {
    this.opened.get(key)?.panel.dispose();
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    return this.kind.deserializeWebviewPanel(panel, saved);
  }

  dispose(): void {
    this.store.dispose();
    for (const { panel } of [...this.opened.values()]) {
      panel.dispose();
    }
  }

  private async restore(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    const closed = new DisposableStore();
    closed.add(panel.onDidDispose(() => closed.dispose()));
    const subject = (await this.options.read?.(saved)) as Subject;
    if (closed.isDisposed || this.store.isDisposed) {
      return;
    }
    closed.dispose();
    const known = this.opened.get(this.keyOf(subject));
    if (known) {
      // the user was faster: that tab knows more
      panel.dispose();
      known.panel.reveal();
      return;
    }
    panel.title = this.options.titleOf(subject);
    this.fill(panel, subject);
  }

  private fill(panel: vscode.WebviewPanel, subject: Subject): Tab {
    const key = this.keyOf(subject);
    const tab = this.options.open(panel, subject);
    this.opened.set(key, { panel, tab });
    panel.onDidDispose(() => {
      this.opened.delete(key);
      tab.dispose();
      if (!this.store.isDisposed) {
        this.options.onDidClose?.(subject);
      }
    });
    return tab;
  }

  private keyOf(subject: Subject): string {
    return this.options.keyOf?.(subject) ?? '';
  }
}
