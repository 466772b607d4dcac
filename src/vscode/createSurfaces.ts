import * as vscode from 'vscode';
import { errorMessage } from '../base/errors.js';
import { globalPoolId } from '../config/definition.js';
import { SecretKeeper } from '../config/fixes/secretKeeper.js';
import {
  addPanelType,
  commandIds,
  configPanelType,
  consentPanelType,
  doctorPanelType,
  oldAddPanelType,
  type PagePanelType,
  serverPanelType,
  storageKeys,
} from '../contributions.js';
import { BundleStore } from '../mcp/bundles/bundleStore.js';
import type { McpServer, McpService } from '../mcp/mcpApi.js';
import { PackageOrigins } from '../mcp/registry/packageOrigins.js';
import { systemClock } from '../platform/clock.js';
import { CommandLineFile } from '../platform/stores/commandLineFile.js';
import { ServerInstaller } from '../presentation/add/serverInstaller.js';
import type { Advice, Asked, Host, Lending, ToolParts } from './activation/host.js';
import { AddPanel } from './add/addPanel.js';
import { RegistrySetting } from './add/registrySetting.js';
import type { AgentOnUse } from './agentOnUse.js';
import { fixServerCommands } from './attention/fixServer.js';
import type { CommandHandlers } from './commandHandlers.js';
import { accountCommands } from './commands/accountCommands.js';
import { configurationCommands, openFile } from './commands/configuration/configurationCommands.js';
import { exportCommands } from './commands/configuration/exportCommands.js';
import { findImportFiles, importCommands } from './commands/configuration/importCommands.js';
import { inputsCommands } from './commands/configuration/inputsCommands.js';
import { moveServers, transferCommands } from './commands/configuration/transferCommands.js';
import { logCommands } from './commands/logCommands.js';
import { offerCommands } from './commands/offerCommands.js';
import { questionCommands } from './commands/questionCommands.js';
import { serverCommands } from './commands/serverCommands.js';
import { taskCommands } from './commands/taskCommands.js';
import { setTool, toolCommands } from './commands/toolCommands.js';
import { trustCommands } from './commands/trustCommands.js';
import { ConsentPanel } from './consent/consentPanel.js';
import { doctorPanel } from './doctor/openDoctor.js';
import type { ResourceFiles } from './documents/resourceFiles.js';
import { gatewayCommands } from './gateway/gatewayCommands.js';
import { handOverCommands } from './gateway/handOverCommands.js';
import type { ConfigFiles } from './language/configFiles.js';
import { fixCommands } from './language/fixCommands.js';
import { registerLanguageFeatures } from './language/languageFeatures.js';
import { ruleCommands } from './language/ruleCommands.js';
import { selectProfile } from './prompts/picks/profilePicker.js';
import { whenMayRun } from './prompts/serverFlows.js';
import { createUpdates } from './server/createUpdates.js';
import { ServerPages } from './server/serverPages.js';
import type { MoveServers } from './views/serverDrags.js';
import type { ServersView } from './views/serversView.js';
import { configPanel } from './webviews/configPanel.js';
import { keptIn } from './workspace/keptIn.js';

export interface SurfaceParts extends Host, Asked, ToolParts, Lending, Advice {
  readonly service: McpService;
  readonly resources: ResourceFiles;
  readonly agent: AgentOnUse;
  readonly view: ServersView;
  readonly files: ConfigFiles;
  /** The servers of this window are known. */
  readonly loaded: Promise<void>;
}

/** What others use of them. */
export interface Surfaces {
  readonly handlers: CommandHandlers;
  readonly consent: ConsentPanel;
  /** What tabs come back through after a reload. */
  readonly tabs: Readonly<Record<PagePanelType, vscode.WebviewPanelSerializer>>;
  readonly add: AddPanel;
  /** Servers that were dropped on a pool. */
  readonly move: MoveServers;
}

/** Commands and pages; the editor's features are registered. */
export function createSurfaces(parts: SurfaceParts): Surfaces {
  const { own, service, reportError } = parts;
  const pages = createPages(parts);
  own(registerLanguageFeatures({ ...parts, onError: reportError }));
  const { consent, configEditor, add, servers, doctor } = pages;
  return {
    handlers: {
      ...pageCommands(parts, pages),
      ...useCommands(parts),
      ...editingCommands(parts, pages),
    },
    consent,
    tabs: {
      [configPanelType]: configEditor,
      [consentPanelType]: consent.tabs,
      [doctorPanelType]: doctor,
      [addPanelType]: add.tabs,
      [oldAddPanelType]: add.tabs,
      [serverPanelType]: servers.tabs,
      'piMcp.inspector': servers.tabs,
      'piMcp.runTool.page': servers.tabs,
    },
    add,
    move: (servers, pool) => moveServers(servers, pool, { service, consent, reportError }),
  };
}

