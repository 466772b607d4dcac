import * as vscode from 'vscode';
import { ToolFeatures } from '../../agent/policy/toolFeatures.js';
import type { ToolPolicy } from '../../agent/policy/toolPolicy.js';
import type { Disposable } from '../../base/disposable.js';
import { errorMessage } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import type { ObservableValue } from '../../base/valueEmitter.js';
import { InputStore, type ListableSecretStore } from '../../config/inputs/inputStore.js';
import type { Machine } from '../../config/ports.js';
import { settingIds, storageKeys } from '../../contributions.js';
import { FolderGateways } from '../../gateway/folderGateways.js';
import { HandOvers } from '../../gateway/handOvers.js';
import type { LendingRules } from '../../gateway/lending/lentServers.js';
import { CallFiles, callLogDirectory } from '../../mcp/callLog/callFiles.js';
import { loadEngine } from '../../mcp/connection/engineSelection.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { ClientChoices } from '../../mcp/otherClients/clientChoices.js';
import { DoubleStarts } from '../../mcp/otherClients/doubleStarts.js';
import { placesIn } from '../../mcp/service/corePlaces.js';
import { createMcpCore } from '../../mcp/service/mcpCore.js';
import { ChoiceQuestions } from '../../mcp/service/questions/choiceQuestions.js';
import { FormQuestions } from '../../mcp/service/questions/formQuestions.js';
import { OpenQuestions } from '../../mcp/service/questions/openQuestions.js';
import { createNodeHostEnvironment } from '../../platform/environment/nodeHostEnvironment.js';
import { NodeFileWatcher } from '../../platform/nodeFileWatcher.js';
import type { HostEnvironment } from '../../platform/ports.js';
import type { Manifest } from '../../presentation/doctor/versions.js';
import { ServerAdvice } from '../../presentation/language/serverAdvice.js';
import type { SamplingModel } from '../../presentation/questions/samplingModel.js';
import { ResultDocuments } from '../documents/resultDocuments.js';
import { TextDocuments } from '../documents/textDocuments.js';
import { VsCodeClient } from '../gateway/editorClient.js';
import type { EditorServers } from '../gateway/editorServers.js';
import { GatewayTerminals } from '../gateway/gatewayTerminals.js';
import { showInformation } from '../notifications.js';
import { AuthorizationPrompter } from '../prompts/authorizationPrompter.js';
import { InputPrompter } from '../prompts/inputPrompter.js';
import type { LentCallConsent } from '../questions/lentCallConsent.js';
import { type QuestionPages, QuestionQueue } from '../questions/questionQueue.js';
import { QuestionsPanel } from '../questions/questionsPanel.js';
import { ServerQuestions } from '../questions/serverQuestions.js';
import { createErrorReporter } from '../reportError.js';
import { ConfigValue } from '../workspace/configValue.js';
import { keptIn } from '../workspace/keptIn.js';
import { LogChannels } from '../workspace/logChannels.js';
import type { createSecretStore } from '../workspace/secretStore.js';
import { SeveritySetting } from '../workspace/severitySetting.js';
import { VscodeWorkspace } from '../workspace/vscodeWorkspace.js';

/** The log of calls, and what the setting says of it, which other processes read in a file. */
function createCallLog(
  own: <T extends Disposable>(item: T) => T,
  environment: HostEnvironment,
  { main }: LogChannels,
) {
  const files = new CallFiles(callLogDirectory(environment));
  const setting = own(new ConfigValue(settingIds.logKeepDays));
  const store = () =>
    files
      .storeKeepDays(setting.value)
      .catch((error: unknown) => main.log('warn', errorMessage(error)));
  own(setting.onDidChange(() => void store()));
  void store();
  return { files, keepDays: () => setting.value };
}

export type Host = ReturnType<typeof createHost>;

