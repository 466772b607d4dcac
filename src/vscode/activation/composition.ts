/** Composition root: constructs, wires, disposes. No decisions. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPanel } from '../../agent/panel/agentPanel.js';
import { AgentSampling } from '../../agent/panel/agentSampling.js';
import type { Disposable } from '../../base/disposable.js';
import { Emitter, onceEvent } from '../../base/event.js';
import { SecretKeeper } from '../../config/fixes/secretKeeper.js';
import { InputStore, type ListableSecretStore } from '../../config/inputs/inputStore.js';
import { settingIds } from '../../contributions.js';
import type { FolderGateways } from '../../gateway/folderGateways.js';
import { loadEngine } from '../../mcp/connection/engineSelection.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { SignInQuestions } from '../../mcp/oauth/signInQuestions.js';
import { createMcpCore } from '../../mcp/service/mcpCore.js';
import { OpenQuestions } from '../../mcp/service/openQuestions.js';
import { systemClock } from '../../platform/clock.js';
import { createNodeHostEnvironment } from '../../platform/environment/nodeHostEnvironment.js';
import { NodeFileWatcher } from '../../platform/nodeFileWatcher.js';
import { createExtensionApi } from '../../presentation/createExtensionApi.js';
import type { Manifest } from '../../presentation/doctor/versions.js';
import type { PiMcpApi } from '../../presentation/extensionApi.js';
import { ServerAdvice } from '../../presentation/language/serverAdvice.js';
import { RegistryInstaller } from '../../presentation/registry/registryInstaller.js';
import { openFile } from '../commands/configuration/configurationCommands.js';
import { createAgent } from '../createAgent.js';
import { ReviewDocuments } from '../documents/reviewDocuments.js';
import { TextDocuments } from '../documents/textDocuments.js';
import { createGateways } from '../gateway/createGateways.js';
import { VsCodeMcp } from '../language/vsCodeMcp.js';
import { AuthorizationPrompter } from '../prompts/authorizationPrompter.js';
import { InputPrompter } from '../prompts/inputPrompter.js';
import { TrustPrompter } from '../prompts/trustPrompter.js';
import { QuestionScreen } from '../questions/questionScreen.js';
import { ServerQuestions } from '../questions/serverQuestions.js';
import { registerSurfaces } from '../registerSurfaces.js';
import { RegistryPanel } from '../registry/registryPanel.js';
import { RegistrySetting } from '../registry/registrySetting.js';
import { createErrorReporter } from '../reportError.js';
import type { AgentViewProvider } from '../webviews/agentViewProvider.js';
import { ConfigPanel } from '../webviews/configPanel.js';
import { ConfigValue } from '../workspace/configValue.js';
import { LogChannels } from '../workspace/logChannels.js';
import { createSecretStore } from '../workspace/secretStore.js';
import { SeveritySetting } from '../workspace/severitySetting.js';
import { VscodeWorkspace } from '../workspace/vscodeWorkspace.js';

export interface LoadedExtension {
  readonly api: PiMcpApi;
  readonly agentView: vscode.WebviewViewProvider & vscode.WebviewPanelSerializer;
  readonly configEditor: vscode.WebviewPanelSerializer;
  readonly registry: vscode.WebviewPanelSerializer & vscode.UriHandler;
  /** Resolves when no process of ours is left. */
  shutdown(): Promise<void>;
}

