/** Every id that the manifest contributes, once. `test/unit/manifest.test.ts` holds both against each other. */

export const extensionId = 'pi-mcp';
export const commandCategory = 'Pi MCP';

export const viewIds = {
  container: 'piMcp',
  servers: 'piMcp.servers',
  agent: 'piMcp.agent',
} as const;

export const configPanelType = 'piMcp.config';

export const commandIds = {
  addServer: 'piMcp.addServer',
  configureServers: 'piMcp.configureServers',
  disableServer: 'piMcp.disableServer',
  editServer: 'piMcp.editServer',
  enableServer: 'piMcp.enableServer',
  focusAgent: 'piMcp.focusAgent',
  manageWorkspaceTrust: 'piMcp.manageWorkspaceTrust',
  newAgentSession: 'piMcp.newAgentSession',
  openConfiguration: 'piMcp.openConfiguration',
  probeServer: 'piMcp.probeServer',
  refresh: 'piMcp.refresh',
  removeServer: 'piMcp.removeServer',
  revokeTrust: 'piMcp.revokeTrust',
  showLog: 'piMcp.showLog',
  stopServer: 'piMcp.stopServer',
  trustFolder: 'piMcp.trustFolder',
} as const;
export type CommandId = (typeof commandIds)[keyof typeof commandIds];

export const contextKeys = {
  /** True when at least one server is configured. */
  hasServers: 'piMcp.hasServers',
} as const;

export const settingIds = {
  globalConfigPath: 'piMcp.globalConfigPath',
  agentYolo: 'piMcp.agent.yolo',
  agentModel: 'piMcp.agent.model',
} as const;
export type SettingId = (typeof settingIds)[keyof typeof settingIds];