/** What VS Code and the machine give. */
export function createHost(context: vscode.ExtensionContext) {
  const { subscriptions, extensionUri, globalStorageUri, extension, workspaceState } = context;
  const own = <T extends Disposable>(item: T): T => {
    subscriptions.push(item);
    return item;
  };
  const logs = own(new LogChannels());
  const environment: HostEnvironment = {
    ...createNodeHostEnvironment({ editorRoot: vscode.env.appRoot }),
    proxySetting: () => vscode.workspace.getConfiguration('http').get<string>('proxy') || undefined,
  };
  const machine: Machine = {
    environment,
    workspace: own(new VscodeWorkspace()),
    watcher: new NodeFileWatcher(),
    loggers: logs,
  };
  return {
    context,
    workspaceState,
    own,
    machine,
    logs,
    reportError: createErrorReporter(logs.main, () => logs.showMain()),
    callLog: createCallLog(own, environment, logs),
    vsCode: own(new VsCodeClient()),
    storageDir: globalStorageUri.fsPath,
    extensionUri,
    logError: (message: string) => logs.main.log('error', message),
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
  readonly asked: () => Asked;
}

/** The servers of this window; reading their configuration begins at once. */
export function createService(
  { machine, logs, storageDir, version, callLog }: Host,
  { globalConfigPath, secrets, asked, startsAfter }: ServiceParts,
): McpService {
  return createMcpCore({
    machine,
    places: placesIn(storageDir),
    user: {
      onNotice: (sentence) => void showInformation(sentence),
      inputs: { resolve: async (...args) => asked().inputPrompter.resolve(...args) },
      answers: {
        get: async (...args) => asked().inputs.get(...args),
        set: async (...args) => asked().inputs.set(...args),
        forget: async (...args) => asked().inputs.forget(...args),
      },
      authorizationPrompt: (launch, server) => asked().signIns.promptFor(launch, server),
      features: async (definition) => asked().asking.featuresOf(definition),
      reviewSkill: (review, signal) => asked().asking.reviewSkill(review, signal),
    },
    callLog,
    secrets,
    globalConfigPath: () => globalConfigPath.value,
    engine: loadEngine,
    startPolicy: 'connect',
    startsAfter,
    isTrafficTraced: () => logs.isTrafficTraced,
    clientVersion: version,
  });
}

export type Asked = ReturnType<typeof createQuestions>;

export interface QuestionParts extends Pick<Host, 'own' | 'logs' | 'extensionUri' | 'logError'> {
  readonly service: McpService;
  readonly secrets: ListableSecretStore;
  readonly agent: SamplingModel & QuestionPages;
  /** Taken when a server asks. */
  readonly gateways: () => FolderGateways;
}

/** Those who ask the user on behalf of servers. */
export function createQuestions({
  own,
  logs,
  service,
  secrets,
  agent,
  extensionUri,
  logError,
  gateways,
}: QuestionParts) {
  const documents = own(new TextDocuments());
  const questions = own(new OpenQuestions());
  const choices = own(new ChoiceQuestions());
  const forms = own(new FormQuestions());
  const cardPage = own(new QuestionsPanel({ extensionUri, logError, choices, forms }));
  const pages = () => agent;
  const signIns = new AuthorizationPrompter({ questions: choices, pages });
  const approvals = own(new ConfigValue(settingIds.gatewayApprovals));
  const queue = new QuestionQueue({ open: questions, logs, pages, cardPage });
  const asking = new ServerQuestions({
    queue,
    documents,
    logs,
    choices,
    forms,
    model: agent,
    approvals: () => approvals.value,
    callersOf: (server) =>
      gateways()
        .callsOf(server)
        .map(({ client }) => client.name),
  });
  const inputs = new InputStore(secrets);
  const inputPrompter = new InputPrompter({
    store: inputs,
    describe: ({ poolId, inputId }) => {
      const pool = service.getPool(poolId);
      return pool?.inputs.find(({ id }) => id === inputId);
    },
    invite: (about, signal) => queue.invite(about, signal),
  });
  return {
    asking,
    inputs,
    inputPrompter,
    documents,
    questions,
    choices,
    forms,
    signIns,
  };
}

export interface ToolSurroundings extends Host, Pick<Asked, 'documents'> {
  readonly service: McpService;
}

export interface ToolParts {
  readonly features: ToolFeatures;
  readonly toolBudget: ObservableValue<number>;
  readonly results: ResultDocuments;
}

/** What the user decides about tools, and where their results are shown. */
export function createTools({ own, ...parts }: ToolSurroundings): ToolParts {
  const features = own(
    new ToolFeatures({
      ...parts.machine,
      directory: parts.storageDir,
      logger: parts.logs.main,
      service: parts.service,
      profiles: own(new ConfigValue(settingIds.profiles)),
      // never in a file of the folder: what a repository brings along chooses nothing
      profileMemory: keptIn(parts.workspaceState, storageKeys.chosenProfiles),
    }),
  );
  void features.start();
  return {
    features,
    toolBudget: own(new ConfigValue(settingIds.agentToolBudget)),
    results: own(new ResultDocuments(parts.documents)),
  };
}

export type Advice = ReturnType<typeof createAdvice>;

/** What is said about configuration files, and by which rules. */
export function createAdvice(
  { own, machine, vsCode, reportError }: Host,
  service: McpService,
  globalConfigPath: ServiceParts['globalConfigPath'],
) {
  const severities = own(new SeveritySetting());
  const changed = own(new Emitter<void>());
  own(severities.onDidChange(() => changed.fire()));
  own(vsCode.onDidChange(() => changed.fire()));
  const advice = own(
    new ServerAdvice({
      service,
      machine,
      globalConfigPath: () => globalConfigPath.value,
      rules: {
        severities: () => severities.value,
        clients: () => vsCode.clients,
        onDidChange: changed.event,
      },
      onError: reportError,
    }),
  );
  return { advice, severities };
}

export type Lending = ReturnType<typeof createGateways>;

export interface GatewayParts extends Host {
  readonly service: McpService;
  /** What switches and the profile of the folder leave, for other programs as for the agent. */
  readonly offered: ToolPolicy['switches'];
  /** Of the calls of the agent, too. */
  readonly statistics: NonNullable<ToolPolicy['statistics']>;
  readonly consent: LentCallConsent;
  readonly editorServers: EditorServers;
}

/** What lends servers to other programs; nothing is lent before the user starts it. */
export function createGateways(parts: GatewayParts) {
  const { own, service, version, logs, offered, statistics, consent, context } = parts;
  const { onDidChange } = offered;
  const rules = (folderUri: string): LendingRules => ({
    isToolLent: ({ definition }, tool) =>
      offered.isOn({ folderUri, server: definition.name, tool }),
    onDidChange,
  });
  const port = own(new ConfigValue(settingIds.gatewayPort));
  const gateways = own(
    new FolderGateways({
      service,
      version,
      approve: (call, signal) => consent.ask(call, signal),
      statistics,
      rules,
      port: () => port.value,
      onError: (error) => logs.main.log('warn', `The gateway: ${errorMessage(error)}`),
    }),
  );
  own(gateways.onDidEnd(() => consent.forget()));
  const memory = keptIn(context.workspaceState, storageKeys.handedOver);
  const handOvers = own(
    new HandOvers({ service, gateways, rules, onDidChangeRules: onDidChange, memory }),
  );
  parts.editorServers.offer(handOvers);
  return {
    gateways,
    handOvers,
    ...createDoubleStarts(parts),
    terminals: own(new GatewayTerminals(context.environmentVariableCollection, gateways)),
  };
}

/** What other clients start of the same servers. */
function createDoubleStarts({ own, service, machine, vsCode, context }: GatewayParts) {
  const { environment } = machine;
  const clientChoices = new ClientChoices({
    choices: keptIn(context.workspaceState, storageKeys.clientChoices),
    asked: keptIn(context.workspaceState, storageKeys.askedWhoStarts),
  });
  const doubleStarts = own(
    new DoubleStarts({ service, environment, editor: vsCode, choices: clientChoices }),
  );
  return { clientChoices, doubleStarts };
}
