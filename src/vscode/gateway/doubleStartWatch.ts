import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import type { McpService } from '../../mcp/mcpApi.js';
import type { DoubleStarts } from '../../mcp/otherClients/doubleStarts.js';

/** Between two looks at processes and tools, of which no event tells. */
const lookEveryMs = 10_000;
/** After a server of ours changed. */
const lookSoonMs = 1000;

/** Looks for double starts while somebody may see them: the view is in sight, in a window that has the focus. */
export class DoubleStartWatch implements Disposable {
  private readonly store = new DisposableStore();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private due = Number.POSITIVE_INFINITY;

  constructor(
    service: McpService,
    private readonly starts: DoubleStarts,
    private readonly view: vscode.TreeView<unknown>,
  ) {
    const now = () => this.lookIn(0);
    this.store.add(view.onDidChangeVisibility(now));
    this.store.add(vscode.window.onDidChangeWindowState(now));
    this.store.add(service.onDidChangePools(() => this.lookIn(lookSoonMs)));
    this.store.add(service.onDidChangeServer(() => this.lookIn(lookSoonMs)));
    now();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.store.dispose();
  }

  private lookIn(ms: number): void {
    const due = performance.now() + ms;
    if (due < this.due && this.view.visible && vscode.window.state.focused) {
      clearTimeout(this.timer);
      this.due = due;
      this.timer = setTimeout(() => void this.look(), ms);
    }
  }

  private async look(): Promise<void> {
    this.due = Number.POSITIVE_INFINITY;
    await this.starts.refresh();
    if (!this.store.isDisposed) {
      this.lookIn(lookEveryMs);
    }
  }
}
