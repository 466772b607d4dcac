import type * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { storageKeys } from '../../contributions.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { rowsToKeep } from '../../presentation/tree/rowsToKeep.js';
import type { ReportError } from '../reportError.js';

/** Changes come in bursts, while servers connect. */
const keepDelayMs = 100;

/** Keeps the rows of the servers for the next window. */
export class RowKeeper implements Disposable {
  private readonly store = new DisposableStore();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly service: McpService,
    private readonly workspaceState: vscode.Memento,
    private readonly onError: ReportError,
  ) {
    const schedule = () => {
      this.timer ??= setTimeout(() => this.keep(), keepDelayMs);
    };
    this.store.add(service.onDidChangePools(schedule));
    this.store.add(service.onDidChangeServer(schedule));
    schedule();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.store.dispose();
  }

  private keep(): void {
    this.timer = undefined;
    const rows = rowsToKeep(this.service);
    const kept = this.workspaceState.get(storageKeys.serverRows);
    if (JSON.stringify(rows) !== JSON.stringify(kept)) {
      this.workspaceState.update(storageKeys.serverRows, rows).then(undefined, this.onError);
    }
  }
}
