import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.js';
import { createNodeHostEnvironment } from '../../platform/environment/nodeHostEnvironment.js';
import { NodeFileWatcher } from '../../platform/nodeFileWatcher.js';
import type { Manifest } from '../../presentation/doctor/versions.js';
import { createErrorReporter } from '../reportError.js';
import { LogChannels } from '../workspace/logChannels.js';
import { VscodeWorkspace } from '../workspace/vscodeWorkspace.js';

export type Host = ReturnType<typeof createHost>;

/** What VS Code and the machine give. */
export function createHost({
  subscriptions,
  extensionUri,
  globalStorageUri,
  extension,
}: vscode.ExtensionContext) {
  const own = <T extends Disposable>(item: T): T => {
    subscriptions.push(item);
    return item;
  };
  const logs = own(new LogChannels());
  return {
    own,
    logs,
    reportError: createErrorReporter(logs.main, () => logs.showMain()),
    workspace: own(new VscodeWorkspace()),
    environment: {
      ...createNodeHostEnvironment(),
      proxySetting: () =>
        vscode.workspace.getConfiguration('http').get<string>('proxy') || undefined,
    },
    watcher: new NodeFileWatcher(),
    storageDir: globalStorageUri.fsPath,
    extensionUri,
    version: String(extension.packageJSON.version),
    manifest: extension.packageJSON as Manifest,
  };
}
