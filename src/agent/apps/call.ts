import type { Event } from '../../base/event.js';
import type { JsonObject } from '../../base/json.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { McpTool, McpToolResult } from '../../mcp/mcpTypes.js';

/** A call of a tool whose server has an app to show it. */
export interface AppCall {
  readonly id: string;
  readonly server: McpServer;
  /** Of the conversation; `undefined` without a folder. */
  readonly folderUri: string | undefined;
  readonly tool: McpTool;
  /** The `ui://` resource. */
  readonly resourceUri: string;
  readonly args: JsonObject;
  readonly result: McpToolResult;
  /** The conversation is over, and nothing is called any more; told at once where it is already. */
  readonly onDidEnd: Event<void>;
  /**
   * Calls a tool of the same server for the app, through the user's approvals.
   * @throws {AppError} when the app may not, {HumanError} when the server does not answer.
   */
  callTool(tool: string, args: JsonObject, signal: AbortSignal): Promise<McpToolResult>;
}
