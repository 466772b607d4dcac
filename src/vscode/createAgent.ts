import { join } from 'node:path';
import * as vscode from 'vscode';
import type { WaitingServers } from '../agent/live/liveConversation.js';
import type { ConversationSettings, ModelSources } from '../agent/live/options.js';
import { AgentPanel } from '../agent/panel/agentPanel.js';
import { AgentSampling } from '../agent/panel/agentSampling.js';
import { AttachedLists } from '../agent/panel/attachments/attachments.js';
import type { ToolPolicy } from '../agent/policy/toolPolicy.js';
import { DisposableStore } from '../base/disposable.js';
import { errorMessage } from '../base/errors.js';
import { ValueEmitter } from '../base/valueEmitter.js';
import { settingIds } from '../contributions.js';
import type { McpService } from '../mcp/mcpApi.js';
import { type AgentMode, isAgentMode } from '../protocol/tools/modes.js';
import type { Asked, Host, ToolParts } from './activation/host.js';
import { AppPanels } from './apps/appPanels.js';
import { AttentionNotices } from './attention/attentionNotices.js';
import { BeforeDocuments } from './changes/changeReview.js';
import { EditorReview } from './changes/editorReview.js';
import { FileEditors } from './changes/fileEditors.js';
import type { CommandHandlers } from './commandHandlers.js';
import { agentCommands } from './commands/agentCommands.js';
import { changeCommands } from './commands/changeCommands.js';
import { modelCommands } from './commands/modelCommands.js';
import { placeCommands } from './commands/placeCommands.js';
import { createPanelParts } from './createPanelParts.js';
import { FileIndex } from './mentions/fileIndex.js';
import type { TerminalMentions } from './mentions/terminalMentions.js';
import { LanguageModels } from './models/languageModels.js';
import { createModelMemory } from './models/modelMemory.js';
import { extensionUi } from './prompts/extensionUi.js';
import { agreeToRunFreely } from './prompts/modePicker.js';
import { ActivityStatusItem } from './statusBar/activityStatusItem.js';
import { ApprovalsStatusItem } from './statusBar/approvalsStatusItem.js';
import { AgentViewProvider } from './webviews/agentViewProvider.js';
import { ConfigValue } from './workspace/configValue.js';

/** Its panel, and where the user sees it. */
export interface Agent {
  readonly panel: AgentPanel;
  readonly view: AgentViewProvider;
  /** Its model, for the requests of servers. */
  readonly sampling: AgentSampling;
  readonly handlers: CommandHandlers;
}

export interface AgentParts extends Host, Asked, ToolParts {
  readonly service: McpService;
  /** Absolute; of this workspace alone, where VS Code has one. */
  readonly workspaceStorageDir: string;
  readonly terminals: TerminalMentions;
}

export function createAgent(parts: AgentParts): Agent {
  const { service, machine, storageDir, own } = parts;
  const { environment, workspace } = machine;
  const { features, results } = parts;
  const logger = parts.logs.main;
  const editors = own(new FileEditors());
  const agent: AgentPanel = own(
    new AgentPanel({
      loadPi: () => import('../agent/pi/piEntry.js'),
      service,
      machine,
      storageDir,
      cards: own(new ConfigValue(settingIds.agentCards)),
      ...modeParts(parts),
      extensions: { isOn: own(new ConfigValue(settingIds.agentExtensions)), ui: extensionUi },
      editors,
      tools: toolPolicy(parts),
      modelSources: modelSources(parts),
      questions: allQuestions([parts.questions, parts.choices, parts.forms]),
      tabs: {
        reveal: (id) => view.reveal(id),
        open: (folder, id) => view.open(folder, id),
      },
      titles: own(new ConfigValue(settingIds.agentTitles)),
      conversations: conversationSettings(parts),
    }),
  );
  const before = own(new BeforeDocuments(agent));
  const sources = {
    index: own(new FileIndex(environment)),
    terminals: parts.terminals,
    lists: own(new AttachedLists()),
  };
  const createParts = (model: AgentPanel) =>
    createPanelParts(model, {
      ...parts,
      logger,
      before,
      editors,
      sources,
      holdFocus: () => view.holdFocus(),
    });
  const apps = own(
    new AppPanels({
      service,
      loggers: parts.logs,
      consents: features.appConsents,
      extensionUri: parts.extensionUri,
      hostVersion: parts.version,
      openPage: (...args) => parts.asking.openPage(...args),
      suggest: (text, server) => {
        view
          .suggest(text, server)
          .catch((error: unknown) => logger.log('error', errorMessage(error)));
      },
    }),
  );
  const view: AgentViewProvider = own(
    new AgentViewProvider({
      ...parts,
      panel: own(createParts(agent)),
      createParts,
      folders: () => workspace.folders,
      memory: parts.context.workspaceState,
      openModels: () => openModels(agent.modelsPath),
      callQuestion: (id, call) => void parts.questions.call(id, call),
      openResult: (result, file) => results.open(result, file),
      openApp: async (model, callId) => await apps.open(await model.appCall(callId)),
    }),
  );
  callForAttention(parts, agent, view);
  const review = own(
    new EditorReview(
      () => view.target('elsewhere').panel,
      (listener) => view.onDidChangeVisibility(listener),
    ),
  );
  return {
    panel: agent,
    view,
    sampling: new AgentSampling(() => agent),
    handlers: { ...handlersOf(parts, agent, view), ...review.handlers },
  };
}

