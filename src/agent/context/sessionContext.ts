/** The context of one Pi session: how full it is, and what fills it. */
import { relative } from 'node:path';
import { guessTokens, type TokenCounter } from '../../mcp/catalog/tokens/tokenEstimate.js';
import { isWithin } from '../../platform/withinFolder.js';
import type { CompactionLimits, ContextUsageView, ContextView } from '../../protocol/context.js';
import type { PiEvent, PiModule, PiSession } from '../pi/piModule.js';
import { piToolTokens } from '../pi/piToolTokens.js';
import { breakDown, type PromptShare, sumOf } from './breakdown.js';
import { countRequests, spentIn, spentLast } from './spending.js';

export interface SessionContextOptions {
  readonly pi: Pick<PiModule, 'estimateTokens'>;
  readonly countTokens: TokenCounter;
  /** `undefined` while there is none. */
  readonly session: () => PiSession | undefined;
  /** What servers say about themselves, which goes with every request. */
  readonly servers: () => readonly PromptShare[];
  /** Who brings a tool along, in words of the user. */
  readonly groupOf: (tool: string) => string;
  readonly onDidUpdate: () => void;
}

/** After it the context is another one. */
export function changesContext({ type }: PiEvent): boolean {
  return type === 'turn_end' || type === 'agent_settled' || type === 'compaction_end';
}

export class SessionContext {
  private current: ContextUsageView | undefined;
  private fixed: { readonly key: string; readonly tokens: number } | undefined;

  constructor(private readonly options: SessionContextOptions) {}

  /** As it was at {@link update}: reading it costs nothing. */
  get usage(): ContextUsageView | undefined {
    return this.current;
  }

  /** Tokens that every request carries: system prompt, instructions and tools. */
  get fixedTokens(): number {
    const session = this.options.session();
    if (!session) {
      return 0;
    }
    const { systemPrompt } = session;
    const key = [systemPrompt.length, ...session.getActiveToolNames()].join('\n');
    if (this.fixed?.key !== key) {
      const texts = [systemPrompt, ...this.options.servers().map(({ text }) => text)];
      const ofTexts = texts.reduce((sum, text) => sum + guessTokens(text), 0);
      const tokens = this.toolsOf(session).reduce((sum, tool) => sum + tool.tokens, ofTexts);
      this.fixed = { key, tokens };
    }
    return this.fixed?.tokens ?? 0;
  }

  /** Goes through the whole conversation: not more often than a turn ends. */
  update(): void {
    const session = this.options.session();
    this.current = session && this.usageOf(session);
    this.options.onDidUpdate();
  }

  /** What fills the context now. Goes through the whole conversation. */
  read(): ContextView | undefined {
    const session = this.options.session();
    if (!session) {
      return undefined;
    }
    const manager = session.sessionManager;
    const entries = manager.getEntries();
    const lastTurn = spentLast(manager.getBranch());
    const measured = session.getContextUsage()?.tokens ?? undefined;
    const limits = limitsOf(session);
    return {
      parts: this.partsOf(session, measured),
      lastTurn,
      all: spentIn(entries),
      turns: countRequests(entries),
      limits,
    };
  }

  private usageOf(session: PiSession): ContextUsageView | undefined {
    const usage = session.getContextUsage();
    if (!usage) {
      return undefined;
    }
    const { tokens, contextWindow } = usage;
    const limits = limitsOf(session);
    return {
      tokens: tokens || sumOf(this.partsOf(session)),
      isGuessed: !tokens || undefined,
      contextWindow,
      cost: spentIn(session.sessionManager.getEntries()).cost,
      compactsAt: limits?.isAutomatic && limits.above > 0 ? limits.above : undefined,
    };
  }

  private partsOf(session: PiSession, total?: number): ContextView['parts'] {
    const { pi, servers } = this.options;
    const manager = session.sessionManager;
    const cwd = manager.getCwd();
    const files = session.resourceLoader
      .getAgentsFiles()
      .agentsFiles.map(({ path, content: text }) => ({ name: shownPath(path, cwd), text }));
    const content = {
      systemPrompt: session.systemPrompt,
      instructions: [...files, ...servers()],
      tools: this.toolsOf(session),
      messages: manager.buildSessionProjection().messages,
    };
    return breakDown(content, pi.estimateTokens, total);
  }

  private toolsOf(session: PiSession) {
    const { countTokens, groupOf } = this.options;
    const active = new Set(session.getActiveToolNames());
    return session
      .getAllTools()
      .filter(({ name }) => active.has(name))
      .map((tool) => ({
        group: groupOf(tool.name),
        tokens: piToolTokens(tool, countTokens),
      }));
  }
}

function limitsOf({ model, settingsManager }: PiSession): CompactionLimits | undefined {
  if (!model) {
    return undefined;
  }
  try {
    const { reserveTokens, keepRecentTokens } = settingsManager.getCompactionSettings(model);
    const own = settingsManager.getGlobalSettings().compaction?.modelOverrides;
    return {
      isAutomatic: settingsManager.getCompactionEnabled(),
      above: model.contextWindow - reserveTokens,
      keeps: keepRecentTokens,
      isOwn: own?.[`${model.provider}/${model.id}`] !== undefined,
    };
  } catch {
    // Pi refuses settings that are no numbers
    return undefined;
  }
}

function shownPath(path: string, cwd: string): string {
  return isWithin(cwd, path) ? relative(cwd, path) : path;
}
