import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ConversationLimits } from '../agent/conversations/conversations.js';
import type { ConversationKeeper } from '../agent/conversations/places.js';
import type { ModelLogin } from '../agent/models/login.js';
import { AgentPanel } from '../agent/panel/agentPanel.js';
import { readAttachedFile } from '../agent/panel/attachments/attachedFiles.js';
import type { AttachedFile } from '../agent/panel/attachments/attachment.js';
import { Attachments } from '../agent/panel/attachments/attachments.js';
import type { CommandEditor } from '../agent/panel/commands/panelCommand.js';
import { PanelCommands } from '../agent/panel/commands/panelCommands.js';
import { PanelInputs } from '../agent/panel/inputs.js';
import { ToolFeatures } from '../agent/policy/toolFeatures.js';
import type { Disposable } from '../base/disposable.js';
import { errorMessage } from '../base/errors.js';
import type { ObservableValue } from '../base/valueEmitter.js';
import type { LoggerProvider, Workspace } from '../config/ports.js';
import { settingIds } from '../contributions.js';
import { loadTokenCounter } from '../mcp/catalog/tokens/tokenEstimate.js';
import type { McpService } from '../mcp/mcpApi.js';
import type { OpenQuestions } from '../mcp/service/openQuestions.js';
import type { FileWatcher, HostEnvironment } from '../platform/ports.js';
import { AppPanels } from './apps/appPanels.js';
import { ChangeReview } from './changes/changeReview.js';
import { FileEditors } from './changes/fileEditors.js';
import { logOutOfProvider } from './commands/modelCommands.js';
import { attachResource } from './commands/offerCommands.js';
import { ResultDocuments } from './documents/resultDocuments.js';
import type { TextDocuments } from './documents/textDocuments.js';
import { Attaching } from './mentions/attaching.js';
import { LanguageModels } from './models/languageModels.js';
import { createModelMemory } from './models/modelMemory.js';
import { extensionUi, reviewExtensions } from './prompts/extensionUi.js';
import { askForPromptArguments } from './prompts/resourcePicker.js';
import { ApprovalsStatusItem } from './statusBar/approvalsStatusItem.js';
import { AgentViewProvider } from './webviews/agentViewProvider.js';
import { ConfigValue } from './workspace/configValue.js';

export interface AgentParts {
  readonly service: McpService;
  readonly workspace: Workspace;
  readonly environment: HostEnvironment;
  readonly watcher: FileWatcher;
  readonly loggers: LoggerProvider;
  /** Of the extension. */
  readonly version: string;
  readonly storageDir: string;
  readonly extensionUri: vscode.Uri;
  /** Absolute; of this workspace alone, where VS Code has one. */
  readonly workspaceStorageDir: string;
  readonly questions: OpenQuestions;
  readonly documents: TextDocuments;
  readonly own: <T extends Disposable>(item: T) => T;
  readonly context: Pick<vscode.ExtensionContext, 'globalState' | 'languageModelAccessInformation'>;
}

/** The agent's panel and what the user decides about its tools. */
export function createAgent(parts: AgentParts): {
  readonly agent: AgentPanel;
  readonly agentView: AgentViewProvider;
  readonly features: ToolFeatures;
  readonly toolBudget: ObservableValue<number>;
  readonly attachments: Attachments;
  readonly results: ResultDocuments;
  readonly changeReview: ChangeReview;
} {
  const { service, workspace, environment, watcher, storageDir, own } = parts;
  const logger = parts.loggers.main;
  const features = own(
    new ToolFeatures({ directory: storageDir, watcher, logger, service, environment }),
  );
  void features.start();
  const toolBudget = own(new ConfigValue(settingIds.agentToolBudget));
  const editors = own(new FileEditors());
  const agent = own(
    new AgentPanel({
      loadPi: () => import('../agent/pi/piEntry.js'),
      service,
      workspace,
      environment,
      logger,
      storageDir,
      yolo: own(new ConfigValue(settingIds.agentYolo)),
      extensions: { isOn: own(new ConfigValue(settingIds.agentExtensions)), ui: extensionUi },
      editors,
      tools: {
        budget: toolBudget,
        switches: features.switches,
        setAside: features.setAside,
        approvals: features.approvals,
        statistics: features.statistics,
      },
      ...modelParts(parts),
      watcher,
      ...conversationSettings(parts),
    }),
  );
  const results = own(new ResultDocuments(parts.documents));
  const commands = new PanelCommands({
    panel: agent,
    service,
    editor: commandEditor(agent.logins, parts.documents),
  });
  const { attachments, panelInputs, attaching } = createInputs(parts, agent, editors, commands);
  const changeReview = own(new ChangeReview(agent, parts.documents));
  const apps = own(
    new AppPanels({
      service,
      loggers: parts.loggers,
      consents: features.appConsents,
      extensionUri: parts.extensionUri,
      hostVersion: parts.version,
      suggest: (text, server) => {
        view
          .suggest(text, server)
          .catch((error: unknown) => logger.log('error', errorMessage(error)));
      },
    }),
  );
  const view = own(
    new AgentViewProvider({
      extensionUri: parts.extensionUri,
      model: agent,
      openModels: () => openModels(agent.modelsPath),
      inputs: panelInputs,
      commands,
      callQuestion: (id, call) => void parts.questions.call(id, call),
      attachments,
      attaching,
      openResult: (result, file) => results.open(result, file),
      review: changeReview,
      openApp: async (callId) => await apps.open(await agent.appCall(callId)),
      logError: (message) => logger.log('error', message),
    }),
  );
  own(
    new ApprovalsStatusItem(
      agent,
      () => view.isVisible,
      (listener) => view.onDidChangeVisibility(listener),
    ),
  );
  return { agent, agentView: view, features, toolBudget, attachments, results, changeReview };
}

