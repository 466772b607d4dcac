import type * as vscode from 'vscode';
import { Coalescer } from '../../base/async/coalescer.js';
import { DisposableOwner } from '../../base/disposable.js';
import { storageKeys } from '../../contributions.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { rowsToKeep } from '../../presentation/tree/rowsToKeep.js';
import type { ReportError } from '../reportError.js';

/** Changes come in bursts, while servers connect. */
const keepDelayMs = 100;

/** Keeps the rows of the servers for the next window. */
export class RowKeeper extends DisposableOwner {
  constructor(
    private readonly service: McpService,
    private readonly workspaceState: vscode.Memento,
    onError: ReportError,
  ) {
    super();
    const keeping = this.store.add(
      new Coalescer(() => this.keep(), {
        delayMs: keepDelayMs,
        maxDelayMs: keepDelayMs,
        onError,
      }),
    );
    this.store.add(service.onDidChangePools(() => keeping.request()));
    this.store.add(service.onDidChangeServer(() => keeping.request()));
    keeping.request();
  }

  private async keep(): Promise<void> {
    const rows = rowsToKeep(this.service);
    const kept = this.workspaceState.get(storageKeys.serverRows);
    if (JSON.stringify(rows) !== JSON.stringify(kept)) {
      await this.workspaceState.update(storageKeys.serverRows, rows);
    }
  }
}
