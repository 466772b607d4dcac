import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.js';
import { type ObservableValue, ValueEmitter } from '../../base/valueEmitter.js';
import { settingIds } from '../../contributions.js';
import type { WrittenSeverities } from '../../presentation/language/serverAdvice.js';

/** `piMcp.validation.severities`, by who wrote it: the merged value would let a workspace overrule its user. */
export class SeveritySetting implements ObservableValue<WrittenSeverities>, Disposable {
  private readonly emitter = new ValueEmitter(read());
  readonly onDidChange = this.emitter.onDidChange;
  private readonly subscription = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(settingIds.validationSeverities)) {
      this.emitter.set(read());
    }
  });

  get value(): WrittenSeverities {
    return this.emitter.value;
  }

  dispose(): void {
    this.subscription.dispose();
    this.emitter.dispose();
  }
}

function read(): WrittenSeverities {
  const sources = vscode.workspace
    .getConfiguration()
    .inspect<Readonly<Record<string, unknown>>>(settingIds.validationSeverities);
  return {
    user: sources?.globalValue,
    project: { ...sources?.workspaceValue, ...sources?.workspaceFolderValue },
  };
}
