/** Calls of tools that clients make: approved, made as they were approved, counted, and explained where they were made in vain. */
import { isHumanError, messageWithRemedy } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import { type CallCounter, countCall } from '../../mcp/catalog/records/toolStatistics.js';
import { ParameterHelp } from '../../mcp/catalog/schema/parameterHelp.js';
import { assertSameTool, toolKey } from '../../mcp/catalog/toolKey.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { McpToolAnnotations, McpToolResult } from '../../mcp/mcpTypes.js';
import type { CallMaker } from '../../mcp/originTypes.js';
import type { Caller, LentCalls, LentClient } from './lentCalls.js';
import type { LentTool } from './lentTools.js';
import { answeredError } from './rpcError.js';
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
  readonly statistics?: CallCounter | undefined;
}

/** Clients without sessions whose reading is remembered; the oldest makes room. */
const maxClients = 64;

export class ToolCalls {
  private readonly helpOfSessions = new WeakMap<object, ParameterHelp>();
  private readonly helpOfClients = new Map</* name */ string, ParameterHelp>();

  constructor(private readonly options: ToolCallsOptions) {}

  async call(found: LentTool, args: JsonObject, caller: Caller): Promise<JsonObject> {
    const { approve, calls, statistics } = this.options;
    const { server, tool } = found;
    const { client, signal, origin, meta, onProgress } = caller;
    const { name } = tool;
    // who approves has seen this one
    const key = toolKey(server, tool);
    const running = calls.begin({ client, server: server.id });
    try {
      const { annotations } = tool;
      // of some programs nobody is asked about any, and every wait is a way round
      const approval = approve?.({ client, server, tool: name, args, annotations }, signal);
      if (approval) {
        await approval;
      }
      const assertWanted = () => assertSameTool(server, name, key);
      const maker = makerFor(client, approve && (approval ? 'user' : 'setting'));
      const made = { signal, origin, meta, onProgress, assertWanted, maker };
      const call = server.callTool(name, args, made);
      const called = { server: server.definition.name, tool: name };
      const result = await countCall(statistics, called, call, (whole) => whole);
      return toolResult(result.isError ? this.explained(result, found, caller) : result);
    } catch (error) {
      // the model has to read what keeps a server from answering; what a server answers goes to the client as it is
      if (!isHumanError(error) || answeredError(error)) {
        throw error;
      }
      return failedCall(messageWithRemedy(error));
    } finally {
      running.dispose();
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

/** @param asked of the window; default: nobody asks there, and its client decides */
function makerFor({ name }: LentClient, asked: 'user' | 'setting' | undefined): CallMaker {
  const rule = asked === 'setting' ? 'piMcp.gateway.approvals' : undefined;
  return { by: 'gateway', name, approval: { kind: asked ?? 'client', rule } };
}
