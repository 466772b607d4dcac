/** The one list of tools as a model sees them, for the agent, the tree and the command line. */
import type { TokenCounter } from '../../mcp/catalog/tokens/tokenEstimate.js';
import {
  type ModelTool,
  ToolCatalog,
  type ToolCatalogOptions,
} from '../../mcp/catalog/toolCatalog.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { reservedToolNames } from '../builtIn/builtInTools.js';
import type { ToolPolicy } from '../policy/toolPolicy.js';

export interface ModelToolsOptions {
  readonly service: McpService;
  readonly policy: Pick<ToolPolicy, 'budget'> & {
    readonly switches: Pick<ToolPolicy['switches'], 'isOn'>;
  };
  /** Value of `MCP_DIRECT_TOOLS`. */
  readonly directTools?: string | undefined;
  /** What was made of the tools before. Default: nothing. */
  readonly catalog?: ToolCatalog | undefined;
}

export class ModelTools {
  private readonly catalog: ToolCatalog;

  constructor(private readonly options: ModelToolsOptions) {
    this.catalog = options.catalog ?? new ToolCatalog();
  }

  /** @param servers those of the folder that count, see {@link McpService.serversFor} */
  list(
    servers: readonly McpServer[],
    folderUri: string | undefined,
    countTokens: TokenCounter,
  ): readonly ModelTool[] {
    return this.catalog.list(servers, this.rulesFor(folderUri, countTokens));
  }

  /** See {@link ToolCatalog.listWithPauses}. */
  listWithPauses(
    servers: readonly McpServer[],
    folderUri: string | undefined,
    countTokens: TokenCounter,
  ): Promise<readonly ModelTool[]> {
    return this.catalog.listWithPauses(servers, this.rulesFor(folderUri, countTokens));
  }

  private rulesFor(folderUri: string | undefined, countTokens: TokenCounter): ToolCatalogOptions {
    const { service, policy, directTools } = this.options;
    return {
      countTokens,
      directTools,
      isProxyDisabled: service.settingsFor(folderUri).disableProxyTool === true,
      budget: policy.budget.value,
      reserved: reservedToolNames,
      isOn: (server, tool) => policy.switches.isOn({ folderUri, server, tool }),
    };
  }
}
