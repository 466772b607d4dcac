/** Runs in plain Node, hence `@vscode/l10n`; both readers share one bundle. */
import * as l10n from '@vscode/l10n';
import { DisposableStore } from '../base/disposable.js';
import { HumanError, isHumanError } from '../base/errors.js';
import { globalPoolId, serverId, type WorkspaceFolder } from '../config/definition.js';
import { assertUsable, folderUnknown, serverUnknown } from '../config/errors.js';
import type { McpPool, McpServer, McpService } from '../mcp/mcpApi.js';
import { watchServers } from '../mcp/service/watchServers.js';
import { shownEntry } from '../mcp/shownEntry.js';
import { launchKind } from '../mcp/stateKinds.js';
import { stateText } from '../mcp/trouble/stateText.js';
import { AgentToolList, type AgentToolListOptions } from './agentToolList.js';
import type { PiMcpApi, PiMcpServer, PiMcpSettings } from './extensionApi.js';

export interface ExtensionApiParts extends AgentToolListOptions {
  readonly service: McpService;
  readonly consent: { request(folder: WorkspaceFolder): Promise<void> };
  /** Settles when the configuration was read. */
  readonly loaded: Promise<void>;
}

export function createExtensionApi(parts: ExtensionApiParts): PiMcpApi {
  const { service, consent, loaded } = parts;
  const agentTools = new AgentToolList(parts);
  const server = async (poolId: string, name: string) => {
    await loaded;
    return requireServer(service, poolId, name);
  };
  return {
    version: 1,
    onDidChange(listener) {
      const store = new DisposableStore();
      // what changed is an object of ours, with secrets in it
      const tell = () => listener();
      store.add(service.onDidChangePools(tell));
      store.add(service.onDidChangeServer(tell));
      store.add(service.trust.onDidChange(tell));
      return store;
    },
    onDidChangeServers: (listener) => watchServers(service, listener),
    onDidChangeTools: (listener) => agentTools.watch(listener),
    settings: () => apiSettings(service),
    async updateSettings({ enabled }) {
      await service.configuration.setMasterDisabled(globalPoolId, !enabled);
      await service.reload();
      return apiSettings(service);
    },
    async servers(poolId) {
      await loaded;
      const pools = service.pools.filter((pool) => poolId === undefined || pool.id === poolId);
      const found = pools.flatMap((pool) => pool.servers);
      return Promise.all(found.map((one) => describe(service, one)));
    },
    async upsert(poolId, name, entry) {
      await loaded;
      rejectInvalid(service, name, entry);
      const id = serverId(requirePool(service, poolId).id, name);
      await (service.getServer(id)
        ? service.configuration.updateServer(id, { entry })
        : service.configuration.addServer(poolId, name, entry));
      await service.reload();
      return describe(service, requireServer(service, poolId, name));
    },
    async remove(poolId, name) {
      await service.configuration.removeServer((await server(poolId, name)).id);
      await service.reload();
    },
    async probe(poolId, name) {
      const found = await server(poolId, name);
      await found.restart();
      return describe(service, found);
    },
    async start(poolId, name) {
      const found = await server(poolId, name);
      await started(found);
      return describe(service, found);
    },
    async stop(poolId, name) {
      const found = await server(poolId, name);
      await found.stop();
      return describe(service, found);
    },
    tools: async (poolId, name) =>
      structuredClone((await server(poolId, name)).catalog.value.tools),
    async agentTools(folderUri) {
      await loaded;
      return agentTools.list(
        folderUri === undefined ? undefined : requirePool(service, folderUri).folder?.uri,
      );
    },
    async requestTrust(folderUri) {
      await loaded;
      await consent.request(requireFolder(service, folderUri));
      return service.trust.folderTrust(folderUri);
    },
    async revokeTrust(folderUri) {
      await loaded;
      await service.trust.revoke(requireFolder(service, folderUri).uri);
      return service.trust.folderTrust(folderUri);
    },
  };
}

/** The state says how it went. */
async function started(server: McpServer): Promise<void> {
  await server.ensureConnected().catch((error: unknown) => {
    if (!isHumanError(error)) {
      throw error;
    }
  });
}

async function describe(service: McpService, server: McpServer): Promise<PiMcpServer> {
  const { definition } = server;
  const entry = await shownEntry(service, server);
  return {
    poolId: definition.poolId,
    name: definition.name,
    kind: launchKind(definition),
    enabled: definition.enabled,
    state: server.state.value.kind,
    stateText: stateText(server.state.value).sentence,
    toolCount: server.catalog.value.tools.length,
    source: definition.origin.path,
    problems: structuredClone(definition.problems),
    folderTrust: definition.folder && service.trust.folderTrust(definition.folder.uri),
    entry,
  };
}

function rejectInvalid(
  service: McpService,
  name: string,
  entry: Readonly<Record<string, unknown>>,
): void {
  assertUsable(service.configuration.validate(name, entry));
}

function requirePool(service: McpService, poolId: string): McpPool {
  const pool = service.getPool(poolId);
  if (!pool) {
    throw folderUnknown();
  }
  return pool;
}

function requireFolder(service: McpService, folderUri: string): WorkspaceFolder {
  const { folder } = requirePool(service, folderUri);
  if (!folder) {
    throw new HumanError('consent_not_needed', l10n.t('User servers need no trust.'));
  }
  return folder;
}

function requireServer(service: McpService, poolId: string, name: string): McpServer {
  const server = service.getServer(serverId(poolId, name));
  if (!server) {
    throw serverUnknown(name);
  }
  return server;
}

/** The master switch, and how many servers are connected. */
function apiSettings(service: McpService): PiMcpSettings {
  const states = service.servers.map((one) => one.state.value.kind);
  const global = service.getPool(globalPoolId);
  return {
    enabled: global?.isMasterDisabled !== true,
    connected: states.filter((kind) => kind === 'connected').length,
    total: states.filter((kind) => kind !== 'disabled').length,
  };
}
