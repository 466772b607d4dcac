import * as vscode from 'vscode';
import type { HostEnvironment } from '../../mcp/ports.js';
import type { ConfigFiles } from './configFiles.js';
import { openVariableAt } from './stringAt.js';

/** Variables inside of string values; the schema completes everything else. */
export class VariableCompletionProvider implements vscode.CompletionItemProvider {
  static readonly triggerCharacters = ['$', '{', ':'];

  constructor(
    private readonly files: ConfigFiles,
    private readonly environment: HostEnvironment,
  ) {}

  provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): vscode.CompletionItem[] {
    const open = this.files.find(document)
      ? openVariableAt(document.getText(), document.offsetAt(position))
      : undefined;
    if (!open) {
      return [];
    }
    const range = new vscode.Range(document.positionAt(open.start), document.positionAt(open.end));
    const item = (text: string, detail: string, order: string) => {
      const completion = new vscode.CompletionItem(text, vscode.CompletionItemKind.Variable);
      completion.detail = detail;
      completion.range = range;
      completion.filterText = text;
      completion.sortText = order + text;
      return completion;
    };
    const place = vscode.l10n.t('Filled in when the server starts');
    const variable = vscode.l10n.t('Environment variable');
    return [
      item('${workspaceFolder}', place, '0'),
      item('${userHome}', place, '0'),
      ...Object.keys(this.environment.allVariables()).map((name) =>
        item(`\${env:${name}}`, variable, '1'),
      ),
    ];
  }
}
