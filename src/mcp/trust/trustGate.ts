import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { McpServerDefinition } from '../mcpTypes.js';
import type { Workspace } from '../ports.js';
import { canStart, type FolderConsent, type StartVerdict } from './canStart.js';
import type { TrustStore } from './trustStore.js';

export interface TrustGateOptions {
  readonly store: TrustStore;
  readonly workspace: Workspace;
  /** Folders in which everything counts as consented for this run; nothing is stored. Default: none. */
  readonly consentOverride?: ((folderUri: string) => boolean) | undefined;
}

/** Puts the facts of now to {@link canStart}. */
export class TrustGate implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly _onDidChange = this.disposables.add(new Emitter<void>());
  /** A verdict may have changed. */
  readonly onDidChange = this._onDidChange.event;
  private globalNames: ReadonlySet<string> = new Set();

  constructor(private readonly options: TrustGateOptions) {}

  start(): void {
    const { store, workspace } = this.options;
    this.disposables.add(store.onDidChange(() => this._onDidChange.fire()));
    this.disposables.add(workspace.onDidChangeTrust(() => this._onDidChange.fire()));
  }

  get isWorkspaceTrusted(): boolean {
    return this.options.workspace.isTrusted;
  }

  setGlobalNames(names: ReadonlySet<string>): void {
    this.globalNames = names;
  }

  consentOf(folderUri: string): FolderConsent {
    const { store, consentOverride } = this.options;
    const stored = store.get(folderUri);
    return consentOverride?.(folderUri)
      ? { ...stored, folderGrantedAt: stored.folderGrantedAt ?? '' }
      : stored;
  }

  check(definition: McpServerDefinition): StartVerdict {
    return canStart(
      definition,
      { isWorkspaceTrusted: this.isWorkspaceTrusted, globalNames: this.globalNames },
      this.consentOf(definition.poolId),
    );
  }

  dispose(): void {
    this.disposables.dispose();
  }
}
