import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import type { McpService } from '../../mcp/mcpApi.js';
import type { HostEnvironment } from '../../mcp/ports.js';
import { VariableCompletionProvider } from './configCompletion.js';
import { ConfigDiagnostics } from './configDiagnostics.js';
import type { ConfigFiles } from './configFiles.js';
import { ConfigHoverProvider } from './configHover.js';

const selector: vscode.DocumentSelector = [
  { language: 'json', scheme: 'file' },
  { language: 'jsonc', scheme: 'file' },
];

export function registerLanguageFeatures(
  files: ConfigFiles,
  service: McpService,
  environment: HostEnvironment,
  onError: (error: unknown) => void,
): Disposable {
  const store = new DisposableStore();
  store.add(new ConfigDiagnostics(files, onError));
  store.add(
    vscode.languages.registerHoverProvider(
      selector,
      new ConfigHoverProvider(files, service, environment),
    ),
  );
  store.add(
    vscode.languages.registerCompletionItemProvider(
      selector,
      new VariableCompletionProvider(files, environment),
      ...VariableCompletionProvider.triggerCharacters,
    ),
  );
  return store;
}
