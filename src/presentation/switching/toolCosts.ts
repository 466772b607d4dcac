/** What the tools of a folder cost a model, as they are or as they would be. */
import { ModelTools, type ModelToolsOptions } from '../../agent/tools/modelTools.js';
import { withPauses } from '../../base/async/withPauses.js';
import { loadTokenCounter } from '../../mcp/catalog/tokens/tokenEstimate.js';
import { toolsPerPause } from '../../mcp/catalog/toolCatalog.js';
import type { McpServer } from '../../mcp/mcpApi.js';

export const costlyExposures = ['direct', 'search', 'proxy'] as const;

export interface ToolCost {
  readonly tools: number;
  readonly tokens: number;
}

export type ToolCosts = Readonly<Record<(typeof costlyExposures)[number], ToolCost>>;

/** @param servers those that the folder's agent would have */
export async function toolCosts(
  servers: readonly McpServer[],
  folderUri: string | undefined,
  options: ModelToolsOptions,
): Promise<ToolCosts> {
  const countTokens = await loadTokenCounter();
  const modelTools = new ModelTools(options);
  const listed = await modelTools.listWithPauses(servers, folderUri, countTokens);
  await withPauses(listed, toolsPerPause, ({ model }) => model.tokens(countTokens));
  const costOf = (exposure: (typeof costlyExposures)[number]): ToolCost => {
    const tools = listed.filter((tool) => tool.exposure === exposure);
    const tokens = tools.reduce((sum, { model }) => sum + model.tokens(countTokens), 0);
    return { tools: tools.length, tokens };
  };
  return { direct: costOf('direct'), search: costOf('search'), proxy: costOf('proxy') };
}
