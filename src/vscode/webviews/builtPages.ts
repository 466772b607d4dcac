/** While Pi MCP itself is developed: pages that the watch has built anew are loaded anew. */
import type * as vscode from 'vscode';
import { Coalescer } from '../../base/async/coalescer.js';
import { type Disposable, DisposableStore } from '../../base/disposable.js';

/** Milliseconds; a build writes several files. */
const quietMs = 200;

/** The parts of VS Code that it needs. */
export type Developing = Pick<
  typeof vscode,
  'commands' | 'ExtensionMode' | 'RelativePattern' | 'Uri' | 'workspace'
>;

/** Does nothing for users. */
export function followBuiltPages(
  { commands, ExtensionMode, RelativePattern, Uri, workspace }: Developing,
  { extensionMode, extensionUri }: Pick<vscode.ExtensionContext, 'extensionMode' | 'extensionUri'>,
): Disposable {
  const store = new DisposableStore();
  if (extensionMode === ExtensionMode.Development) {
    const files = new RelativePattern(Uri.joinPath(extensionUri, 'dist', 'webview'), '*.{js,css}');
    const watcher = store.add(workspace.createFileSystemWatcher(files));
    const reload = store.add(
      new Coalescer(
        async () =>
          void (await commands.executeCommand('workbench.action.webview.reloadWebviewAction')),
        { delayMs: quietMs },
      ),
    );
    store.add(watcher.onDidChange(() => reload.request()));
    store.add(watcher.onDidCreate(() => reload.request()));
  }
  return store;
}
