/** Every id that the manifest contributes, once. `test/unit/manifest.test.ts` holds both against each other. */

export const commandCategory = 'Pi MCP';

export const viewIds = {
  container: 'piMcp',
  /** In the secondary side bar. */
  agentContainer: 'piMcpAgent',
  servers: 'piMcp.servers',
  agent: 'piMcp.agent',
} as const;

/** What drags of servers carry. */
export const draggedServers = `application/vnd.code.tree.${viewIds.servers.toLowerCase()}`;

export const configPanelType = 'piMcp.config';
export const addPanelType = 'piMcp.add';
/** What the search of the registry was before it was a part of that page. */
export const oldAddPanelType = 'piMcp.registry';
export const consentPanelType = 'piMcp.consent';
export const doctorPanelType = 'piMcp.doctor.page';
export const serverPanelType = 'piMcp.server';
/** What parts of the page of a server were before they were parts of it: their tabs come back as that page. */
const oldServerPanelTypes = ['piMcp.inspector', 'piMcp.runTool.page'] as const;
/** Of the tabs that come back after a reload of the window. */
export const pagePanelTypes = [
  configPanelType,
  addPanelType,
  oldAddPanelType,
  consentPanelType,
  doctorPanelType,
  serverPanelType,
  ...oldServerPanelTypes,
] as const;
export type PagePanelType = (typeof pagePanelTypes)[number];
/** Of the tab that a conversation has in the editor area. */
export const agentTabType = 'piMcp.conversation';
/** Of the servers that VS Code's own agent gets from us. */
export const mcpProviderId = 'piMcp.handedOver';
export const walkthroughId = 'piMcp.start';

const commandNames = [
  'addModelServer',
  'addServer',
  'agreeToSignIn',
  'answerQuestion',
  'attachResource',
  'chooseFolders',
  'chooseMode',
  'chooseModel',
  'chooseStarter',
  'chooseThinking',
  'configureServers',
  'copyName',
  'disableServer',
  'doctor',
  'enableServer',
  'exportConversation',
  'exportServers',
  'findInConversation',
  'findLocalModels',
  'fixServer',
  'focusAgent',
  'forkConversation',
  'getPrompt',
  'goToWaiting',
  'hideRule',
  'importServers',
  'keepAllChanges',
  'keepChange',
  'keepFileChanges',
  'logIn',
  'manageInputs',
  'manageTrust',
  'manageWorkspaceTrust',
  'moveAgent',
  'moveSecret',
  'moveServer',
  'newAgentSession',
  'nextChange',
  'openConfiguration',
  'openInEditor',
  'openRecording',
  'openResource',
  'openSchema',
  'openServer',
  'pasteSignInAddress',
  'pinPackage',
  'probeServer',
  'redoChanges',
  'refresh',
  'removeServer',
  'renameConversation',
  'restartServer',
  'restoreCheckpoint',
  'revealServer',
  'reviewChanges',
  'reviewServers',
  'revokeApprovals',
  'runTool',
  'selectProfile',
  'showConversations',
  'showHiddenRules',
  'showLog',
  'showTasks',
  'showToolStatistics',
  'signIn',
  'signInOnAnotherDevice',
  'signOut',
  'startAllServers',
  'startGateway',
  'startServer',
  'stopAllServers',
  'stopCopies',
  'stopGateway',
  'stopServer',
  'switchTool',
  'trustFolder',
  'undoAllChanges',
  'undoChange',
  'undoFileChanges',
  'useAccount',
  'useGateway',
] as const;
type CommandName = (typeof commandNames)[number];

export const commandIds = Object.fromEntries(
  commandNames.map((name) => [name, `piMcp.${name}`]),
) as { readonly [Name in CommandName]: `piMcp.${Name}` };
export type CommandId = (typeof commandIds)[keyof typeof commandIds];

/** Commands that our own messages, pages, lenses and picks run, and nobody by a name of their own: VS Code is not told of them. */
export const ownCommandIds: readonly CommandId[] = [
  commandIds.addModelServer,
  commandIds.agreeToSignIn,
  commandIds.chooseFolders,
  commandIds.findLocalModels,
  commandIds.hideRule,
  commandIds.manageWorkspaceTrust,
  commandIds.moveSecret,
  commandIds.openRecording,
  commandIds.pasteSignInAddress,
  commandIds.pinPackage,
  commandIds.revealServer,
  commandIds.signInOnAnotherDevice,
  commandIds.stopCopies,
  commandIds.useAccount,
];

