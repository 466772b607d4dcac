import type { ToolPolicy } from '../agent/policy/toolPolicy.js';
import { ModelTools } from '../agent/tools/modelTools.js';
import { isCallable } from '../agent/tools/offeredServers.js';
import { Coalescer } from '../base/async/coalescer.js';
import { type Disposable, DisposableStore } from '../base/disposable.js';
import { Emitter } from '../base/event.js';
import { loadTokenCounter } from '../mcp/catalog/tokens/tokenEstimate.js';
import type { McpService } from '../mcp/mcpApi.js';
import type { PiMcpTool } from './extensionApi.js';

/** Milliseconds in which the tools of servers that start together become one change. */
const settleMs = 100;

export interface AgentToolListOptions extends Pick<ToolPolicy, 'budget' | 'switches'> {
  readonly service: McpService;
  /** Value of `MCP_DIRECT_TOOLS`. */
  readonly directTools: string | undefined;
}

/** The tools of agent sessions, as one flat list of each folder. */
export class AgentToolList {
  private modelTools: ModelTools | undefined;

  constructor(private readonly options: AgentToolListOptions) {}

  async list(folderUri: string | undefined): Promise<readonly PiMcpTool[]> {
    const { service, budget, switches, directTools } = this.options;
    const countTokens = await loadTokenCounter();
    this.modelTools ??= new ModelTools({ service, policy: { budget, switches }, directTools });
    const servers = service.serversFor(folderUri).filter(isCallable);
    const listed = await this.modelTools.listWithPauses(servers, folderUri, countTokens);
    const pools = new Map(servers.map(({ id, definition }) => [id, definition.poolId]));
    return listed.flatMap((one) => {
      const { name, server, serverId, tool, exposure, model } = one;
      const poolId = pools.get(serverId);
      return exposure === 'hidden' || poolId === undefined
        ? []
        : [
            {
              name,
              poolId,
              server,
              tool,
              description: model.description,
              inputSchema: structuredClone(model.schema),
              exposure,
            },
          ];
    });
  }

  /** Calls back when the list of the user or of any open folder is another than before. */
  watch(listener: () => void): Disposable {
    const { service, budget, switches } = this.options;
    const store = new DisposableStore();
    const emitter = store.add(new Emitter<void>());
    emitter.event(listener);
    let known: string | undefined;
    const look = async () => {
      const folders = [undefined, ...service.pools.flatMap(({ folder }) => folder?.uri ?? [])];
      const lists = await Promise.all(
        folders.map(async (uri) => [uri, await this.list(uri)] as const),
      );
      const found = JSON.stringify(lists);
      const isOther = known !== undefined && known !== found;
      known = found;
      if (isOther) {
        emitter.fire();
      }
    };
    const check = store.add(new Coalescer(look, { delayMs: settleMs }));
    const request = () => check.request();
    store.add(service.onDidChangePools(request));
    store.add(service.onDidChangeServer(request));
    store.add(service.trust.onDidChange(request));
    store.add(budget.onDidChange(request));
    store.add(switches.onDidChange(request));
    void check.flush();
    return store;
  }
}
