/** A tool that the user runs by hand: what is sent, what comes of it, and what is kept of that. */
import * as l10n from '@vscode/l10n';
import { DisposableStore } from '../../base/disposable.js';
import { serverUnknown } from '../../config/errors.js';
import { type CallCounter, countCall } from '../../mcp/catalog/records/toolStatistics.js';
import { loadTokenCounter } from '../../mcp/catalog/tokens/tokenEstimate.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { McpProgress, McpTool, McpToolResult } from '../../mcp/mcpTypes.js';
import { progressText } from '../../mcp/progressText.js';
import { taskProgress } from '../../mcp/tasks/taskText.js';
import type { McpTaskState } from '../../mcp/taskTypes.js';
import { stateText } from '../../mcp/trouble/stateText.js';
import type {
  RunOutcome,
  RunParams,
  RunReply,
  RunToolEvents,
  RunToolStart,
  RunToolView,
} from '../../protocol/tools/runTool.js';
import { missingServerText, type RunSubject } from '../tabState.js';
import type { ToolTarget } from '../tree/targets.js';
import type { RunHistory, RunnableTool } from './runHistory.js';
import { checkArguments } from './runParams.js';
import { failedOutcome, outcomeOf, runToolView } from './runView.js';

export interface ToolRunParts {
  readonly service: McpService;
  readonly history: RunHistory;
  /** Calls by hand count like any other. Default: nothing counts them. */
  readonly statistics?: CallCounter;
  /** Whether one runs that lends the server. Default: none does. */
  readonly hasGateway?: (server: McpServer) => boolean;
  /** Of the display, such as `en`. */
  readonly language: string;
}

type Progress = RunToolEvents['progress']['params'];

export class ToolRun {
  /** Of the last run that had an answer. */
  last: McpToolResult | undefined;
  private running: AbortController | undefined;

  /** What was offered last. */
  private known: ToolTarget | undefined;

  constructor(
    private readonly chosen: RunSubject,
    private readonly parts: ToolRunParts,
  ) {}

  /** As the server offers it now; `undefined` when it does not. */
  get offered(): McpTool | undefined {
    const { serverId, tool } = this.chosen;
    const server = this.parts.service.getServer(serverId);
    const offered = server?.catalog.value.tools.find(({ name }) => name === tool);
    if (server && offered) {
      this.known = { server, tool: offered };
    }
    return offered;
  }

  /** Also what was offered before; `undefined` before the first time. */
  get target(): ToolTarget | undefined {
    const { offered } = this;
    const { known } = this;
    const server = this.parts.service.getServer(this.chosen.serverId) ?? known?.server;
    const tool = offered ?? known?.tool;
    return server && tool && { server, tool };
  }

  /** @throws {HumanError} when the server or the tool was never there. */
  get server(): McpServer {
    return this.existing.server;
  }

  /** @throws {HumanError} as {@link server}. */
  get tool(): McpTool {
    return this.existing.tool;
  }

  get start(): RunToolStart {
    return this.target ? { kind: 'tool', view: this.view } : this.missing;
  }

  get view(): RunToolView {
    const now = { ms: Date.now(), language: this.parts.language };
    const { history, hasGateway } = this.parts;
    return runToolView(this.existing, history.of(this.runnable), {
      ...now,
      hasGateway: hasGateway?.(this.server) ?? false,
    });
  }

  /** Nothing is sent that does not fit. Never rejects for what the server does. */
  async run(params: RunParams, onProgress: (progress: Progress) => void): Promise<RunReply> {
    this.cancel();
    const running = new AbortController();
    this.running = running;
    const problem = await checkArguments(this.tool.inputSchema, params.args);
    if (problem) {
      return { kind: 'refused', problem };
    }
    const at = new Date().toISOString();
    const outcome = await this.call(params, running.signal, onProgress);
    const { end, ms } = outcome;
    await this.parts.history.add(this.runnable, { at, end, ms }, params.args);
    return { kind: 'ended', outcome, view: this.view };
  }

  cancel(): void {
    this.running?.abort();
  }

  async forgetHistory(): Promise<void> {
    await this.parts.history.forget(this.runnable);
  }

  private get existing(): ToolTarget {
    const { target } = this;
    if (!target) {
      throw serverUnknown();
    }
    return target;
  }

  /** Why there is nothing to run, and what to do. */
  private get missing(): RunToolStart {
    const { service } = this.parts;
    const { serverId, tool } = this.chosen;
    const server = service.getServer(serverId);
    const isConnected = server?.state.value.kind === 'connected';
    const text = !server
      ? missingServerText(service, serverId)
      : isConnected
        ? l10n.t('The server does not offer this tool any more.')
        : l10n.t(
            'What the server offers is known when it is connected. {0}',
            stateText(server.state.value).sentence,
          );
    return {
      kind: 'missing',
      tool,
      text,
      isConnectable: server !== undefined && !isConnected,
    };
  }

  private get runnable(): RunnableTool {
    const { name: tool, inputSchema: schema } = this.tool;
    return { serverId: this.chosen.serverId, tool, schema };
  }

  private async call(
    { args, meta, timeoutMs, asTask }: RunParams,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<RunOutcome> {
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    const { server } = this;
    const watching = new DisposableStore();
    const { name: tool } = this.tool;
    const called = { server: server.definition.name, tool };
    try {
      signal.throwIfAborted();
      const call = server.callTool(tool, args, {
        signal,
        meta,
        timeoutMs,
        asTask,
        onProgress: (step) => onProgress(progressView(step)),
        onTask: ({ state }) => {
          const tell = () => onProgress(taskView(state.value));
          watching.add(state.onDidChange(tell));
          tell();
        },
      });
      const result = await countCall(this.parts.statistics, called, call, (whole) => whole);
      const ms = elapsed();
      this.last = result;
      const settings = this.parts.service.settingsFor(server.definition.folder?.uri);
      return await outcomeOf(result, server, {
        ms,
        settings,
        countTokens: await loadTokenCounter(),
      });
    } catch (error) {
      return signal.aborted
        ? { end: 'cancelled', ms: elapsed(), blocks: [] }
        : failedOutcome(error, elapsed());
    } finally {
      watching.dispose();
    }
  }
}

function progressView(step: McpProgress): Progress {
  return { text: progressText(step), ...shareOf(step) };
}

function taskView(state: McpTaskState): Progress {
  const { progress } = state;
  return { text: l10n.t('Task: {0}', taskProgress(state)), ...(progress && shareOf(progress)) };
}

function shareOf({ progress, total }: McpProgress): Pick<Progress, 'share'> {
  return total !== undefined && total > 0 ? { share: Math.min(1, progress / total) } : {};
}
