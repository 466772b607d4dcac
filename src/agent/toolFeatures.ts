/** What the user decides about tools, kept in the extension's storage and shared by all windows. */
import { type Disposable, DisposableStore } from '../base/disposable.js';
import { ToolSwitches } from '../mcp/catalog/toolSwitches.js';
import type { FileWatcher, Logger } from '../mcp/ports.js';
import { ApprovalStore } from './approvalStore.js';

export interface ToolFeaturesOptions {
  /** Absolute; `undefined` keeps decisions in memory only. */
  readonly directory: string | undefined;
  readonly watcher: FileWatcher;
  readonly logger: Logger;
}

export class ToolFeatures implements Disposable {
  private readonly store = new DisposableStore();
  readonly switches: ToolSwitches;
  readonly approvals: ApprovalStore;

  constructor(options: ToolFeaturesOptions) {
    this.switches = this.store.add(new ToolSwitches(options));
    this.approvals = this.store.add(new ApprovalStore(options));
  }

  /** Reads the files. Never rejects. */
  async start(): Promise<void> {
    await Promise.all([this.switches.start(), this.approvals.start()]);
  }

  dispose(): void {
    this.store.dispose();
  }
}