/** Commands of rows, lenses and the menu of the view: hidden from the command palette. */
export const contextOnlyCommandIds: readonly CommandId[] = [
  commandIds.attachResource,
  commandIds.copyName,
  commandIds.disableServer,
  commandIds.enableServer,
  commandIds.fixServer,
  commandIds.moveServer,
  commandIds.openSchema,
  commandIds.refresh,
  commandIds.removeServer,
  commandIds.signOut,
  commandIds.switchTool,
];

export const contextKeys = {
  /** True when at least one server is configured. */
  hasServers: 'piMcp.hasServers',
  /** True once the configuration files were read, so that "no servers" is a fact. */
  isLoaded: 'piMcp.isLoaded',
  /** True while a server runs or connects. */
  hasRunning: 'piMcp.hasRunning',
  /** True while a server waits for consent that the user can give now. */
  awaitsReview: 'piMcp.awaitsReview',
  /** True while there is a server that the user may sign in to. */
  canSignIn: 'piMcp.canSignIn',
  /** True when a server offers one, as far as is known. */
  hasResources: 'piMcp.hasResources',
  hasPrompts: 'piMcp.hasPrompts',
  /** True while a server waits for an answer. */
  hasQuestion: 'piMcp.hasQuestion',
  /** True while something is lent to other programs. */
  gatewayRuns: 'piMcp.gatewayRuns',
  /** True once the agent was opened in this window. */
  isAgentOpen: 'piMcp.isAgentOpen',
  /** True while Pi changed files that wait for a review. */
  hasChanges: 'piMcp.hasChanges',
  /** True while the active editor shows a file with such changes. */
  editorHasChanges: 'piMcp.editorHasChanges',
  /** True while something was undone that can be done again. */
  canRedo: 'piMcp.canRedo',
  /** True while a conversation with the agent waits for the user. */
  isConversationWaiting: 'piMcp.isConversationWaiting',
  /** True while the keys go to the page of the agent; VS Code's own key of a focused view does not know of pages. */
  isAgentFocused: 'piMcp.isAgentFocused',
} as const;

/** Steps of the walkthrough that are done once a context key holds. */
export const stepsByKey: ReadonlyMap<string, string> = new Map([
  [contextKeys.hasServers, `pi-mcp.pi-mcp#${walkthroughId}#servers`],
  [contextKeys.hasRunning, `pi-mcp.pi-mcp#${walkthroughId}#trust`],
]);

/** Words of a tree item's `contextValue`, matched by the `viewItem` clauses of the manifest. */
export const itemFlags = {
  pool: 'pool',
  /** A folder whose gateway runs. */
  lent: 'lent',
  /** A folder whose gateway does not run. */
  lendable: 'lendable',
  server: 'server',
  problem: 'problem',
  /** The folder has consent that can be revoked. */
  hasConsent: 'hasConsent',
  /** Consent is asked for, and Workspace Trust does not stand in the way. */
  awaitsConsent: 'awaitsConsent',
  /** Nothing of the folder runs before Workspace Trust is granted. */
  restricted: 'restricted',
  switchedOn: 'switchedOn',
  switchedOff: 'switchedOff',
  /** Connected or connecting. */
  running: 'running',
  /** May be connected now. */
  startable: 'startable',
  /** The user may sign in to it now. */
  canSignIn: 'canSignIn',
  /** Tokens of it are stored. */
  signedIn: 'signedIn',
  /** Tokens or a registration of it are stored. */
  registered: 'registered',
  /** Waits for the user to sign in. */
  signedOut: 'signedOut',
  /** A question of the server left the screen and waits for the user. */
  asking: 'asking',
  /** A resource or resource template of a server. */
  resource: 'resource',
  /** A prompt of a server. */
  prompt: 'prompt',
  /** A skill of a server. */
  skill: 'skill',
  /** A tool of a server. */
  tool: 'tool',
  /** The user allowed the tool to run without asking. */
  allowedAlways: 'allowedAlways',
  /** The user agreed to see apps of the server. */
  showsApps: 'showsApps',
  /** Another client would start it, or has started it. */
  doubled: 'doubled',
  /** VS Code's own agent has it from us, or will when the gateway runs. */
  handedOver: 'handedOver',
  /** The last connect failed or the connection broke. */
  failing: 'failing',
} as const;

