import * as vscode from 'vscode';
import type { ContextKey } from '../../presentation/tree/windowKeys.js';

/** Context keys of one owner; VS Code is told what changed. */
export class ContextValues {
  private readonly known = new Map<string, boolean>();

  set(values: Readonly<{ [key in ContextKey]?: boolean }>): void {
    for (const [key, value] of Object.entries(values)) {
      if (this.known.get(key) !== value) {
        this.known.set(key, value);
        void vscode.commands.executeCommand('setContext', key, value);
      }
    }
  }
}
