import * as l10n from '@vscode/l10n';
import { HumanError, isHumanError } from '../base/errors.js';
import type { NamedTool } from '../mcp/catalog/toolNames.js';
import { mapToolResult } from '../mcp/catalog/toolResult.js';
import type { McpService } from '../mcp/mcpApi.js';
import type { McpToolResult } from '../mcp/mcpTypes.js';
import { detailsOf, type ToolCall } from './bridgedTool.js';
import type { PiToolResult } from './piModule.js';

export interface ToolCallerOptions {
  readonly service: McpService;
  readonly folderUri: string | undefined;
  /** Told of every result before it is cut. Default: nobody. */
  readonly onResult?:
    | ((toolCallId: string, tool: NamedTool, result: McpToolResult) => void)
    | undefined;
}

/** Runs tools on their servers. Each call finds its server again, so nothing here outlives a change. */
export class ToolCaller {
  constructor(private readonly options: ToolCallerOptions) {}

  /** Rejects for everything that kept the server from answering, which Pi shows to the model as a failed call. */
  async call(tool: NamedTool, { id, args, signal, onProgress }: ToolCall): Promise<PiToolResult> {
    const { service, folderUri, onResult } = this.options;
    const server = service.serversFor(folderUri).find((one) => one.id === tool.serverId);
    try {
      if (!server) {
        throw serverGone(tool.server);
      }
      const result = await server.callTool(tool.tool, args, {
        ...(signal && { signal }),
        onProgress,
      });
      onResult?.(id, tool, result);
      const { content, isError } = mapToolResult(result);
      return { content: [...content], details: detailsOf(isError) };
    } catch (error) {
      throw isHumanError(error) && error.remedy
        ? new Error(`${error.message} ${error.remedy}`, { cause: error })
        : error;
    }
  }
}

function serverGone(server: string): HumanError {
  return new HumanError(
    'server_gone',
    l10n.t('The MCP server "{0}" is not available to this folder any more.', server),
    { remedy: l10n.t('Use another tool, or ask the user to add or enable the server.') },
  );
}
