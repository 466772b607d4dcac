import type * as vscode from 'vscode';
import type { ToolFeatures } from '../agent/policy/toolFeatures.js';
import { ToolOverview } from '../agent/tools/toolOverview.js';
import { type Disposable, DisposableStore } from '../base/disposable.js';
import type { ObservableValue } from '../base/valueEmitter.js';
import type { SecretKeeper } from '../config/fixes/secretKeeper.js';
import type { InputStore } from '../config/inputs/inputStore.js';
import type { Workspace } from '../config/ports.js';
import { commandIds } from '../contributions.js';
import type { FolderGateways } from '../gateway/folderGateways.js';
import type { HandOvers } from '../gateway/handOvers.js';
import type { McpService } from '../mcp/mcpApi.js';
import type { ClientChoices } from '../mcp/otherClients/clientChoices.js';
import type { DoubleStarts } from '../mcp/otherClients/doubleStarts.js';
import type { OpenQuestions } from '../mcp/service/openQuestions.js';
import type { HostEnvironment } from '../platform/ports.js';
import type { Manifest } from '../presentation/doctor/versions.js';
import type { ServerAdvice } from '../presentation/language/serverAdvice.js';
import { serverOf } from '../presentation/tree/targets.js';
import { accountCommands } from './commands/accountCommands.js';
import { agentCommands } from './commands/agentCommands.js';
import { changeCommands } from './commands/changeCommands.js';
import { addServerCommands } from './commands/configuration/addServerCommands.js';
import {
  type ConfigEditor,
  configurationCommands,
} from './commands/configuration/configurationCommands.js';
import { exportCommands } from './commands/configuration/exportCommands.js';
import { folderCommands } from './commands/configuration/folderCommands.js';
import { importCommands } from './commands/configuration/importCommands.js';
import { inputsCommands } from './commands/configuration/inputsCommands.js';
import { moveServers, transferCommands } from './commands/configuration/transferCommands.js';
import { logCommands } from './commands/logCommands.js';
import { modelCommands } from './commands/modelCommands.js';
import { offerCommands } from './commands/offerCommands.js';
import { type AgentPlaces, placeCommands } from './commands/placeCommands.js';
import { processCommands } from './commands/processCommands.js';
import { questionCommands } from './commands/questionCommands.js';
import { serverCommands } from './commands/serverCommands.js';
import { switchCommands } from './commands/switchCommands.js';
import { taskCommands } from './commands/taskCommands.js';
import { toolCommands } from './commands/toolCommands.js';
import { trustCommands } from './commands/trustCommands.js';
import { DoctorPanel } from './doctor/doctorPanel.js';
import { ResourceFiles } from './documents/resourceFiles.js';
import type { ResultDocuments } from './documents/resultDocuments.js';
import type { ReviewDocuments } from './documents/reviewDocuments.js';
import type { TextDocuments } from './documents/textDocuments.js';
import { doubleStartCommands } from './gateway/doubleStartCommands.js';
import { gatewayCommands } from './gateway/gatewayCommands.js';
import { GatewayStatusItem } from './gateway/gatewayStatusItem.js';
import type { GatewayTerminals } from './gateway/gatewayTerminals.js';
import { handOverCommands } from './gateway/handOverCommands.js';
import { inspectorCommands } from './inspector/inspectorCommands.js';
import { InspectorPanels } from './inspector/inspectorPanels.js';
import { ConfigFiles } from './language/configFiles.js';
import { fixCommands } from './language/fixCommands.js';
import { registerLanguageFeatures } from './language/languageFeatures.js';
import { ruleCommands } from './language/ruleCommands.js';
import type { VsCodeMcp } from './language/vsCodeMcp.js';
import type { AuthorizationPrompter } from './prompts/authorizationPrompter.js';
import type { ConversationPanel } from './prompts/conversations/conversationPicker.js';
import type { InputPrompter } from './prompts/inputPrompter.js';
import { LaunchAnnouncer } from './prompts/launchAnnouncer.js';
import { prepareProbe } from './prompts/serverFlows.js';
import type { TrustPrompter } from './prompts/trustPrompter.js';
import type { QuestionScreen } from './questions/questionScreen.js';
import { registerCommands } from './registerCommand.js';
import type { RegistryPanel } from './registry/registryPanel.js';
import type { ReportError } from './reportError.js';
import { McpStatusItem } from './statusBar/mcpStatusItem.js';
import { NoticeTeller } from './views/noticeTeller.js';
import { ServersView } from './views/serversView.js';
import { RunToolPanels } from './webviews/runToolPanel.js';
import type { LogChannels } from './workspace/logChannels.js';
import type { SeveritySetting } from './workspace/severitySetting.js';

export interface SurfaceParts {
  /** Of the extension. */
  readonly version: string;
  readonly extensionUri: vscode.Uri;
  readonly service: McpService;
  readonly workspace: Workspace;
  readonly environment: HostEnvironment;
  readonly logs: LogChannels;
  readonly prompter: TrustPrompter;
  readonly reviews: ReviewDocuments;
  readonly configEditor: ConfigEditor;
  readonly registry: RegistryPanel;
  readonly advice: ServerAdvice;
  readonly inputs: InputStore;
  readonly secretKeeper: SecretKeeper;
  readonly features: ToolFeatures;
  readonly toolBudget: ObservableValue<number>;
  readonly inputPrompter: InputPrompter;
  readonly documents: TextDocuments;
  readonly results: ResultDocuments;
  readonly agentView: AgentPlaces;
  readonly agent: ConversationPanel;
  readonly questions: OpenQuestions;
  readonly gateways: FolderGateways;
  readonly handOvers: HandOvers;
  readonly clientChoices: ClientChoices;
  readonly doubleStarts: DoubleStarts;
  readonly terminals: GatewayTerminals;
  readonly screen: QuestionScreen;
  readonly signIns: AuthorizationPrompter;
  readonly severities: SeveritySetting;
  readonly vsCode: VsCodeMcp;
  readonly manifest: Manifest;
  readonly workspaceState: vscode.Memento;
  readonly globalConfigPath: () => string;
  readonly reportError: ReportError;
  /** Settles when the configuration was read the first time. */
  readonly loaded: Promise<void>;
}

