/** Entry of all our code of the extension host: constructs and wires, disposes. No decisions. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Emitter } from '../../base/event.js';
import {
  agentTabType,
  type CommandId,
  type PagePanelType,
  settingIds,
} from '../../contributions.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { createExtensionApi } from '../../presentation/createExtensionApi.js';
import type { PiMcpApi } from '../../presentation/extensionApi.js';
import { ServerAdvice } from '../../presentation/language/serverAdvice.js';
import { AgentOnUse } from '../agentOnUse.js';
import { runCommand } from '../commandHandlers.js';
import { createAgent } from '../createAgent.js';
import { createSurfaces, type Surfaces } from '../createSurfaces.js';
import { createTools, type ToolParts } from '../createTools.js';
import { ResourceFiles } from '../documents/resourceFiles.js';
import { createGateways } from '../gateway/createGateways.js';
import type { EditorServers } from '../gateway/editorServers.js';
import { ConfigFiles } from '../language/configFiles.js';
import { VsCodeMcp } from '../language/vsCodeMcp.js';
import { TerminalMentions } from '../mentions/terminalMentions.js';
import { registerViews } from '../registerViews.js';
import type { RowActions, ServersTree } from '../views/serversTree.js';
import { ServersView } from '../views/serversView.js';
import { followBuiltPages } from '../webviews/builtPages.js';
import { ConfigValue } from '../workspace/configValue.js';
import { createSecretStore } from '../workspace/secretStore.js';
import { SeveritySetting } from '../workspace/severitySetting.js';
import { createQuestions } from './createQuestions.js';
import { createHost, createService, type Host } from './host.js';

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
  const { own, environment, reportError, logs } = host;
  const { workspaceState } = context;
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
        context,
        loggers: logs,
        workspaceStorageDir: context.storageUri?.fsPath ?? host.storageDir,
        openPage: (definition, url, signal) => asked.asking.openPage(definition, url, signal),
      }),
    ),
  );
  const asked = createQuestions({
    own,
    logs,
    service,
    secrets,
    agent,
    extensionUri: context.extensionUri,
    gateways: () => lending.gateways,
  });
  const tools = createTools({ ...host, ...asked, service, workspaceState });
  const lending = createGateways({
    ...host,
    service,
    context,
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
    ...createAdvice(host, { service, globalConfigPath }),
    ...lending,
    agent,
    service,
    view,
    loaded,
    workspaceState,
    resources: own(new ResourceFiles(service)),
    files: new ConfigFiles(host.workspace, environment, () => globalConfigPath.value),
  };
  const surfaces = createSurfaces(parts);
  const rowActions: RowActions = own(registerViews({ ...parts, move: surfaces.move }));
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
    links: surfaces.registry,
    run: (id, args) =>
      runCommand(() => handlers[id] ?? agent.load().handlers[id], args, reportError),
    shutdown: async () => {
      await lending.gateways.stopAll();
      await service.shutdown();
    },
  };
}

function createApi(
  {
    service,
    loaded,
    features,
    toolBudget,
    environment,
  }: Host & ToolParts & { readonly service: McpService; readonly loaded: Promise<void> },
  { consent }: Surfaces,
): PiMcpApi {
  return createExtensionApi({
    service,
    consent: { request: (folder) => consent.request(folder) },
    loaded,
    switches: features.offered,
    budget: toolBudget,
    directTools: environment.getVariable('MCP_DIRECT_TOOLS'),
  });
}

/** What is said about configuration files, and by which rules. */
function createAdvice(
  { own, workspace, environment, reportError }: Host,
  {
    service,
    globalConfigPath,
  }: {
    readonly service: McpService;
    readonly globalConfigPath: ConfigValue<typeof settingIds.globalConfigPath>;
  },
) {
  const severities = own(new SeveritySetting());
  const vsCode = own(new VsCodeMcp());
  const rules = own(new Emitter<void>());
  own(severities.onDidChange(() => rules.fire()));
  own(vsCode.onDidChange(() => rules.fire()));
  const advice = own(
    new ServerAdvice({
      service,
      workspace,
      environment,
      globalConfigPath: () => globalConfigPath.value,
      severities: () => severities.value,
      clients: () => vsCode.clients,
      onDidChangeRules: rules.event,
      onError: reportError,
    }),
  );
  return { advice, severities, vsCode };
}
