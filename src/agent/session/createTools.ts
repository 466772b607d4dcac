/** The tools of servers as a session offers them, and how they are told apart when the user approves one. */
import { errorMessage } from '../../base/errors.js';
import type { TokenCounter } from '../../mcp/catalog/tokens/tokenEstimate.js';
import type { McpService } from '../../mcp/mcpApi.js';
import type { HostEnvironment, Logger } from '../../platform/ports.js';
import { defaultToolPolicy, type ToolPolicy } from '../policy/toolPolicy.js';
import type { BackgroundTasks } from '../tools/backgroundTasks.js';
import { ConversationTools } from '../tools/choice/conversationTools.js';
import type { ResultStore } from '../tools/resultStore.js';
import { ToolBridge } from '../tools/toolBridge.js';
import { ToolIdentities } from '../tools/toolIdentities.js';

interface Options {
  readonly service: McpService;
  readonly folderUri: string | undefined;
  readonly environment: HostEnvironment;
  readonly tools?: ToolPolicy | undefined;
  readonly logger: Logger;
}

/** @param builtIns names of Pi's own tools */
export function createChoice(
  { service, folderUri, environment, tools }: Options,
  builtIns: readonly string[],
  countTokens: TokenCounter,
): ConversationTools {
  return new ConversationTools({
    service,
    folderUri,
    countTokens,
    policy: tools ?? defaultToolPolicy,
    directTools: environment.getVariable('MCP_DIRECT_TOOLS'),
    builtIns,
  });
}

export function createBridge(
  { service, folderUri, environment, tools }: Options,
  {
    choice,
    ...parts
  }: {
    /** What of the tools is offered; follows the bridge. */
    readonly choice: ConversationTools;
    readonly countTokens: TokenCounter;
    readonly results: ResultStore;
    readonly tasks: BackgroundTasks;
  },
): ToolBridge {
  const bridge = new ToolBridge({
    service,
    folderUri,
    policy: choice.policy,
    statistics: tools?.statistics,
    directTools: environment.getVariable('MCP_DIRECT_TOOLS'),
    ...parts,
  });
  choice.follow(bridge);
  return bridge;
}

export function createIdentities(
  { service, folderUri, tools, logger }: Options,
  bridge: ToolBridge,
): ToolIdentities {
  return new ToolIdentities({
    bridge,
    folderUri,
    folders: () => service.pools.flatMap(({ folder }) => (folder ? [folder] : [])),
    store: tools?.approvals,
    // of the user alone: no folder sets what guards the user
    rule: () => service.settingsFor(undefined).approveTools,
    onError: (error) => logger.log('error', errorMessage(error)),
  });
}
