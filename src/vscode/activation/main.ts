/** Entry of all our code of the extension host: constructs and wires, disposes. No decisions. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  agentTabType,
  type CommandId,
  type PagePanelType,
  settingIds,
} from '../../contributions.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { createExtensionApi } from '../../presentation/createExtensionApi.js';
import type { PiMcpApi } from '../../presentation/extensionApi.js';
import { AgentOnUse } from '../agentOnUse.js';
import { runCommand } from '../commandHandlers.js';
import { createAgent } from '../createAgent.js';
import { createSurfaces, type SurfaceParts, type Surfaces } from '../createSurfaces.js';
import { ResourceFiles } from '../documents/resourceFiles.js';
import type { EditorServers } from '../gateway/editorServers.js';
import { ConfigFiles } from '../language/configFiles.js';
import { TerminalMentions } from '../mentions/terminalMentions.js';
import { registerViews } from '../registerViews.js';
import type { RowActions, ServersTree } from '../views/serversTree.js';
import { ServersView } from '../views/serversView.js';
import { followBuiltPages } from '../webviews/builtPages.js';
import { ConfigValue } from '../workspace/configValue.js';
import { createSecretStore } from '../workspace/secretStore.js';
import {
  createAdvice,
  createGateways,
  createHost,
  createQuestions,
  createService,
  createTools,
} from './host.js';

/** What the entry has registered already. */
export interface EntryParts {
  readonly tree: ServersTree;
  readonly editorServers: EditorServers;
}

/** What the entry hands on to. */
export interface Main {
  readonly api: PiMcpApi;
  readonly agentView: AgentOnUse['view'];
  readonly rowActions: RowActions;
  /** What tabs come back through after a reload. */
  readonly tabs: Readonly<
    Record<PagePanelType | typeof agentTabType, vscode.WebviewPanelSerializer>
  >;
  readonly links: vscode.UriHandler;
  /** Reports what went wrong. */
  run(id: CommandId, args: readonly unknown[]): Promise<void>;
  /** Resolves when no process of ours is left. */
  shutdown(): Promise<void>;
}

export function compose(context: vscode.ExtensionContext, entry: EntryParts): Main {
  l10n.config({ contents: vscode.l10n.bundle ?? {} });
  const host = createHost(context);
  const { own, machine, reportError, logs } = host;
  const { environment, workspace } = machine;
  own(followBuiltPages(vscode, context));
  const globalConfigPath = own(new ConfigValue(settingIds.globalConfigPath));
  const secrets = createSecretStore(context.secrets);
  const service: McpService = own(
    createService(host, {
      globalConfigPath,
      secrets,
      startsAfter: entry.tree.whenShown(),
      asked: () => asked,
    }),
  );
  const loaded = service.whenRead();
  const terminals = own(new TerminalMentions());
  const agent: AgentOnUse = own(
    new AgentOnUse(environment, () =>
      createAgent({
        ...host,
        ...asked,
        ...tools,
        service,
        terminals,
        workspaceStorageDir: context.storageUri?.fsPath ?? host.storageDir,
      }),
    ),
  );
  const asked = createQuestions({
    ...host,
    service,
    secrets,
    agent,
    gateways: () => lending.gateways,
  });
  const tools = createTools({ ...host, ...asked, service });
  const lending = createGateways({
    ...host,
    service,
    editorServers: entry.editorServers,
    offered: tools.features.offered,
    statistics: tools.features.statistics,
    consent: asked.asking.lentCalls,
  });
  const view = own(new ServersView(service, entry.tree, loaded, () => rowActions, reportError));
  const parts = {
    ...host,
    ...asked,
    ...tools,
    ...createAdvice(host, service, globalConfigPath),
    ...lending,
    agent,
    service,
    view,
    loaded,
    resources: own(new ResourceFiles(service)),
    files: new ConfigFiles(workspace, environment, () => globalConfigPath.value),
  };
  const surfaces = createSurfaces(parts);
  const rowActions: RowActions = own(
    registerViews({
      ...parts,
      move: surfaces.move,
      showBundles: (paths) => surfaces.add.showBundles(paths),
    }),
  );
  own(
    service.onDidChangePools(() => {
      logs.keepOnly(new Set(service.servers.map((server) => server.id)));
    }),
  );
  own(globalConfigPath.onDidChange(() => void service.reload().catch(reportError)));
  const handlers = { ...surfaces.handlers, ...view.commands };
  return {
    api: createApi(parts, surfaces),
    agentView: agent.view,
    rowActions,
    tabs: { ...surfaces.tabs, [agentTabType]: agent.view },
    links: surfaces.add,
    run: (id, args) =>
      runCommand(() => handlers[id] ?? agent.load().handlers[id], args, reportError),
    shutdown: async () => {
      await lending.gateways.stopAll();
      await service.shutdown();
    },
  };
}

function createApi(
  { service, loaded, features, toolBudget, machine }: SurfaceParts,
  { consent }: Surfaces,
): PiMcpApi {
  return createExtensionApi({
    service,
    consent: { request: (folder) => consent.request(folder) },
    loaded,
    switches: features.offered,
    budget: toolBudget,
    directTools: machine.environment.getVariable('MCP_DIRECT_TOOLS'),
  });
}