export const settingIds = {
  globalConfigPath: 'piMcp.globalConfigPath',
  agentMode: 'piMcp.agent.mode',
  agentAlwaysAsk: 'piMcp.agent.alwaysAsk',
  agentYolo: 'piMcp.agent.yolo',
  agentCards: 'piMcp.agent.cards',
  agentSpendingLimit: 'piMcp.agent.spendingLimit',
  agentMaxRequests: 'piMcp.agent.maxRequests',
  agentExtensions: 'piMcp.agent.extensions',
  agentModel: 'piMcp.agent.model',
  agentTitles: 'piMcp.agent.titles',
  agentToolBudget: 'piMcp.agent.toolBudget',
  agentConversations: 'piMcp.agent.conversations',
  agentConversationDays: 'piMcp.agent.conversationDays',
  agentConversationFiles: 'piMcp.agent.conversationFiles',
  agentNotify: 'piMcp.agent.notify',
  agentSound: 'piMcp.agent.sound',
  gatewayApprovals: 'piMcp.gateway.approvals',
  gatewayPort: 'piMcp.gateway.port',
  logKeepDays: 'piMcp.log.keepDays',
  notices: 'piMcp.notices',
  profiles: 'piMcp.profiles',
  registryUrl: 'piMcp.registry.url',
  updatesCheck: 'piMcp.updates.check',
  validationSeverities: 'piMcp.validation.severities',
} as const;
export type SettingId = (typeof settingIds)[keyof typeof settingIds];

/** Same values as in the manifest. */
export const settingDefaults = {
  [settingIds.globalConfigPath]: '',
  [settingIds.agentMode]: 'ask',
  [settingIds.agentAlwaysAsk]: [],
  [settingIds.agentYolo]: false,
  [settingIds.agentCards]: 'compact',
  [settingIds.agentSpendingLimit]: 0,
  [settingIds.agentMaxRequests]: 100,
  [settingIds.agentExtensions]: true,
  [settingIds.agentModel]: '',
  [settingIds.agentTitles]: 'firstRequest',
  [settingIds.agentToolBudget]: 1_500,
  [settingIds.agentConversations]: 50,
  [settingIds.agentConversationDays]: 90,
  [settingIds.agentConversationFiles]: 'own',
  [settingIds.agentNotify]: 'windowNotFocused',
  [settingIds.agentSound]: false,
  [settingIds.gatewayApprovals]: {},
  [settingIds.gatewayPort]: 0,
  [settingIds.logKeepDays]: 0,
  [settingIds.notices]: true,
  [settingIds.profiles]: {},
  [settingIds.registryUrl]: '',
  [settingIds.updatesCheck]: true,
  [settingIds.validationSeverities]: {},
} as const satisfies Record<SettingId, unknown>;

/** Keys of `globalState`, `workspaceState` and the secret storage; no other key is used. */
export const storageKeys = {
  /** workspaceState: what ran with folder trust when the user last looked. */
  announcedLaunches: 'announcedLaunches',
  /** workspaceState: VS Code itself may start the servers of files that both read. */
  askedWhoStarts: 'sharesFiles',
  /** workspaceState: by folder and name, servers that VS Code's own agent gets from us. */
  handedOver: 'handedOver',
  /** workspaceState: by folder, the profile of its tools. */
  chosenProfiles: 'chosenProfiles',
  /** workspaceState: by server, what the user said to other clients that start it, too. */
  clientChoices: 'clientChoices',
  /** workspaceState: the rows of the servers, for the start of the next window. */
  serverRows: 'serverRows',
  /** workspaceState: ids of the conversations that have tabs. */
  conversationTabs: 'conversationTabs',
  /** workspaceState: by package and version, what its registry said last, and what the user skipped. */
  knownVersions: 'knownVersions',
  /** globalState: by package, the server of an MCP registry that it was added as. */
  packageOrigins: 'packageOrigins',
  /** workspaceState: paths of recordings that the user opened, newest first. */
  openedRecordings: 'openedRecordings',
  /** workspaceState: what was run by hand. */
  toolRuns: 'piMcp.toolRuns',
  /** globalState: vendors of VS Code's language models whose costs the user agreed to. */
  modelVendors: 'modelVendors',
  /** workspaceState: URIs of folders in which the user agreed that everything runs. */
  runFreelyFolders: 'runFreelyFolders',
  /** globalState: models that the user chose, newest first. */
  recentModels: 'recentModels',
  /** globalState: models that the user pinned, in that order. */
  pinnedModels: 'pinnedModels',
  /** globalState: by `provider/model`, how much the user lets it think. */
  thinkingLevels: 'thinkingLevels',
} as const;