function handlersOf(parts: AgentParts, agent: AgentPanel, view: AgentViewProvider) {
  return {
    ...agentCommands({ ...parts, agent, agentView: view }),
    ...changeCommands(view),
    ...placeCommands(view),
    ...modelCommands(() => view.target('elsewhere').panel.model),
  };
}

function callForAttention({ own, logs }: AgentParts, agent: AgentPanel, view: AgentViewProvider) {
  own(
    new ApprovalsStatusItem(
      agent,
      () => view.seen,
      (listener) => view.onDidChangeVisibility(listener),
    ),
  );
  own(
    new ActivityStatusItem(
      agent,
      () => agent.conversation === undefined || view.seen.has(agent.conversation),
      (listener) => view.onDidChangeVisibility(listener),
    ),
  );
  own(
    new AttentionNotices({
      onDidGetNews: agent.onDidGetNews,
      seen: () => view.seen,
      show: (id) => view.showConversation(id),
      ring: (kind) => view.ring(kind),
      onError: (error) => logs.main.log('error', errorMessage(error)),
    }),
  );
}

function allQuestions(sources: readonly WaitingServers[]): WaitingServers {
  return {
    get all() {
      return sources.flatMap(({ all }) => all);
    },
    onDidChange: (listener) => {
      const store = new DisposableStore();
      for (const { onDidChange } of sources) {
        store.add(onDidChange(listener));
      }
      return store;
    },
  };
}

/** An older setting counts as long as the newer one says nothing else. */
function modeParts({ own, context }: AgentParts) {
  const mode = own(new ConfigValue(settingIds.agentMode));
  const yolo = own(new ConfigValue(settingIds.agentYolo));
  const read = (): AgentMode => {
    const wanted = isAgentMode(mode.value) ? mode.value : 'ask';
    return yolo.value && wanted === 'ask' ? 'runFreely' : wanted;
  };
  const defaultMode = own(new ValueEmitter(read()));
  for (const setting of [mode, yolo]) {
    own(setting.onDidChange(() => defaultMode.set(read())));
  }
  return { defaultMode, agreeToRunFreely: agreeToRunFreely(context.workspaceState) };
}

function toolPolicy({ own, features, toolBudget }: AgentParts): ToolPolicy {
  const alwaysAsk = own(new ConfigValue(settingIds.agentAlwaysAsk));
  return {
    budget: toolBudget,
    switches: features.offered,
    profiles: features.profiles,
    setAside: features.setAside,
    approvals: features.approvals,
    commands: features.commands,
    uses: features.uses,
    statistics: features.statistics,
    spending: {
      dollars: own(new ConfigValue(settingIds.agentSpendingLimit)),
      requests: own(new ConfigValue(settingIds.agentMaxRequests)),
    },
    alwaysAsk: () => alwaysAsk.value.filter((one) => typeof one === 'string'),
  };
}

function modelSources({ own, context }: AgentParts): ModelSources {
  return {
    memory: createModelMemory(own(new ConfigValue(settingIds.agentModel)), context.globalState),
    editor: own(new LanguageModels(context)),
  };
}

function conversationSettings({ own, workspaceStorageDir }: AgentParts): ConversationSettings {
  const maxCount = own(new ConfigValue(settingIds.agentConversations));
  const maxAgeDays = own(new ConfigValue(settingIds.agentConversationDays));
  const files = own(new ConfigValue(settingIds.agentConversationFiles));
  return {
    memoryPath: join(workspaceStorageDir, 'conversations.json'),
    limits: () => ({ maxCount: maxCount.value, maxAgeDays: maxAgeDays.value }),
    keeper: () => (files.value === 'pi' ? 'pi' : 'own'),
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
