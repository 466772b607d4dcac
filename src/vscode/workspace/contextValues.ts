import * as vscode from 'vscode';
import { stepsByKey } from '../../contributions.js';
import type { ContextKey } from '../../presentation/tree/windowKeys.js';

/** Context keys of one owner; VS Code is told what changed. */
export class ContextValues {
  private readonly known = new Map<string, boolean>();

  set(values: Readonly<{ [key in ContextKey]?: boolean }>): void {
    for (const [key, value] of Object.entries(values)) {
      if (this.known.get(key) !== value) {
        this.known.set(key, value);
        void vscode.commands.executeCommand('setContext', key, value);
        const step = value ? stepsByKey.get(key) : undefined;
        if (step) {
          completeStep(step);
        }
      }
    }
  }
}

/** VS Code itself misses a key that held before anyone opened the walkthrough. */
function completeStep(id: string): void {
  // it rejects where it has not read the steps of extensions yet, and remembers the step nevertheless
  vscode.commands.executeCommand('welcome.markStepComplete', id).then(undefined, () => undefined);
}
