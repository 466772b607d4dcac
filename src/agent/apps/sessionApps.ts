/** What apps of one conversation are shown, and what they may do through it. */
import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../base/disposable.js';
import { HumanError } from '../../base/errors.js';
import { Emitter, type Event } from '../../base/event.js';
import { isJsonObject, type JsonObject } from '../../base/json.js';
import { rpcCode } from '../../base/jsonRpc.js';
import { nameToken } from '../../base/text/nameToken.js';
import { countCall } from '../../mcp/catalog/records/toolStatistics.js';
import { assertSameTool, currentToolKey } from '../../mcp/catalog/toolKey.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { McpTool, McpToolResult } from '../../mcp/mcpTypes.js';
import type { Approvals } from '../policy/approvals.js';
import { callApproval } from '../policy/rules/callApproval.js';
import type { ToolPolicy } from '../policy/toolPolicy.js';
import type { ResultStore } from '../tools/resultStore.js';
import { resultGone } from '../tools/resultStore.js';
import type { ToolBridge } from '../tools/toolBridge.js';
import type { ToolIdentities } from '../tools/toolIdentities.js';
import { AppError } from './requests.js';

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

export interface SessionAppsOptions {
  readonly service: McpService;
  readonly folderUri: string | undefined;
  readonly bridge: Pick<ToolBridge, 'findForApp'>;
  readonly identities: Pick<ToolIdentities, 'identifyTool'>;
  readonly approvals: Pick<Approvals, 'check'>;
  readonly results: Pick<ResultStore, 'get'>;
  /** Default: nobody counts. */
  readonly tools: Pick<ToolPolicy, 'statistics'> | undefined;
}

/** Questions of one conversation's apps that may wait for the user. */
const maxWaiting = 5;

export class SessionApps implements Disposable {
  private readonly endEmitter = new Emitter<void>();
  private nextCall = 1;
  private waiting = 0;
  private isDisposed = false;

  constructor(private readonly options: SessionAppsOptions) {}

  /** @throws {HumanError} when the call is not kept any more or has no app. */
  async callOf(callId: string): Promise<AppCall> {
    const { results, folderUri } = this.options;
    const stored = await results.get(callId);
    if (!stored) {
      throw resultGone();
    }
    const server = this.serverOf(stored.serverId);
    const tool = server?.catalog.value.tools.find(({ name }) => name === stored.tool);
    const resourceUri = tool?.ui?.resourceUri;
    if (!server || !tool || resourceUri === undefined) {
      throw new HumanError(
        'app_gone',
        l10n.t(
          'This MCP server has no app for this result any more: {0}',
          nameToken(stored.server),
        ),
        { remedy: l10n.t('Let the agent call the tool again.') },
      );
    }
    return {
      id: callId,
      server,
      folderUri,
      tool,
      resourceUri,
      args: stored.args,
      result: stored.result,
      onDidEnd: (listener) => {
        if (this.isDisposed) {
          listener();
        }
        return this.endEmitter.event(listener);
      },
      callTool: (name, args, signal) => this.callTool(server, name, args, signal),
    };
  }

  dispose(): void {
    if (!this.isDisposed) {
      this.isDisposed = true;
      this.endEmitter.fire();
      this.endEmitter.dispose();
    }
  }

  private serverOf(id: string): McpServer | undefined {
    const { service, folderUri } = this.options;
    return service.serversFor(folderUri).find((server) => server.id === id);
  }

  private async callTool(
    { id: serverId }: McpServer,
    name: string,
    args: JsonObject,
    signal: AbortSignal,
  ): Promise<McpToolResult> {
    const tool = this.isDisposed ? undefined : this.options.bridge.findForApp(serverId, name);
    if (!tool) {
      throw new AppError(rpcCode.invalidParams, `No tool "${name}" for apps of this server`);
    }
    if (this.waiting >= maxWaiting) {
      throw new AppError(rpcCode.refused, 'Too many calls wait for the user');
    }
    this.waiting++;
    const toolCallId = `app-${this.nextCall++}`;
    const identity = this.options.identities.identifyTool(tool, args);
    const request = { toolCallId, tool: tool.name, args, isByApp: true, identity };
    const decision = await this.options.approvals
      .check(request, signal)
      .finally(() => this.waiting--);
    signal.throwIfAborted();
    // the user may have taken the tool away while the question was open
    const server = this.serverOf(serverId);
    const isSame = () => server !== undefined && currentToolKey(server, name) === identity.key;
    const isThere = this.options.bridge.findForApp(serverId, name) !== undefined && isSame();
    if (decision.outcome !== 'allowed' || !server || !isThere || this.isDisposed) {
      throw new AppError(rpcCode.refused, 'The user did not allow this call');
    }
    // what the user saw is what is sent
    const shown = isJsonObject(identity.args) ? identity.args : args;
    const assertWanted = () => assertSameTool(server, name, identity.key);
    const maker = { by: 'app', approval: callApproval(decision.why) } as const;
    const call = server.callTool(name, decision.args ?? shown, { signal, assertWanted, maker });
    return countCall(this.options.tools?.statistics, tool, call, (result) => result);
  }
}
