import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { OtherClient } from '../../config/lint/lintTypes.js';

const section = 'chat.mcp';

/** The MCP support of VS Code itself, which reads the `.mcp.json` of folders too and knows nothing of our consent. */
export class VsCodeMcp implements Disposable {
  private readonly store = new DisposableStore();
  private readonly emitter = this.store.add(new Emitter<void>());
  readonly onDidChange = this.emitter.event;

  constructor() {
    this.store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(section)) {
          this.emitter.fire();
        }
      }),
    );
  }

  /** Itself, where somebody set it up and did not switch it off. */
  get clients(): readonly OtherClient[] {
    return this.isInUse ? ['vscode'] : [];
  }

  private get isInUse(): boolean {
    const settings = vscode.workspace.getConfiguration(section);
    const isSetUp = ['access', 'discovery.enabled'].some((name) => {
      const setting = settings.inspect<unknown>(name);
      return (setting?.globalValue ?? setting?.workspaceValue) !== undefined;
    });
    return isSetUp && settings.get('access') !== 'none';
  }

  dispose(): void {
    this.store.dispose();
  }
}
