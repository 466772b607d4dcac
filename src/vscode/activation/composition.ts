/** Composition root: constructs, wires, disposes. No decisions. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.js';
import { Emitter, onceEvent } from '../../base/event.js';
import { InputStore, type ListableSecretStore } from '../../config/inputs/inputStore.js';
import { settingIds } from '../../contributions.js';
import type { FolderGateways } from '../../gateway/folderGateways.js';
import { loadEngine } from '../../mcp/connection/engineSelection.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { SignInQuestions } from '../../mcp/oauth/signInQuestions.js';
import { FormQuestions } from '../../mcp/service/formQuestions.js';
import { createMcpCore } from '../../mcp/service/mcpCore.js';
import { OpenQuestions } from '../../mcp/service/openQuestions.js';
import { createNodeHostEnvironment } from '../../platform/environment/nodeHostEnvironment.js';
import { NodeFileWatcher } from '../../platform/nodeFileWatcher.js';
import { createExtensionApi } from '../../presentation/createExtensionApi.js';
import type { Manifest } from '../../presentation/doctor/versions.js';
import type { PiMcpApi } from '../../presentation/extensionApi.js';
import { ServerAdvice } from '../../presentation/language/serverAdvice.js';
import { AgentOnUse } from '../agentOnUse.js';
import type { AgentParts } from '../createAgent.js';
import { createTools, type ToolParts } from '../createTools.js';
import { ResourceFiles } from '../documents/resourceFiles.js';
import { ReviewDocuments } from '../documents/reviewDocuments.js';
import { TextDocuments } from '../documents/textDocuments.js';
import { createGateways } from '../gateway/createGateways.js';
import { ConfigFiles, onceConfigOpens } from '../language/configFiles.js';
import { VsCodeMcp } from '../language/vsCodeMcp.js';
import { TerminalMentions } from '../mentions/terminalMentions.js';
import { AuthorizationPrompter } from '../prompts/authorizationPrompter.js';
import { InputPrompter } from '../prompts/inputPrompter.js';
import { QuestionScreen } from '../questions/questionScreen.js';
import { ServerQuestions } from '../questions/serverQuestions.js';
import type { Surfaces } from '../registerSurfaces.js';
import { registerViews } from '../registerViews.js';
import { createErrorReporter } from '../reportError.js';
import { ConfigValue } from '../workspace/configValue.js';
import { LogChannels } from '../workspace/logChannels.js';
import { createSecretStore } from '../workspace/secretStore.js';
import { SeveritySetting } from '../workspace/severitySetting.js';
import { VscodeWorkspace } from '../workspace/vscodeWorkspace.js';

export interface LoadedExtension {
  readonly api: PiMcpApi;
  readonly agentView: vscode.WebviewViewProvider & vscode.WebviewPanelSerializer;
  /** Registers commands, pages and editor features. */
  loadSurfaces(): Promise<Surfaces>;
  /** Registers the agent's commands. */
  loadAgent(): Promise<unknown>;
  /** Resolves when no process of ours is left. */
  shutdown(): Promise<void>;
}

/** Called before that part registers what something else stood for. */
export interface MakeRoom {
  forSurfaces(): void;
  forAgent(): void;
}

export function compose(context: vscode.ExtensionContext, room: MakeRoom): LoadedExtension {
  l10n.config({ contents: vscode.l10n.bundle ?? {} });
  const host = createHost(context);
  const { own, reportError } = host;
  const { workspaceState } = context;
  // what ran before the agent is loaded can be mentioned too
  const terminals = own(new TerminalMentions());
  const agent = own(
    new AgentOnUse(host.environment, async () => {
      const { createAgent } = await import('../createAgent.js');
      room.forAgent();
      return createAgent({ ...agentParts(host, core, context), ...toolParts, terminals });
    }),
  );
  const core = createCore(host, createSecretStore(context.secrets), agent, () => lending.gateways);
  const { service, globalConfigPath, asking, ...coreParts } = core;
  const loaded = Promise.race([onceEvent(service.onDidChangePools), service.whenStarted()]);
  const toolParts = createTools({ ...host, service, documents: core.documents, workspaceState });
  const lending = createGateways({
    ...host,
    service,
    offered: toolParts.features.offered,
    consent: asking.lentCalls,
    context,
  });
  const parts = {
    ...host,
    ...coreParts,
    ...toolParts,
    ...createAdvice(host, core, workspaceState),
    service,
    agent,
    ...lending,
    workspaceState,
    resources: own(new ResourceFiles(service)),
    reviews: own(new ReviewDocuments()),
    files: new ConfigFiles(host.workspace, host.environment, () => globalConfigPath.value),
  };
  let loading: Promise<Surfaces> | undefined;
  const loadSurfaces = () => {
    loading ??= import('../registerSurfaces.js').then(({ registerSurfaces }) => {
      room.forSurfaces();
      return registerSurfaces(parts);
    });
    return loading;
  };
  own(
    registerViews({
      ...parts,
      loaded,
      move: async (servers, pool) => (await loadSurfaces()).move(servers, pool),
    }),
  );
  own(
    onceConfigOpens(parts.files, service.onDidChangePools, () => {
      loadSurfaces().catch(reportError);
    }),
  );
  own(globalConfigPath.onDidChange(() => void service.reload().catch(reportError)));
  return {
    api: createExtensionApi({
      service,
      prompter: { request: async (folder) => (await loadSurfaces()).prompter.request(folder) },
      loaded,
      switches: toolParts.features.offered,
      budget: toolParts.toolBudget,
      directTools: host.environment.getVariable('MCP_DIRECT_TOOLS'),
    }),
    agentView: agent.view,
    loadSurfaces,
    loadAgent: () => agent.load(),
    shutdown: async () => {
      await lending.gateways.stopAll();
      await service.shutdown();
    },
  };
}

