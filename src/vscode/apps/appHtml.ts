import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { escapeHtml, l10nJson } from '../webviews/webviewHtml.js';

/** The two files that the page around an app is made of. */
export interface AppPageFiles {
  readonly script: string;
  readonly style: string;
}

export async function readAppPageFiles(extensionUri: vscode.Uri): Promise<AppPageFiles> {
  const read = (...path: string[]) =>
    readFile(vscode.Uri.joinPath(extensionUri, ...path).fsPath, 'utf8');
  const [script, style] = await Promise.all([
    read('dist', 'webview', 'app.js'),
    read('media', 'webview', 'app.css'),
  ]);
  return { script, style };
}

/** Nothing is loaded from anywhere, and not one character comes from a server. */
export function appWebviewOptions(): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: false,
    localResourceRoots: [],
  };
}

/**
 * The page around an app. The app's document, which the page puts into a sandboxed frame, inherits the policy, so the
 * policy has to allow inline scripts: the page itself holds no others than ours.
 * @param policy of the app
 */
export function appHtml({ script, style }: AppPageFiles, policy: string): string {
  return `<!DOCTYPE html>
<html lang="${escapeHtml(vscode.env.language)}">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
  <meta http-equiv="x-dns-prefetch-control" content="off">
  <meta name="referrer" content="no-referrer">
  <meta name="viewport" content="width=device-width, initial-scale=1.0">
  <title>${escapeHtml(vscode.l10n.t('MCP App'))}</title>
  <style>${style}</style>
</head>
<body>
  <script type="application/json" id="l10n">${l10nJson()}</script>
  <script>${script}</script>
</body>
</html>`;
}
