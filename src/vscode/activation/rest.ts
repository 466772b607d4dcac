/** What is composed once the first rows are shown; a chunk of its own. */
import type * as vscode from 'vscode';
import { once } from '../../base/async/onFirstUse.js';
import { Emitter } from '../../base/event.js';
import { InputStore, type ListableSecretStore } from '../../config/inputs/inputStore.js';
import { settingIds } from '../../contributions.js';
import type { FolderGateways } from '../../gateway/folderGateways.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { ChoiceQuestions } from '../../mcp/service/choiceQuestions.js';
import { FormQuestions } from '../../mcp/service/formQuestions.js';
import { OpenQuestions } from '../../mcp/service/openQuestions.js';
import { createExtensionApi } from '../../presentation/createExtensionApi.js';
import type { PiMcpApi } from '../../presentation/extensionApi.js';
import { ServerAdvice } from '../../presentation/language/serverAdvice.js';
import { AgentOnUse } from '../agentOnUse.js';
import type { AgentParts } from '../createAgent.js';
import { createTools, type ToolParts } from '../createTools.js';
import { ResourceFiles } from '../documents/resourceFiles.js';
import { TextDocuments } from '../documents/textDocuments.js';
import { createGateways } from '../gateway/createGateways.js';
import { ConfigFiles, onceConfigOpens } from '../language/configFiles.js';
import { VsCodeMcp } from '../language/vsCodeMcp.js';
import { TerminalMentions } from '../mentions/terminalMentions.js';
import { AuthorizationPrompter } from '../prompts/authorizationPrompter.js';
import { InputPrompter } from '../prompts/inputPrompter.js';
import { QuestionsPanel } from '../questions/questionsPanel.js';
import { ServerQuestions } from '../questions/serverQuestions.js';
import type { Surfaces } from '../registerSurfaces.js';
import { registerViews } from '../registerViews.js';
import type { RowActions } from '../views/serversTree.js';
import type { ServersView } from '../views/serversView.js';
import { ConfigValue } from '../workspace/configValue.js';
import { SeveritySetting } from '../workspace/severitySetting.js';
import type { Host } from './host.js';

export interface RestParts extends Host {
  readonly context: vscode.ExtensionContext;
  readonly room: MakeRoom;
  readonly service: McpService;
  readonly globalConfigPath: ConfigValue<typeof settingIds.globalConfigPath>;
  readonly secrets: ListableSecretStore;
  readonly view: ServersView;
  /** Settles when the configuration was read the first time. */
  readonly loaded: Promise<void>;
}

/** Called before that part registers what something else stood for. */
export interface MakeRoom {
  forRest(): void;
  forSurfaces(): void;
  forAgent(): void;
}

export interface Rest {
  readonly api: PiMcpApi;
  readonly agentView: AgentOnUse['view'];
  readonly rowActions: RowActions;
  readonly inputs: InputStore;
  readonly inputPrompter: InputPrompter;
  readonly signIns: AuthorizationPrompter;
  readonly asking: ServerQuestions;
  /** Registers commands, pages and editor features. */
  loadSurfaces(): Promise<Surfaces>;
  /** Registers the agent's commands. */
  loadAgent(): Promise<unknown>;
  /** Nothing is lent any more when it resolves. */
  stop(): Promise<void>;
}

export function composeRest(host: RestParts): Rest {
  const { own, service, environment, context, room, reportError, globalConfigPath } = host;
  const { workspaceState } = context;
  // what ran before the agent is loaded can be mentioned too
  const terminals = own(new TerminalMentions());
  const agent = own(
    new AgentOnUse(environment, async () => {
      const { createAgent } = await import('../createAgent.js');
      room.forAgent();
      return createAgent({ ...agentParts(host, asked), ...toolParts, terminals });
    }),
  );
  const asked = createQuestions(host, agent, () => lending.gateways);
  const { asking, ...questionParts } = asked;
  const toolParts = createTools({ ...host, ...asked, workspaceState });
  const lending = createGateways({
    ...host,
    offered: toolParts.features.offered,
    statistics: toolParts.features.statistics,
    consent: asking.lentCalls,
  });
  const parts = {
    ...host,
    ...questionParts,
    ...toolParts,
    ...createAdvice(host),
    agent,
    ...lending,
    workspaceState,
    resources: own(new ResourceFiles(service)),
    files: new ConfigFiles(host.workspace, environment, () => globalConfigPath.value),
  };
  const loadSurfaces = once(async () => {
    const { registerSurfaces } = await import('../registerSurfaces.js');
    room.forSurfaces();
    return registerSurfaces(parts);
  });
  const rowActions = own(
    registerViews({
      ...parts,
      move: async (servers, pool) => (await loadSurfaces()).move(servers, pool),
    }),
  );
  own(
    onceConfigOpens(parts.files, service.onDidChangePools, () => {
      loadSurfaces().catch(reportError);
    }),
  );
  return {
    ...asked,
    rowActions,
    api: createExtensionApi({
      service,
      consent: { request: async (folder) => (await loadSurfaces()).consent.request(folder) },
      loaded: host.loaded,
      switches: toolParts.features.offered,
      budget: toolParts.toolBudget,
      directTools: environment.getVariable('MCP_DIRECT_TOOLS'),
    }),
    agentView: agent.view,
    loadSurfaces,
    loadAgent: () => agent.load(),
    stop: () => lending.gateways.stopAll(),
  };
}

function agentParts(
  host: RestParts,
  asked: ReturnType<typeof createQuestions>,
): Omit<AgentParts, keyof ToolParts | 'terminals'> {
  return {
    ...host,
    workspaceStorageDir: host.context.storageUri?.fsPath ?? host.storageDir,
    questions: asked.questions,
    choices: asked.choices,
    forms: asked.forms,
    openPage: (definition, url, signal) => asked.asking.openPage(definition, url, signal),
    documents: asked.documents,
    loggers: host.logs,
  };
}

/** What is said about configuration files, and by which rules. */
function createAdvice({
  own,
  workspace,
  environment,
  reportError,
  service,
  globalConfigPath,
  context,
}: RestParts) {
  const severities = own(new SeveritySetting());
  const vsCode = own(new VsCodeMcp(context.workspaceState));
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

/** Those who ask the user on behalf of servers. */
function createQuestions(
  { own, context, logs, service, secrets }: RestParts,
  agent: AgentOnUse,
  gateways: () => FolderGateways,
) {
  const documents = own(new TextDocuments());
  const questions = own(new OpenQuestions());
  const choices = own(new ChoiceQuestions());
  const forms = own(new FormQuestions());
  const cardPage = own(new QuestionsPanel({ extensionUri: context.extensionUri, choices, forms }));
  const pages = () => agent;
  const signIns = new AuthorizationPrompter({ questions: choices, pages });
  const approvals = own(new ConfigValue(settingIds.gatewayApprovals));
  const asking = new ServerQuestions({
    documents,
    logs,
    open: questions,
    choices,
    forms,
    cardPage,
    pages,
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
    invite: (about, signal) => asking.queue.invite(about, signal),
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