type Pages = ReturnType<typeof createPages>;

function createPages(parts: SurfaceParts) {
  const { own, context, logError } = parts;
  const { inputPrompter: inputs } = parts;
  const secrets = new SecretKeeper(parts.inputs);
  const consent = own(new ConsentPanel(parts));
  const connect = async (server: McpServer) => {
    await whenMayRun(server, { consent, inputs }, () => server.ensureConnected());
  };
  const setting = new RegistrySetting();
  const origins = new PackageOrigins(keptIn(context.globalState, storageKeys.packageOrigins));
  const commandLine = new CommandLineFile(parts.storageDir, parts.extensionUri.fsPath);
  void commandLine.refresh().catch((error: unknown) => logError(errorMessage(error)));
  const servers = own(
    new ServerPages({
      ...parts,
      connect,
      facts: parts.view,
      secrets,
      updates: createUpdates({ ...parts, origins, setting }),
      // its paths are of this machine
      addMock: async (name, path) => {
        const entry = { command: 'node', args: [await commandLine.write(), 'mock', path] };
        await add.showServer({ name: `${name}-mock`, entry }, 'command', globalPoolId);
      },
      switchTool: (server, tool, isOn) => setTool(parts.features, server, tool, isOn),
    }),
  );
  const { openForm } = servers;
  const add: AddPanel = own(createAdd(parts, { secrets, setting, origins, openForm }));
  const configEditor = own(
    configPanel({
      ...parts,
      facts: parts.view,
      consent,
      switching: {
        policy: { budget: parts.toolBudget, switches: parts.features.offered },
        directTools: parts.machine.environment.getVariable('MCP_DIRECT_TOOLS'),
      },
      openForm: servers.openForm,
      openFile,
    }),
  );
  const doctor = own(doctorPanel(parts));
  return { secrets, consent, configEditor, add, servers, doctor };
}

/** Of servers, and of pages about them. */
function pageCommands(parts: SurfaceParts, pages: Pages): CommandHandlers {
  const { service, logs, documents, inputPrompter: inputs } = parts;
  const { consent, configEditor, add, servers, doctor } = pages;
  return {
    ...serverCommands({ service, consent, inputs }),
    ...fixServerCommands({ service, inputs: parts.inputs }),
    ...trustCommands({ service, consent, documents, appConsents: parts.features.appConsents }),
    ...accountCommands(service),
    ...configurationCommands(service, configEditor, add),
    ...logCommands(service, logs),
    ...servers.commands,
    [commandIds.doctor]: () => void doctor.show(),
    ...toolCommands(parts),
  };
}

/** Of what servers offer, and of those who use it. */
function useCommands(parts: SurfaceParts): CommandHandlers {
  const { service, reportError, documents, agent, questions, resources } = parts;
  return {
    [commandIds.selectProfile]: (argument) =>
      selectProfile(argument, { ...parts, budget: parts.toolBudget }),
    ...taskCommands({ service, results: parts.results, reportError }),
    ...questionCommands(service, questions),
    ...gatewayCommands(parts),
    ...handOverCommands(parts),
    ...parts.signIns.commands,
    ...offerCommands({
      service,
      resources,
      documents,
      attachments: async () => agent.load().view.target('elsewhere').panel.attachments,
    }),
  };
}

interface AddUse {
  readonly secrets: SecretKeeper;
  readonly setting: RegistrySetting;
  readonly origins: PackageOrigins;
  readonly openForm: ServerPages['openForm'];
}

function createAdd(parts: SurfaceParts, { secrets, setting, origins, openForm }: AddUse): AddPanel {
  const { service, machine } = parts;
  const installer = new ServerInstaller({
    service,
    secrets,
    sources: {
      client: () => setting.client,
      importFiles: () => findImportFiles(machine),
      bundles: new BundleStore(machine.environment),
      fetch: setting.fetch,
    },
    origins,
    now: () => systemClock.now(),
    language: vscode.env.language,
  });
  return new AddPanel({
    ...parts,
    installer,
    setting,
    openForm: (poolId) => openForm(poolId, false),
  });
}

/** Of those who write configuration files. */
function editingCommands(parts: SurfaceParts, { consent, secrets }: Pages): CommandHandlers {
  const { service, machine, inputs, inputPrompter, documents, reportError } = parts;
  const { files } = parts;
  return {
    ...importCommands({ service, machine, documents, secrets }),
    ...inputsCommands({ service, inputs, inputPrompter }),
    ...transferCommands({ service, consent, reportError }),
    ...exportCommands(service),
    ...fixCommands({ files, service, inputs, secrets, machine }),
    ...ruleCommands(),
  };
}