export function compose(context: vscode.ExtensionContext): LoadedExtension {
  l10n.config({ contents: vscode.l10n.bundle ?? {} });
  const host = createHost(context);
  const { own, logs, reportError, extensionUri } = host;
  const core = createCore(host, createSecretStore(context.secrets), () => ({
    agent,
    agentView,
    gateways: lending.gateways,
  }));
  const { service, globalConfigPath, asking, ...coreParts } = core;
  const loaded = Promise.race([onceEvent(service.onDidChangePools), service.whenStarted()]);

  const { agent, agentView, ...toolParts } = createAgent({
    ...host,
    service,
    workspaceStorageDir: context.storageUri?.fsPath ?? host.storageDir,
    questions: core.questions,
    signIns: core.signInQuestions,
    documents: core.documents,
    loggers: logs,
    context,
  });

  const { offered } = toolParts.features;
  const lending = createGateways({
    ...host,
    service,
    offered,
    consent: asking.lentCalls,
    context,
  });

  const reviews = own(new ReviewDocuments());
  const prompter = own(
    new TrustPrompter(service, { documents: reviews, environment: host.environment }),
  );
  const { advice, severities, vsCode } = createAdvice(host, core, context.workspaceState);
  const configEditor = own(
    new ConfigPanel({
      advice,
      extensionUri,
      service,
      prompter,
      inputs: core.inputPrompter,
      secrets: core.secretKeeper,
      reportError: host.reportError,
      showLog: (server) => logs.showServer(server.definition),
      openFile,
      logError: (message) => logs.main.log('error', message),
    }),
  );
  const registry = own(createRegistry(host, core));
  own(
    registerSurfaces({
      ...host,
      ...coreParts,
      ...toolParts,
      service,
      prompter,
      reviews,
      configEditor,
      registry,
      advice,
      severities,
      vsCode,
      workspaceState: context.workspaceState,
      ...lending,
      loaded,
      globalConfigPath: () => globalConfigPath.value,
      agent,
      agentView,
    }),
  );
  own(globalConfigPath.onDidChange(() => void service.reload().catch(reportError)));
  return {
    api: createExtensionApi({
      service,
      prompter,
      loaded,
      switches: offered,
      budget: toolParts.toolBudget,
      directTools: host.environment.getVariable('MCP_DIRECT_TOOLS'),
    }),
    agentView,
    configEditor,
    registry,
    shutdown: async () => {
      await lending.gateways.stopAll();
      await service.shutdown();
    },
  };
}

type Host = ReturnType<typeof createHost>;

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

function createRegistry(
  { extensionUri, logs, reportError }: Host,
  core: ReturnType<typeof createCore>,
) {
  const { service, secretKeeper: secrets } = core;
  const setting = new RegistrySetting();
  const installer = new RegistryInstaller({
    service,
    secrets,
    client: () => setting.client,
    now: () => systemClock.now(),
    language: vscode.env.language,
  });
  return new RegistryPanel({
    extensionUri,
    service,
    installer,
    setting,
    openFile,
    reportError,
    logError: (message) => logs.main.log('error', message),
  });
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
  later: () => {
    readonly agent: AgentPanel;
    readonly agentView: AgentViewProvider;
    readonly gateways: FolderGateways;
  },
) {
  const { own, logs, workspace, environment, watcher, storageDir } = host;
  const globalConfigPath = own(new ConfigValue(settingIds.globalConfigPath));
  const inputs = new InputStore(secrets);
  const inputPrompter = new InputPrompter(inputs, ({ poolId, inputId }) => {
    const pool = service.getPool(poolId);
    return pool?.inputs.find(({ id }) => id === inputId);
  });
  const secretKeeper = new SecretKeeper(inputs, environment.homeDir);
  const documents = own(new TextDocuments());
  const questions = own(new OpenQuestions());
  const screen = new QuestionScreen();
  const signInQuestions = own(new SignInQuestions());
  const pages = () => later().agentView;
  const signIns = new AuthorizationPrompter({ questions: signInQuestions, pages });
  const asking = new ServerQuestions({
    workspace,
    documents,
    logs,
    screen,
    open: questions,
    pages,
    model: new AgentSampling(() => later().agent, environment),
    callersOf: (server) =>
      later()
        .gateways.callsOf(server)
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
    secretKeeper,
    inputPrompter,
    documents,
    questions,
    signInQuestions,
    screen,
    signIns,
  };
}
