import * as l10n from '@vscode/l10n';
import { CancellationError, linkSignals } from '../../base/async/cancellation.js';
import { isHumanError, messageWithRemedy } from '../../base/errors.js';
import type { McpServerId } from '../../config/definition.js';
import { serverUnknown } from '../../config/errors.js';
import { hashOf } from '../../config/launch/launchHash.js';
import { callModelTool, resultForModel } from '../../mcp/catalog/modelCall.js';
import { type CallCounter, countCall } from '../../mcp/catalog/records/toolStatistics.js';
import type { MappedToolResult } from '../../mcp/catalog/results/toolResult.js';
import { attachmentsOf } from '../../mcp/catalog/results/wholeResult.js';
import type { TokenCounter } from '../../mcp/catalog/tokens/tokenEstimate.js';
import { assertSameTool } from '../../mcp/catalog/toolKey.js';
import type { NamedTool } from '../../mcp/catalog/toolNames.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { McpToolResult } from '../../mcp/mcpTypes.js';
import type { CallMaker } from '../../mcp/originTypes.js';
import type { PiToolResult } from '../pi/piModule.js';
import { isBackgroundNotice } from '../transcript/content.js';
import { structuredView } from '../transcript/structuredView.js';
import type { BackgroundTasks } from './backgroundTasks.js';
import type { BridgedToolDetails, ToolCall } from './bridgedTool.js';
import { waitForConsent } from './consentWait.js';
import type { ResultStore, ShownResult } from './resultStore.js';

export interface ApprovedCall {
  /** See `toolKey`: what the server offers under the name when it is connected must still have it. */
  readonly key: string;
  readonly maker: CallMaker;
}

export interface ToolCallerOptions {
  readonly service: McpService;
  readonly folderUri: string | undefined;
  readonly countTokens: TokenCounter;
  /** Keeps what the servers sent. Default: nobody does. */
  readonly results?: ResultStore | undefined;
  /** Default: nobody counts. */
  readonly statistics?: CallCounter | undefined;
  /** Lets calls go on in the background. Default: every call is waited for. */
  readonly tasks?: Pick<BackgroundTasks, 'watch' | 'follow'> | undefined;
}

/** Runs tools on their servers. Each call finds its server again, so nothing here outlives a change. */
export class ToolCaller {
  private readonly cancels = new CallCancels();
  /** Of the calls that are at their servers. */
  private readonly under = new Set<NamedTool>();

  constructor(private readonly options: ToolCallerOptions) {}

  /** Ends one call; its server is told, and the others go on. */
  cancel(callId: string): void {
    this.cancels.cancel(callId);
  }

  /** Whether a call waits for the server, be it in the background. */
  waitsFor(server: McpServerId): boolean {
    return [...this.under].some(({ serverId }) => serverId === server);
  }

  /** Rejects for everything that kept the server from answering, which Pi shows to the model as a failed call. */
  async call(
    tool: NamedTool,
    request: ToolCall,
    { key, maker }: ApprovedCall,
  ): Promise<PiToolResult> {
    const { service, folderUri, tasks } = this.options;
    const { id, args, signal, onProgress, onReview } = request;
    const find = () => service.serversFor(folderUri).find((one) => one.id === tool.serverId);
    await this.cancels.run(id, { signal, stopped: stopped.waiting }, (either) =>
      waitForConsent(service, find(), { signal: either, onReview }),
    );
    const server = find();
    if (!server) {
      throw forModel(
        serverUnknown(
          tool.server,
          l10n.t('Use another tool, or ask the user to add or enable the server.'),
        ),
      );
    }
    const watched = tasks?.watch(id, tool, hashOf(server.definition));
    const call = this.cancels.run(id, { signal, stopped: stopped.running }, (either) =>
      callModelTool(server, tool.tool, args, {
        signal: either,
        assertWanted: () => assertSameTool(server, tool.tool, key),
        maker,
        onTask: watched?.onTask,
        onProgress,
      }),
    );
    const outcome = this.finish({ id, args }, tool, server, call);
    if (!watched) {
      return outcome;
    }
    try {
      const result = await Promise.race([outcome, watched.detached]);
      if (isBackgroundNotice(result)) {
        tasks?.follow(id, outcome);
      }
      return result;
    } finally {
      watched.dispose();
    }
  }

  /** What a call, also one that an earlier window made, comes to for Pi. Rejects as {@link call} does. */
  async finish(
    { id, args }: Pick<ToolCall, 'id' | 'args'>,
    tool: NamedTool,
    server: McpServer,
    call: Promise<McpToolResult>,
  ): Promise<PiToolResult> {
    const one = { ...tool };
    this.under.add(one);
    const { service, folderUri, countTokens, results, statistics } = this.options;
    const ended = call.finally(() => this.under.delete(one));
    try {
      const mapped = await countCall(statistics, tool, ended, (result) =>
        resultForModel(result, server, service.settingsFor(folderUri), countTokens),
      );
      const result = await ended;
      const details = detailsFor(tool, result, mapped, hasApp(server, tool));
      const names = { serverId: server.id, server: tool.server, tool: tool.tool };
      await results?.add(id, { ...names, args, result }, shownOf(mapped, details));
      return { content: [...mapped.content], details };
    } catch (error) {
      throw forModel(error);
    }
  }
}

function shownOf(
  { content }: MappedToolResult,
  { isCut, files, hasApp: isApp }: BridgedToolDetails,
): ShownResult {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  return { text, isPart: isCut === true || files !== undefined || isApp === true };
}

function detailsFor(
  { server, tool }: NamedTool,
  result: McpToolResult,
  { isError, fullText }: MappedToolResult,
  isApp: boolean,
): BridgedToolDetails {
  const structured = structuredView(result);
  const files = attachmentsOf(result).map(({ mimeType, data }) => ({
    mimeType,
    bytes: Math.floor((data.length * 3) / 4),
  }));
  return {
    isMcp: true,
    isError,
    server,
    tool,
    isCut: fullText === undefined ? undefined : true,
    files: files.length > 0 ? files : undefined,
    structured,
    hasApp: isApp,
  };
}

function hasApp({ catalog }: McpServer, { tool }: NamedTool): boolean {
  return catalog.value.tools.some(({ name, ui }) => name === tool && ui?.resourceUri !== undefined);
}

function forModel(error: unknown): unknown {
  return isHumanError(error) && error.remedy
    ? new Error(messageWithRemedy(error), { cause: error })
    : error;
}

/** What a call is told that ends with its run. For the model, so in English. */
const stopped = {
  waiting: 'The run was stopped before this call was made.',
  running: 'The run was stopped while this call ran: whether it took effect is not known.',
} as const;

/** Calls under way, each of which the user may end without the others. */
class CallCancels {
  private readonly calls = new Map</* call id */ string, AbortController>();

  async run<T>(
    callId: string,
    run: { readonly signal: AbortSignal | undefined; readonly stopped: string },
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const own = new AbortController();
    const either = linkSignals(run.signal, own.signal);
    this.calls.set(callId, own);
    try {
      return await work(either.signal);
    } catch (error) {
      const endsWithRun = run.signal?.aborted && error === run.signal.reason;
      throw endsWithRun ? new CancellationError(run.stopped) : error;
    } finally {
      either.dispose();
      this.calls.delete(callId);
    }
  }

  /** Does nothing for a call that has ended. */
  cancel(callId: string): void {
    // for the model, so in English
    this.calls.get(callId)?.abort(new CancellationError('This call was cancelled by the user.'));
  }
}
