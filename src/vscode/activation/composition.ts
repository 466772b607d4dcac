/** Composition root: constructs and wires what the first rows need, disposes. No decisions. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { once, onFirstUse } from '../../base/async/onFirstUse.js';
import { settingIds } from '../../contributions.js';
import { loadEngine } from '../../mcp/connection/engineSelection.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { createMcpCore } from '../../mcp/service/mcpCore.js';
import { apiSettings } from '../../presentation/apiSettings.js';
import { createLazyApi } from '../../presentation/lazyApi.js';
import type { Surfaces } from '../registerSurfaces.js';
import type { RowActions, ServersTree } from '../views/serversTree.js';
import { ServersView } from '../views/serversView.js';
import { ConfigValue } from '../workspace/configValue.js';
import { createSecretStore } from '../workspace/secretStore.js';
import { createHost, type Host } from './host.js';
import type { MakeRoom, Rest } from './rest.js';

export interface LoadedExtension extends Pick<Rest, 'api' | 'agentView'> {
  /** Registers commands, pages and editor features. */
  loadSurfaces(): Promise<Surfaces>;
  /** What users do to rows. */
  loadRowActions(): Promise<RowActions>;
  /** Registers the agent's commands. */
  loadAgent(): Promise<unknown>;
  /** Resolves when no process of ours is left. */
  shutdown(): Promise<void>;
}

export function compose(
  context: vscode.ExtensionContext,
  tree: ServersTree,
  room: MakeRoom,
): LoadedExtension {
  l10n.config({ contents: vscode.l10n.bundle ?? {} });
  const host = createHost(context);
  const { own, reportError, logs } = host;
  const globalConfigPath = own(new ConfigValue(settingIds.globalConfigPath));
  const secrets = createSecretStore(context.secrets);
  let rest: Rest | undefined;
  let isOver = false;
  const loadRest = once(async () => {
    await shown;
    const { composeRest } = await import('./rest.js');
    if (isOver) {
      throw new DOMException('The window closes', 'AbortError');
    }
    room.forRest();
    rest = composeRest({
      ...host,
      context,
      room,
      service,
      globalConfigPath,
      secrets,
      view,
      loaded,
    });
    return rest;
  });
  const service = createService(host, {
    globalConfigPath,
    secrets,
    loadRest,
    whenShown: () => shown,
  });
  const loaded = service.whenRead();
  const shown = tree.whenShown();
  const loadRowActions = async () => (await loadRest()).rowActions;
  const view = own(new ServersView(service, tree, loaded, loadRowActions, reportError));
  own(
    service.onDidChangePools(() => {
      logs.keepOnly(new Set(service.servers.map((server) => server.id)));
    }),
  );
  own(globalConfigPath.onDidChange(() => void service.reload().catch(reportError)));
  own({
    dispose: () => {
      isOver = true;
    },
  });
  loadRest().catch(reportError);
  return {
    api: { ...createLazyApi({ load: loadRest }), settings: () => apiSettings(service) },
    agentView: onFirstUse(
      async () => (await loadRest()).agentView,
      'resolveWebviewView',
      'deserializeWebviewPanel',
    ),
    loadRowActions,
    loadSurfaces: async () => (await loadRest()).loadSurfaces(),
    loadAgent: async () => (await loadRest()).loadAgent(),
    shutdown: async () => {
      isOver = true;
      await rest?.stop();
      await service.shutdown();
    },
  };
}

/** The servers. Those who ask the user on their behalf are loaded with the rest. */
function createService(
  { own, logs, workspace, environment, watcher, storageDir, version }: Host,
  parts: {
    readonly globalConfigPath: ConfigValue<typeof settingIds.globalConfigPath>;
    readonly secrets: ReturnType<typeof createSecretStore>;
    readonly loadRest: () => Promise<Rest>;
    readonly whenShown: () => Promise<void>;
  },
): McpService {
  const { globalConfigPath, secrets, loadRest, whenShown } = parts;
  return own(
    createMcpCore({
      onNotice: (sentence) =>
        void import('../notifications.js').then(({ showInformation }) => showInformation(sentence)),
      workspace,
      environment,
      loggers: logs,
      storageDir,
      watcher,
      secrets,
      whenShown,
      globalConfigPath: () => globalConfigPath.value,
      inputs: onFirstUse(async () => (await loadRest()).inputPrompter, 'resolve'),
      answers: onFirstUse(async () => (await loadRest()).inputs, 'get', 'set', 'forget'),
      authorizationPrompt: (launch, server) =>
        onFirstUse(async () => (await loadRest()).signIns.promptFor(launch, server), 'begin'),
      features: async (definition) => (await loadRest()).asking.featuresOf(definition),
      engine: loadEngine,
      startPolicy: 'connect',
      isTrafficTraced: () => logs.isTrafficTraced,
      clientVersion: version,
    }),
  );
}
