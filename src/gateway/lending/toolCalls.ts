/** Calls of tools that clients make: approved, made as they were approved, counted, and explained where they were made in vain. */

import * as l10n from '@vscode/l10n';
import { HumanError, isHumanError } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import { nameToken } from '../../base/text/nameToken.js';
import { findTool } from '../../mcp/catalog/findTool.js';
import type { CallOutcome, ToolStatistics } from '../../mcp/catalog/records/toolStatistics.js';
import { ParameterHelp } from '../../mcp/catalog/schema/parameterHelp.js';
import { currentToolKey, toolKey } from '../../mcp/catalog/toolKey.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { McpToolAnnotations, McpToolResult } from '../../mcp/mcpTypes.js';
import type { Caller, LentCalls, LentClient } from './lentCalls.js';
import type { LentTool } from './lentTools.js';
import { answeredError, troubleOfError } from './rpcError.js';
import { failedCall, toolResult } from './wireItems.js';

/** A call that a person may be asked about. */
export interface ApprovableCall {
  readonly client: LentClient;
  readonly server: McpServer;
  readonly tool: string;
  readonly args: JsonObject;
  readonly annotations: McpToolAnnotations | undefined;
}

export interface ToolCallsOptions {
  readonly calls: LentCalls;
  /** Rejects with a {@link HumanError} when the call is not to be made; `undefined`: it may be. Default: the client decides. */
  readonly approve?:
    | ((call: ApprovableCall, signal: AbortSignal) => Promise<void> | undefined)
    | undefined;
  /** Default: nobody counts. */
  readonly statistics?: Pick<ToolStatistics, 'count'> | undefined;
}

/** Clients without sessions whose reading is remembered; the oldest makes room. */
const maxClients = 64;

export class ToolCalls {
  private readonly helpOfSessions = new WeakMap<object, ParameterHelp>();
  private readonly helpOfClients = new Map</* name */ string, ParameterHelp>();

  constructor(private readonly options: ToolCallsOptions) {}

  async call(found: LentTool, args: JsonObject, caller: Caller): Promise<JsonObject> {
    const { approve, calls } = this.options;
    const { server, tool } = found;
    const { client, signal } = caller;
    // who approves has seen this one
    const { definition } = server;
    const running = calls.begin({ client, server: server.id, tool: tool.name });
    try {
      const { annotations } = tool;
      // of some programs nobody is asked about any, and every wait is a way round
      const approval = approve?.({ client, server, tool: tool.name, args, annotations }, signal);
      if (approval) {
        await approval;
      }
      const result = await this.run({ ...found, definition }, args, caller);
      return toolResult(result.isError ? this.explained(result, found, caller) : result);
    } catch (error) {
      // the model has to read what keeps a server from answering; what a server answers goes to the client as it is
      if (!isHumanError(error) || answeredError(error)) {
        throw error;
      }
      return failedCall(troubleOfError(error));
    } finally {
      running.dispose();
    }
  }

  private async run(
    called: LentTool & Pick<McpServer, 'definition'>,
    args: JsonObject,
    caller: Caller,
  ): Promise<McpToolResult> {
    const { server, tool } = called;
    const startedAt = performance.now();
    const count = (outcome: CallOutcome) =>
      this.options.statistics?.count({
        server: server.definition.name,
        tool: tool.name,
        durationMs: performance.now() - startedAt,
        outcome,
      });
    try {
      const result = await callOnce(called, args, caller);
      count({ result, content: result.content });
      return result;
    } catch (error) {
      count({ error });
      throw error;
    }
  }

  private explained(
    result: McpToolResult,
    { name, tool }: LentTool,
    caller: Caller,
  ): McpToolResult {
    const text = this.helpFor(caller).textFor(name, tool.inputSchema);
    return text === undefined
      ? result
      : { ...result, content: [...result.content, { type: 'text', text }] };
  }

  /** Who has no session is known by its name. */
  private helpFor({ subscriptions, client: { name } }: Caller): ParameterHelp {
    const known = subscriptions
      ? this.helpOfSessions.get(subscriptions)
      : this.helpOfClients.get(name);
    if (known) {
      return known;
    }
    const help = new ParameterHelp();
    if (subscriptions) {
      this.helpOfSessions.set(subscriptions, help);
      return help;
    }
    const [oldest] = this.helpOfClients.keys();
    if (oldest !== undefined && this.helpOfClients.size >= maxClients) {
      this.helpOfClients.delete(oldest);
    }
    this.helpOfClients.set(name, help);
    return help;
  }
}

function callOnce(
  { server, tool, definition }: LentTool & Pick<McpServer, 'definition'>,
  args: JsonObject,
  { signal, onProgress, origin }: Caller,
) {
  const { name } = tool;
  return server.callTool(name, args, {
    signal,
    origin,
    assertWanted: () => {
      const isSame =
        findTool(server.catalog.value.tools, name) === tool &&
        server.definition.launch === definition.launch;
      // the comparison of what is not the same object takes long
      if (
        !isSame &&
        currentToolKey(server, name) !== toolKey({ id: server.id, definition }, tool)
      ) {
        throw toolChanged(name);
      }
    },
    onProgress,
  });
}

function toolChanged(tool: string): HumanError {
  return new HumanError(
    'tool_changed',
    l10n.t('This tool is not what its server listed before: {0}', nameToken(tool)),
    { remedy: l10n.t('List the tools again, then call it as it is now.') },
  );
}
