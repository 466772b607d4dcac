/** Entry: stays small in windows that need nothing of us, and loads the rest when something does. */
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { DisposableStore } from './base/disposable.js';
import { isNeededAtStart } from './config/discovery/startNeeds.js';
import { globalConfigFiles, localConfigFile } from './config/parse/configLocations.js';
import { settingIds } from './contributions.js';
import type { PiMcpApi, PiMcpEvent } from './presentation/extensionApi.js';
import { WindowEntry } from './vscode/activation/windowEntry.js';

let entry: WindowEntry | undefined;

export function activate(context: vscode.ExtensionContext): PiMcpApi {
  const current = new WindowEntry(context);
  entry = current;
  context.subscriptions.push(current);
  current.register();
  void start(current);
  return apiOf(current);
}

async function start(current: WindowEntry): Promise<void> {
  const path = vscode.workspace.getConfiguration().get<string>(settingIds.globalConfigPath);
  const machine = { homeDir: homedir(), getVariable: (name: string) => process.env[name] };
  const folders = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
  const localFiles = folders.map((folder) => localConfigFile(folder, machine));
  await current.start(
    () => isNeededAtStart(folders, globalConfigFiles(machine, path), localFiles),
    localFiles.map(({ path: file }) => file),
  );
}

/** Resolves when no process of ours is left. */
export async function deactivate(): Promise<void> {
  await entry?.shutdown();
}

/** What other extensions get in a window that needed nothing of us yet: the first call loads the rest. */
function apiOf(extension: WindowEntry): PiMcpApi {
  const api = async () => (await extension.load()).api;
  let loaded: PiMcpApi | undefined;
  const eventOf =
    <T>(choose: (real: PiMcpApi) => PiMcpEvent<T>): PiMcpEvent<T> =>
    (listener) => {
      const store = new DisposableStore();
      void api().then((real) => store.add(choose(real)(listener)));
      return store;
    };
  return {
    version: 1,
    onDidChange: eventOf(({ onDidChange }) => onDidChange),
    onDidChangeServers: eventOf(({ onDidChangeServers }) => onDidChangeServers),
    onDidChangeTools: eventOf(({ onDidChangeTools }) => onDidChangeTools),
    settings() {
      void api().then((real) => {
        loaded = real;
      });
      // nothing was read yet
      return loaded?.settings() ?? { enabled: true, connected: 0, total: 0 };
    },
    updateSettings: async (...args) => (await api()).updateSettings(...args),
    servers: async (...args) => (await api()).servers(...args),
    upsert: async (...args) => (await api()).upsert(...args),
    remove: async (...args) => (await api()).remove(...args),
    probe: async (...args) => (await api()).probe(...args),
    start: async (...args) => (await api()).start(...args),
    stop: async (...args) => (await api()).stop(...args),
    tools: async (...args) => (await api()).tools(...args),
    agentTools: async (...args) => (await api()).agentTools(...args),
    requestTrust: async (...args) => (await api()).requestTrust(...args),
    revokeTrust: async (...args) => (await api()).revokeTrust(...args),
  };
}
