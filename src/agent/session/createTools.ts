/** The tools of servers as a session offers them, and how they are told apart when the user approves one. */
import { errorMessage } from '../../base/errors.js';
import { loadTokenCounter, type TokenCounter } from '../../mcp/catalog/tokens/tokenEstimate.js';
import { ToolCatalog } from '../../mcp/catalog/toolCatalog.js';
import { planName } from '../builtIn/planTool.js';
import { defaultToolPolicy } from '../policy/toolPolicy.js';
import type { BackgroundTasks } from '../tools/backgroundTasks.js';
import { ConversationTools } from '../tools/choice/conversationTools.js';
import { ModelTools } from '../tools/modelTools.js';
import { isCallable } from '../tools/offeredServers.js';
import type { ResultStore } from '../tools/resultStore.js';
import { ToolBridge } from '../tools/toolBridge.js';
import { ToolIdentities } from '../tools/toolIdentities.js';
import type { AgentSessionOptions } from './piSession.js';

type Options = Pick<AgentSessionOptions, 'service' | 'folderUri' | 'machine' | 'tools'>;

/** What tools cost; shared by all that list them. */
export interface ToolCounting {
  readonly countTokens: TokenCounter;
  readonly catalog: ToolCatalog;
}

/** Lists the tools once, in turns, so that who lists them with the same catalogue finds them counted. */
export async function sessionTokens({
  service,
  folderUri,
  machine,
  tools: policy = defaultToolPolicy,
}: Options): Promise<ToolCounting> {
  const countTokens = await loadTokenCounter();
  const catalog = new ToolCatalog();
  const servers = service.serversFor(folderUri).filter(isCallable);
  const directTools = machine.environment.getVariable('MCP_DIRECT_TOOLS');
  const modelTools = new ModelTools({ service, policy, directTools, catalog });
  await modelTools.listWithPauses(servers, folderUri, countTokens);
  return { countTokens, catalog };
}

/**
 * What the user chooses of the tools, and what the model is offered of them.
 * @param builtIns names of Pi's own tools
 */
export function bridgeTools(
  { service, folderUri, machine, tools }: Options,
  builtIns: readonly string[],
  {
    results,
    tasks,
    ...counting
  }: ToolCounting & { readonly results: ResultStore; readonly tasks: BackgroundTasks },
): { readonly choice: ConversationTools; readonly bridge: ToolBridge } {
  const directTools = machine.environment.getVariable('MCP_DIRECT_TOOLS');
  const common = { service, folderUri, directTools, ...counting };
  const choice = new ConversationTools({
    ...common,
    policy: tools ?? defaultToolPolicy,
    builtIns: builtIns.filter((name) => name !== planName),
  });
  const bridge = new ToolBridge({
    ...common,
    policy: choice.policy,
    statistics: tools?.statistics,
    results,
    tasks,
  });
  choice.follow(bridge);
  return { choice, bridge };
}

export function createIdentities(
  { service, folderUri, tools, machine }: Options,
  bridge: ToolBridge,
): ToolIdentities {
  return new ToolIdentities({
    bridge,
    folderUri,
    folders: () => service.pools.flatMap(({ folder }) => (folder ? [folder] : [])),
    store: tools?.approvals,
    // of the user alone: no folder sets what guards the user
    rule: () => service.settingsFor(undefined).approveTools,
    onError: (error) => machine.loggers.main.log('error', errorMessage(error)),
  });
}