/** What goes with messages beside their text, and what may. */
function createInputs(
  parts: AgentParts,
  agent: AgentPanel,
  editors: FileEditors,
  commands: PanelCommands,
) {
  const { service, workspace, own } = parts;
  const logger = parts.loggers.main;
  const folderUri = () => agent.snapshot().state.folder?.uri;
  const attachments = own(
    new Attachments({
      conversation: () => agent.snapshot().conversation,
      store: agent.attachmentStore,
      loadCounter: loadTokenCounter,
      log: (error) => logger.log('error', errorMessage(error)),
    }),
  );
  own(agent.onDidReset(() => void attachments.load()));
  const readFile = (file: AttachedFile) =>
    readAttachedFile(file, { folders: () => workspace.folders, editors });
  const panelInputs = own(
    new PanelInputs({
      service,
      attachments,
      readFile,
      blindModel: () => {
        const { model } = agent.snapshot().state;
        return model?.takesImages === false ? model.label : undefined;
      },
      commands: () => commands.views,
      questions: parts.questions,
      folderUri,
      askForArguments: askForPromptArguments,
    }),
  );
  const attaching = own(
    new Attaching({
      service,
      inputs: panelInputs,
      attachments,
      documents: parts.documents,
      folderUri,
      readFile,
      attachResource: () => attachResource(service, attachments),
      picturesOf: (of, id) =>
        of === 'queue' ? (agent.queue?.imagesOf(id) ?? []) : agent.messages.imagesOf(id),
    }),
  );
  return { attachments, panelInputs, attaching };
}

function modelParts({ own, context }: AgentParts) {
  return {
    modelMemory: createModelMemory(
      own(new ConfigValue(settingIds.agentModel)),
      context.globalState,
    ),
    editorModels: own(new LanguageModels(context)),
  };
}

function conversationSettings({ own, workspaceStorageDir }: AgentParts) {
  const maxCount = own(new ConfigValue(settingIds.agentConversations));
  const maxAgeDays = own(new ConfigValue(settingIds.agentConversationDays));
  const files = own(new ConfigValue(settingIds.agentConversationFiles));
  return {
    conversationMemoryPath: join(workspaceStorageDir, 'conversations.json'),
    conversationLimits: (): ConversationLimits => ({
      maxCount: maxCount.value,
      maxAgeDays: maxAgeDays.value,
    }),
    conversationKeeper: (): ConversationKeeper => (files.value === 'pi' ? 'pi' : 'own'),
  };
}

function commandEditor(logins: ModelLogin, documents: TextDocuments): CommandEditor {
  return {
    run: async (command, argument) => {
      await vscode.commands.executeCommand(command, argument);
    },
    reviewExtensions: (files) => reviewExtensions(documents, files),
    logOut: () => logOutOfProvider(logins),
  };
}

/** Opens the file of the user's Pi that lists models. A missing one is offered as an unsaved document of that path. */
async function openModels(path: string): Promise<void> {
  const uri = vscode.Uri.file(path);
  let target = uri;
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    // does not exist yet
    target = uri.with({ scheme: 'untitled' });
  }
  await vscode.window.showTextDocument(target);
}