type Host = ReturnType<typeof createHost>;

function agentParts(
  host: Host,
  core: ReturnType<typeof createCore>,
  context: vscode.ExtensionContext,
): Omit<AgentParts, keyof ToolParts | 'terminals'> {
  return {
    ...host,
    service: core.service,
    workspaceStorageDir: context.storageUri?.fsPath ?? host.storageDir,
    questions: core.questions,
    signIns: core.signInQuestions,
    forms: core.forms,
    documents: core.documents,
    loggers: host.logs,
    context,
  };
}

/** What is said about configuration files, and by which rules. */
function createAdvice(
  { own, workspace, environment, reportError }: Host,
  { service, globalConfigPath }: ReturnType<typeof createCore>,
  workspaceState: vscode.Memento,
) {
  const severities = own(new SeveritySetting());
  const vsCode = own(new VsCodeMcp(workspaceState));
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

/** What VS Code and the machine give. */
function createHost({
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
    environment: createNodeHostEnvironment(),
    watcher: new NodeFileWatcher(),
    storageDir: globalStorageUri.fsPath,
    extensionUri,
    version: String(extension.packageJSON.version),
    manifest: extension.packageJSON as Manifest,
  };
}

/** The servers, and those who ask the user on their behalf. */
function createCore(
  host: Host,
  secrets: ListableSecretStore,
  agent: AgentOnUse,
  gateways: () => FolderGateways,
) {
  const { own, logs, workspace, environment, watcher, storageDir } = host;
  const globalConfigPath = own(new ConfigValue(settingIds.globalConfigPath));
  const inputs = new InputStore(secrets);
  const inputPrompter = new InputPrompter(inputs, ({ poolId, inputId }) => {
    const pool = service.getPool(poolId);
    return pool?.inputs.find(({ id }) => id === inputId);
  });
  const documents = own(new TextDocuments());
  const questions = own(new OpenQuestions());
  const screen = new QuestionScreen();
  const signInQuestions = own(new SignInQuestions());
  const forms = own(new FormQuestions());
  const pages = () => agent;
  const signIns = new AuthorizationPrompter({ questions: signInQuestions, pages });
  const approvals = own(new ConfigValue(settingIds.gatewayApprovals));
  const asking = new ServerQuestions({
    workspace,
    documents,
    logs,
    screen,
    open: questions,
    forms,
    pages,
    model: agent,
    approvals: () => approvals.value,
    callersOf: (server) =>
      gateways()
        .callsOf(server)
        .map(({ client }) => client.name),
  });
  const service: McpService = own(
    createMcpCore({
      workspace,
      environment,
      loggers: logs,
      storageDir,
      globalConfigPath: () => globalConfigPath.value,
      inputs: inputPrompter,
      answers: inputs,
      watcher,
      secrets,
      authorizationPrompt: (launch, server) => signIns.promptFor(launch, server),
      features: (definition) => asking.featuresOf(definition),
      engine: loadEngine,
      startPolicy: 'connect',
      isTrafficTraced: () => logs.isTrafficTraced,
      clientVersion: host.version,
    }),
  );
  return {
    service,
    globalConfigPath,
    asking,
    inputs,
    inputPrompter,
    documents,
    questions,
    signInQuestions,
    forms,
    screen,
    signIns,
  };
}
