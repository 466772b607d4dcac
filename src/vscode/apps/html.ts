import * as vscode from 'vscode';
import { readTextFile } from '../../platform/boundedFile.js';
import { type AppPageFiles, appPage } from '../../presentation/apps/appPage.js';
import { l10nJson } from '../webviews/webviewHtml.js';

export async function readAppPageFiles(extensionUri: vscode.Uri): Promise<AppPageFiles> {
  const read = (...path: string[]) =>
    readTextFile(vscode.Uri.joinPath(extensionUri, ...path).fsPath);
  const [script, style] = await Promise.all([
    read('dist', 'webview', 'app.js'),
    read('dist', 'webview', 'app.css'),
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

/** @param policy of the app */
export function appHtml(files: AppPageFiles, policy: string): string {
  return appPage({
    ...files,
    policy,
    title: vscode.l10n.t('MCP App'),
    language: vscode.env.language,
    texts: l10nJson(),
  });
}
