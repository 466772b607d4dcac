/** The one place that decides whether the user is asked about a call; what it says is what cards say. */
import { fitsGlob, toGlob } from '../../base/text/glob.js';
import { showHidden } from '../../base/text/showHidden.js';
import type { ObservableValue } from '../../base/valueEmitter.js';
import type { CallReason, RuleView } from '../../protocol/tools/approvalRules.js';
import type { AgentMode } from '../../protocol/tools/modes.js';
import type { SessionRules } from './rules/sessionRules.js';
import { type CommandVerdict, judgeCommand, whyAsked } from './shell/commandRules.js';
import type { CommandIdentity, ToolCallRequest, ToolIdentity } from './toolIdentity.js';

export interface JudgeOptions {
  /** Built-in tools that need no question of their own. */
  readonly runsWithoutAsking: (tool: string) => boolean;
  /** The user's own choice; read at every call. */
  readonly mode: Pick<ObservableValue<AgentMode>, 'value'>;
  /** Patterns of what asks in every mode. Default: none. */
  readonly alwaysAsk?: (() => readonly string[]) | undefined;
}

/** Whether a call may run without a question, and why. */
export interface Verdict {
  /** `planned`: it may not, and nobody is asked, since the user wants a plan first. */
  readonly outcome: 'free' | 'ask' | 'planned';
  readonly why: CallReason;
  readonly command?: CommandVerdict | undefined;
}

export class CallJudge {
  /** The user allowed the edits of the run. */
  areEditsFree = false;

  constructor(
    private readonly options: JudgeOptions,
    private readonly rules: SessionRules,
  ) {}

  /** In this order: a plan comes first, what is guarded asks, then nature, rules and the mode let run. */
  judge(request: ToolCallRequest, identity: ToolIdentity): Verdict {
    const mode = this.options.mode.value;
    if (identity.plan) {
      return mode === 'plan'
        ? { outcome: 'ask', why: { kind: 'default' } }
        : { outcome: 'planned', why: { kind: 'plan' } };
    }
    const command = identity.command && this.judgeCommand(identity.command);
    const nature = this.freeByNature(request, identity, command);
    const mayRead = identity.isReader === true || identity.isSaidToRead === true;
    if (mode === 'plan' && !nature && !mayRead) {
      return { outcome: 'planned', why: { kind: 'plan' } };
    }
    const guard = this.guardOf(request, identity, command);
    if (guard) {
      return { outcome: 'ask', why: guard };
    }
    const free =
      nature ??
      (mode === 'plan' ? undefined : this.freeByRule(identity, command)) ??
      freeByMode(mode, request, identity) ??
      (this.areEditsFree ? freeByMode('acceptEdits', request, identity) : undefined);
    return free
      ? { outcome: 'free', why: free }
      : { outcome: 'ask', why: whyAskedOf(request, identity, command), command };
  }

  judgeCommand({ line, stored, places, reading }: CommandIdentity): CommandVerdict {
    return judgeCommand(line, [...this.rules.all, ...stored()], places, reading);
  }

  /** What no mode lets run, and no rule. */
  private guardOf(
    { tool }: ToolCallRequest,
    { starts, guarded, mcp, preview, command }: ToolIdentity,
    verdict: CommandVerdict | undefined,
  ): CallReason | undefined {
    if (starts) {
      return { kind: 'starts', by: starts };
    }
    const names = mcp ? [mcp.tool, `${mcp.server}/${mcp.tool}`] : [];
    const lines = [command?.line ?? [], verdict?.parts.map(({ text }) => text) ?? []].flat();
    const pattern = findPattern(this.options.alwaysAsk?.() ?? [], [
      tool,
      ...names,
      ...lines,
      ...(preview ? [preview.view.path] : []),
    ]);
    if (pattern !== undefined) {
      return { kind: 'guarded', text: pattern, isPattern: true };
    }
    return guarded === undefined ? undefined : { kind: 'guarded', text: showHidden(guarded) };
  }

  private freeByNature(
    { tool }: ToolCallRequest,
    { mcp, allowedBy }: ToolIdentity,
    command: CommandVerdict | undefined,
  ): CallReason | undefined {
    if (mcp) {
      return undefined;
    }
    const isHarmless = this.options.runsWithoutAsking(tool);
    return isHarmless
      ? { kind: 'harmless' }
      : (allowedBy ?? (command?.isReading ? { kind: 'reads' } : undefined));
  }

  private freeByRule(
    { key, allowedBy }: ToolIdentity,
    command: CommandVerdict | undefined,
  ): CallReason | undefined {
    const ofSession = this.rules.find(key);
    const byCommands = command?.parts.flatMap(({ rule }) => rule ?? []) ?? [];
    return (
      allowedBy ??
      (ofSession && { kind: 'rule', rule: ofSession }) ??
      (command?.isAllowed ? { kind: 'commands', rules: distinct(byCommands) } : undefined)
    );
  }
}

/** Never what the user has not seen as it is now, what is elsewhere, and what an app wants. */
function freeByMode(
  mode: AgentMode,
  { isByApp }: ToolCallRequest,
  { isEdit, effect, change }: ToolIdentity,
): CallReason | undefined {
  const isGuarded = isByApp === true || change !== undefined || isElsewhere(effect);
  const isFree = mode === 'runFreely' || (mode === 'acceptEdits' && isEdit === true);
  return isFree && !isGuarded ? { kind: 'mode', mode } : undefined;
}

function whyAskedOf(
  { isByApp }: ToolCallRequest,
  { askedBy, change, effect }: ToolIdentity,
  command: CommandVerdict | undefined,
): CallReason {
  if (change !== undefined) {
    return { kind: 'changed' };
  }
  const own = askedBy ?? (command && whyAsked(command));
  const place = isElsewhere(effect) ? ({ kind: 'place' } as const) : undefined;
  return own ?? place ?? { kind: isByApp ? 'app' : 'default' };
}

function isElsewhere(effect: ToolIdentity['effect']): boolean {
  return effect?.kind === 'outside' || effect?.kind === 'link';
}

function findPattern(patterns: readonly string[], texts: readonly string[]): string | undefined {
  return patterns.find((pattern) => {
    const glob = toGlob(pattern);
    return texts.some((text) => fitsGlob(glob, text));
  });
}

function distinct(rules: readonly RuleView[]): readonly RuleView[] {
  return [...new Map(rules.map((rule) => [rule.id, rule])).values()];
}
