/** Entry: stays small in windows that need nothing of us, and loads the rest when something does. */
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { nextTurn } from './base/async/nextTurn.js';
import { isNeededAtStart } from './config/discovery/startNeeds.js';
import { globalConfigFiles, localConfigFile } from './config/parse/configLocations.js';
import { settingIds } from './contributions.js';
import type { PiMcpApi } from './presentation/extensionApi.js';
import { createLazyApi } from './presentation/lazyApi.js';
import { LazyExtension } from './vscode/activation/lazyExtension.js';

let extension: LazyExtension | undefined;

export function activate(context: vscode.ExtensionContext): PiMcpApi {
  const lazy = new LazyExtension(context);
  extension = lazy;
  context.subscriptions.push(lazy);
  lazy.register();
  void start(lazy);
  return createLazyApi(lazy);
}

/** VS Code goes on with other extensions first. */
async function start(lazy: LazyExtension): Promise<void> {
  await nextTurn();
  const path = vscode.workspace.getConfiguration().get<string>(settingIds.globalConfigPath);
  const machine = { homeDir: homedir(), getVariable: (name: string) => process.env[name] };
  const folders = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
  const localFiles = folders.map((folder) => localConfigFile(folder, machine));
  await lazy.start(
    () => isNeededAtStart(folders, globalConfigFiles(machine, path), localFiles),
    localFiles.map(({ path: file }) => file),
  );
}

/** Resolves when no process of ours is left. */
export async function deactivate(): Promise<void> {
  await extension?.shutdown();
}
