import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.js';
import type { InputStore } from '../../config/inputs/inputStore.js';
import type { settingIds } from '../../contributions.js';
import { loadEngine } from '../../mcp/connection/engineSelection.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { createMcpCore } from '../../mcp/service/mcpCore.js';
import { createNodeHostEnvironment } from '../../platform/environment/nodeHostEnvironment.js';
import { NodeFileWatcher } from '../../platform/nodeFileWatcher.js';
import type { Manifest } from '../../presentation/doctor/versions.js';
import { showInformation } from '../notifications.js';
import type { AuthorizationPrompter } from '../prompts/authorizationPrompter.js';
import type { InputPrompter } from '../prompts/inputPrompter.js';
import type { ServerQuestions } from '../questions/serverQuestions.js';
import { createErrorReporter } from '../reportError.js';
import type { ConfigValue } from '../workspace/configValue.js';
import { LogChannels } from '../workspace/logChannels.js';
import type { createSecretStore } from '../workspace/secretStore.js';
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
      ...createNodeHostEnvironment({ editorRoot: vscode.env.appRoot }),
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

export interface ServiceParts {
  readonly globalConfigPath: ConfigValue<typeof settingIds.globalConfigPath>;
  readonly secrets: ReturnType<typeof createSecretStore>;
  /** Processes that start would take the processors from the first rows, which come a second later then. */
  readonly startsAfter: Promise<void>;
  /** Those who ask the user on behalf of servers, and know the servers themselves: taken when the first one asks. */
  readonly asked: () => {
    readonly inputs: InputStore;
    readonly inputPrompter: InputPrompter;
    readonly signIns: AuthorizationPrompter;
    readonly asking: ServerQuestions;
  };
}

/** The servers of this window; reading their configuration begins at once. */
export function createService(
  { logs, workspace, environment, watcher, storageDir, version }: Host,
  { globalConfigPath, secrets, asked, startsAfter }: ServiceParts,
): McpService {
  return createMcpCore({
    onNotice: (sentence) => void showInformation(sentence),
    workspace,
    environment,
    loggers: logs,
    storageDir,
    watcher,
    secrets,
    globalConfigPath: () => globalConfigPath.value,
    inputs: { resolve: async (...args) => asked().inputPrompter.resolve(...args) },
    answers: {
      get: async (...args) => asked().inputs.get(...args),
      set: async (...args) => asked().inputs.set(...args),
      forget: async (...args) => asked().inputs.forget(...args),
    },
    authorizationPrompt: (launch, server) => asked().signIns.promptFor(launch, server),
    features: async (definition) => asked().asking.featuresOf(definition),
    engine: loadEngine,
    startPolicy: 'connect',
    startsAfter,
    isTrafficTraced: () => logs.isTrafficTraced,
    clientVersion: version,
  });
}