/** Everything native that users see: commands, tree, status bar item, editor features and questions. */
export function registerSurfaces(parts: SurfaceParts): Disposable {
  const { service, prompter, logs, reportError, environment } = parts;
  const store = new DisposableStore();
  const { features, toolBudget: budget } = parts;
  const tools = store.add(new ToolOverview({ service, features, budget, environment }));
  const { switches, setAside } = features;
  const { documents, agentView, questions } = parts;
  const resources = store.add(new ResourceFiles(service));
  const runPanels = store.add(new RunToolPanels(parts));
  const inspectors = store.add(
    new InspectorPanels({
      extensionUri: parts.extensionUri,
      service,
      documents,
      version: parts.version,
      mayRun: (server) => prepareProbe(server, { prompter, inputs: parts.inputPrompter }),
      logError: (message) => logs.main.log('error', message),
    }),
  );
  const doctor = store.add(
    new DoctorPanel({ ...parts, logError: (message) => logs.main.log('error', message) }),
  );
  const view = store.add(
    new ServersView(service, parts.loaded, {
      ...parts,
      tools,
      switches,
      setAside,
      move: (servers, pool) =>
        moveServers(servers, pool, { service, prompter, inputs: parts.inputPrompter, reportError }),
    }),
  );
  store.add(
    registerCommands(
      {
        ...serverCommands({ service, prompter, inputs: parts.inputPrompter }),
        ...trustCommands(service, prompter, documents),
        ...parts.reviews.commands,
        ...accountCommands(service),
        ...configurationCommands(service, parts.configEditor),
        [commandIds.revealServer]: async (argument) => {
          const server = serverOf(service, argument);
          if (server) {
            await view.reveal(server);
          }
        },
        ...logCommands(service, logs),
        ...inspectorCommands(service, inspectors),
        ...doctor.commands,
        ...processCommands({ service, logs, reportError }),
        ...agentCommands(parts),
        ...changeCommands(agentView),
        ...placeCommands(agentView),
        ...modelCommands(() => agentView.target('elsewhere').panel.model),
        ...toolCommands({ ...parts, runPanels }),
        ...switchCommands({ service, features, budget, environment, reportError }),
        ...taskCommands({ service, results: parts.results, reportError }),
        ...questionCommands(service, questions),
        ...gatewayCommands(parts),
        ...handOverCommands(parts),
        ...doubleStartCommands(parts),
        ...parts.screen.commands,
        ...parts.signIns.commands,
        ...offerCommands({
          service,
          resources,
          documents,
          attachments: () => agentView.target('elsewhere').panel.attachments,
        }),
      },
      reportError,
    ),
  );
  store.add(new McpStatusItem(service, features.profiles));
  store.add(new GatewayStatusItem(parts.gateways, service));
  store.add(new NoticeTeller(service, view, reportError));
  store.add(registerEditing(parts));
  store.add(
    service.onDidChangePools(() => {
      const servers = service.servers;
      logs.keepOnly(new Set(servers.map((server) => server.id)));
    }),
  );
  void parts.loaded.then(() => {
    if (!store.isDisposed) {
      store.add(new LaunchAnnouncer(service, parts.workspaceState, documents, reportError));
    }
  });
  return store;
}

interface EditingParts {
  readonly service: McpService;
  readonly workspace: Workspace;
  readonly environment: HostEnvironment;
  readonly configEditor: ConfigEditor;
  readonly registry: RegistryPanel;
  readonly inputs: InputStore;
  readonly secretKeeper: SecretKeeper;
  readonly inputPrompter: InputPrompter;
  readonly prompter: TrustPrompter;
  readonly documents: TextDocuments;
  readonly severities: SeveritySetting;
  readonly vsCode: VsCodeMcp;
  readonly globalConfigPath: () => string;
  readonly reportError: ReportError;
}

/** Configuration files as a language, and the commands that write them. */
function registerEditing(parts: EditingParts): Disposable {
  const { service, workspace, environment, inputs, inputPrompter, documents, reportError } = parts;
  const store = new DisposableStore();
  const files = new ConfigFiles(workspace, environment, parts.globalConfigPath);
  const { severities, vsCode } = parts;
  store.add(
    registerLanguageFeatures({
      files,
      service,
      environment,
      workspace,
      inputs,
      severities,
      vsCode,
      onError: reportError,
    }),
  );
  store.add(
    registerCommands(
      {
        ...addServerCommands({
          service,
          documents,
          secrets: parts.secretKeeper,
          configEditor: parts.configEditor,
          registry: parts.registry,
        }),
        ...importCommands({
          service,
          workspace,
          environment,
          documents,
          secrets: parts.secretKeeper,
        }),
        ...inputsCommands({ service, inputs, inputPrompter }),
        ...folderCommands(service),
        ...transferCommands({
          service,
          prompter: parts.prompter,
          inputs: inputPrompter,
          reportError,
        }),
        ...exportCommands(service),
        ...fixCommands({ files, inputs, environment, workspace }),
        ...ruleCommands(),
        ...vsCode.commands,
      },
      reportError,
    ),
  );
  return store;
}
