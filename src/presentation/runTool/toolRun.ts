/** A tool that the user runs by hand: what is sent, what comes of it, and what is kept of that. */
import { loadTokenCounter } from '../../mcp/catalog/tokens/tokenEstimate.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { McpProgress, McpTool, McpToolResult } from '../../mcp/mcpTypes.js';
import { progressText } from '../../mcp/progressText.js';
import type {
  RunOutcome,
  RunParams,
  RunReply,
  RunToolEvents,
  RunToolView,
} from '../../protocol/tools/runTool.js';
import { checkArguments } from './checkArguments.js';
import type { RunHistory, RunnableTool } from './runHistory.js';
import { failureOf, outcomeOf, runToolView } from './runView.js';

export interface ToolRunParts {
  readonly service: McpService;
  readonly history: RunHistory;
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

  /** @param tool what was offered when the user chose it */
  constructor(
    private readonly chosen: { readonly server: McpServer; readonly tool: McpTool },
    private readonly parts: ToolRunParts,
  ) {}

  /** As the server offers it now; `undefined` when it does not. */
  get offered(): McpTool | undefined {
    return this.server.catalog.value.tools.find(({ name }) => name === this.chosen.tool.name);
  }

  get server(): McpServer {
    return this.parts.service.getServer(this.chosen.server.id) ?? this.chosen.server;
  }

  get tool(): McpTool {
    return this.offered ?? this.chosen.tool;
  }

  get view(): RunToolView {
    const now = { ms: Date.now(), language: this.parts.language };
    const { history, hasGateway } = this.parts;
    return runToolView(
      this.server,
      this.tool,
      history.of(this.runnable),
      now,
      hasGateway?.(this.server),
    );
  }

  /** Nothing is sent that does not fit. Never rejects for what the server does. */
  async run(params: RunParams, onProgress: (progress: Progress) => void): Promise<RunReply> {
    const problem = await checkArguments(this.tool.inputSchema, params.args);
    if (problem) {
      return { kind: 'refused', problem };
    }
    this.cancel();
    const running = new AbortController();
    this.running = running;
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

  private get runnable(): RunnableTool {
    const { name: tool, inputSchema: schema } = this.tool;
    return { serverId: this.chosen.server.id, tool, schema };
  }

  private async call(
    { args, meta, timeoutMs }: RunParams,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<RunOutcome> {
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    const { server } = this;
    try {
      const result = await server.callTool(this.tool.name, args, {
        signal,
        ...(meta && { meta }),
        ...(timeoutMs !== undefined && { timeoutMs }),
        onProgress: (step) => onProgress(progressView(step)),
      });
      const ms = elapsed();
      this.last = result;
      const settings = this.parts.service.settingsFor(server.definition.folder?.uri);
      return outcomeOf(result, server, { ms, settings, countTokens: await loadTokenCounter() });
    } catch (error) {
      return signal.aborted
        ? { end: 'cancelled', ms: elapsed(), blocks: [] }
        : failureOf(error, elapsed());
    }
  }
}

function progressView(step: McpProgress): Progress {
  const { progress, total } = step;
  return {
    text: progressText(step),
    ...(total !== undefined && total > 0 && { share: Math.min(1, progress / total) }),
  };
}
