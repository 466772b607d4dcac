/** Decides whether a tool call may run, by asking the user. Annotations never decide: they are the server's claims. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../base/disposable.js';
import { HumanError } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import { type JsonObject, parseJsonObject, stableStringify } from '../../base/json.js';
import { showHidden } from '../../base/text/showHidden.js';
import type { ObservableValue } from '../../base/valueEmitter.js';
import type { CallReason, RuleSubject, RuleView } from '../../protocol/tools/approvalRules.js';
import type { ApprovalDecision, ApprovalView } from '../../protocol/tools/approvals.js';
import type { AgentMode } from '../../protocol/tools/modes.js';
import { CallJudge, type JudgeOptions, type Verdict } from './callJudge.js';
import { callWords } from './callWords.js';
import { SessionRules } from './rules/sessionRules.js';
import { commandRulesView } from './shell/commandRules.js';
import type { AllowPlace, CallPreview, ToolCallRequest, ToolIdentity } from './toolIdentity.js';

/** `planned`: refused without a question, since the user wants a plan first. */
export type GateOutcome = 'allowed' | 'denied' | 'cancelled' | 'planned';

export interface GateDecision {
  readonly outcome: GateOutcome;
  /** What the user made of the arguments; absent when unchanged. */
  readonly args?: JsonObject;
  /** What decided it; absent for calls that were cancelled. */
  readonly why?: CallReason;
}

export interface ApprovalOptions extends JudgeOptions {
  readonly mode: ObservableValue<AgentMode>;
  readonly identify: (tool: string, args: unknown) => ToolIdentity;
  /** A rule that outlives the conversation let a call run. Default: nobody keeps it. */
  readonly onUse?: ((ruleId: string) => void) | undefined;
  /** Begins every id. Default: one that no other conversation has. */
  readonly idPrefix?: string;
}

interface Approval {
  readonly request: ToolCallRequest;
  readonly view: ApprovalView;
  readonly identity: ToolIdentity;
  readonly decided: Promise<GateDecision>;
  isDenied: boolean;
  readonly settle: (decision: GateDecision) => void;
}

const cancelled: GateDecision = { outcome: 'cancelled' };

export class Approvals implements Disposable {
  private readonly opened = new Map</* approval id */ string, Approval>();
  /** Asked ahead; Pi has not asked for the call yet. */
  private readonly announced = new Map</* tool call id */ string, Approval>();
  private readonly changeEmitter = new Emitter<void>();
  private readonly idPrefix: string;
  private nextId = 1;
  private isDisposed = false;
  /** What the user allowed for this conversation. */
  readonly rules: SessionRules;
  private readonly judge: CallJudge;
  private readonly following: Disposable;

  /** The list of open approvals changed. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: ApprovalOptions) {
    this.idPrefix = options.idPrefix ?? `${randomUUID()}-`;
    this.rules = new SessionRules(this.idPrefix);
    this.judge = new CallJudge(options, this.rules);
    this.following = options.mode.onDidChange(() => this.reconsider());
  }

  /** In the order in which they were asked. */
  get open(): readonly ApprovalView[] {
    return [...this.opened.values()].map(({ view }) => view);
  }

  /** What the call of an open approval would make of a file; `undefined` for other calls. */
  previewOf(id: string): CallPreview | undefined {
    return this.opened.get(id)?.identity.preview;
  }

  /** Asks for all calls of a message at once; Pi itself would ask for one after the other. */
  announce(requests: readonly ToolCallRequest[]): void {
    for (const request of requests) {
      const identity = request.identity ?? this.options.identify(request.tool, request.args);
      const verdict = this.judge.judge(request, identity);
      if (!this.isDisposed && verdict.outcome === 'ask') {
        this.announced.set(request.toolCallId, this.ask(request, identity, verdict));
      }
    }
  }

  /** Resolves without a question where none is needed. */
  async check(request: ToolCallRequest, signal: AbortSignal | undefined): Promise<GateDecision> {
    if (this.isDisposed || signal?.aborted) {
      return cancelled;
    }
    const identity = request.identity ?? this.options.identify(request.tool, request.args);
    const asked = this.takeAnnounced(request, identity);
    const verdict = this.judge.judge(request, identity);
    // an answer from before the mode was Plan lets nothing run in it; the answer to a plan ends it
    const isAnswered = asked !== undefined && (asked.isDenied || identity.plan !== undefined);
    const isPlanned = verdict.outcome === 'planned' && !isAnswered;
    if (isPlanned || (!asked && verdict.outcome !== 'ask')) {
      return this.settled(verdict);
    }
    const { settle, decided } = asked ?? this.ask(request, identity, verdict);
    // Pi waits for the answer even after an abort
    const onAbort = () => settle(cancelled);
    signal?.addEventListener('abort', onAbort);
    return await decided.finally(() => signal?.removeEventListener('abort', onAbort));
  }

  /** The call has ended or will never be made: nothing is asked for it any more. */
  forget(toolCallId: string): void {
    this.announced.get(toolCallId)?.settle(cancelled);
    this.announced.delete(toolCallId);
  }

  /**
   * An unknown id is ignored: the approval was settled meanwhile.
   * @param isWide takes the wider rule for a command, where one is offered
   * @throws {HumanError} when `args` is given and no JSON object.
   */
  decide(
    id: string,
    decision: ApprovalDecision,
    args?: string,
    isWide = false,
    words?: string,
  ): void {
    const approval = this.opened.get(id);
    if (!approval) {
      return;
    }
    const edited = args === undefined ? undefined : parseArguments(args, approval.view.args);
    const { tool } = approval.view;
    const { key, effect, command, plan } = approval.identity;
    const isStart = decision === 'startEdits' || decision === 'startAsk';
    if (isStart !== (plan !== undefined) && decision !== 'deny') {
      // a plan begins by its own buttons alone, and nothing else does by them
      return;
    }
    if (isStart) {
      const why: CallReason = { kind: 'user', answer: 'once' };
      approval.settle({ outcome: 'allowed', why, args: edited });
      return;
    }
    if (decision === 'deny') {
      const why: CallReason = { kind: 'user', answer: 'deny', words: words || undefined };
      approval.settle({ outcome: 'denied', why });
      return;
    }
    if (decision === 'run') {
      this.settleEdits(approval, edited);
      return;
    }
    // the key of such a call says what it would have done, which the user changed
    const isOther = effect !== undefined && edited !== undefined;
    const isGuarded = approval.view.why.kind === 'guarded';
    const isRule =
      decision !== 'once' && !isGuarded && !(isOther && (decision === 'session' || command));
    const rules = isRule ? this.allow(tool, approval.identity, decision, isWide) : [];
    const answer = decision === 'session' ? 'conversation' : decision;
    const why: CallReason = { kind: 'user', answer, rules: rules.length > 0 ? rules : undefined };
    approval.settle({ outcome: 'allowed', why, args: edited });
    const [rule] = rules;
    if (rule && !isOther) {
      this.settleAll({ outcome: 'allowed', why: { kind: 'rule', rule } }, key);
    }
  }

  /** Lets calls like this one run from now on. @returns none where that is not offered. */
  allow(
    tool: string,
    identity: ToolIdentity,
    place: 'session' | AllowPlace,
    isWide = false,
  ): readonly RuleView[] {
    const { key, subject, mcp, allow, command, starts, guarded } = identity;
    if (starts || guarded !== undefined) {
      return [];
    }
    const verdict = command && this.judge.judgeCommand(command);
    const patterns = (isWide ? verdict?.wide : undefined) ?? verdict?.offer;
    if (command && patterns) {
      return place === 'session'
        ? patterns.map((one) =>
            this.rules.add(`command:${JSON.stringify(one)}`, { kind: 'command', ...one }),
          )
        : (command.allow[place]?.(patterns) ?? []);
    }
    const covered: RuleSubject =
      subject ?? (mcp ? { kind: 'tool', ...mcp } : { kind: 'builtIn', tool });
    const rule = place === 'session' ? this.rules.add(key, covered) : allow?.[place]?.();
    return rule ? [rule] : [];
  }

  /** Of this run, with those that are asked about now. */
  private settleEdits({ identity, settle }: Approval, edited: JsonObject | undefined): void {
    settle({ outcome: 'allowed', why: { kind: 'user', answer: 'run' }, args: edited });
    if (identity.isEdit) {
      this.judge.areEditsFree = true;
      this.reconsider();
    }
  }

  /** What was allowed for the run alone is over with it. */
  endRun(): void {
    this.judge.areEditsFree = false;
  }

  /** What the mode decides is not asked about any more. */
  private reconsider(): void {
    for (const { request, identity, settle } of [...this.opened.values()]) {
      const verdict = this.judge.judge(request, identity);
      if (verdict.outcome !== 'ask') {
        // the mode that counts for a call is that in which it begins
        this.announced.delete(request.toolCallId);
        settle(this.settled(verdict));
      }
    }
    this.changeEmitter.fire();
  }

  /** Ends every open approval without running its call. */
  cancelAll(): void {
    this.endRun();
    this.settleAll(cancelled);
    this.announced.clear();
  }

  dispose(): void {
    this.isDisposed = true;
    this.following.dispose();
    this.cancelAll();
    this.changeEmitter.dispose();
  }

  private settled({ outcome, why }: Verdict): GateDecision {
    if (outcome === 'free') {
      this.markUsed(why);
    }
    return { outcome: outcome === 'free' ? 'allowed' : 'planned', why };
  }

  private markUsed(why: CallReason): void {
    const ruled = why.kind === 'rule' ? [why.rule] : why.kind === 'commands' ? why.rules : [];
    for (const { id, scope } of ruled) {
      if (scope === 'conversation') {
        this.rules.markUsed(id);
      } else {
        this.options.onUse?.(id);
      }
    }
  }

  /** The question that was asked ahead for this call, if it was asked for the same tool and arguments or denied. */
  private takeAnnounced(
    { toolCallId, args }: ToolCallRequest,
    identity: ToolIdentity,
  ): Approval | undefined {
    const approval = this.announced.get(toolCallId);
    this.announced.delete(toolCallId);
    if (!approval) {
      return undefined;
    }
    // a call that was denied stays so, whatever became of it since
    const isSame =
      approval.isDenied ||
      (approval.identity.key === identity.key &&
        approval.view.args === formatArguments(identity.args ?? args));
    if (!isSame) {
      approval.settle(cancelled);
    }
    return isSame ? approval : undefined;
  }

  private ask(request: ToolCallRequest, identity: ToolIdentity, verdict: Verdict): Approval {
    const { toolCallId, tool, args, isByApp } = request;
    const id = `${this.idPrefix}approval-${this.nextId++}`;
    let resolve: (decision: GateDecision) => void = () => undefined;
    const decided = new Promise<GateDecision>((settled) => {
      resolve = settled;
    });
    const { mcp, claims, change, effect, preview, plan } = identity;
    const { why, command } = verdict;
    const ofCommand = identity.command && command?.offer && identity.command.allow;
    const isGuarded = why.kind === 'starts' || why.kind === 'guarded';
    const allow = (!isGuarded && (ofCommand ?? identity.allow)) || {};
    const words = callWords(tool, identity.args ?? args, mcp !== undefined);
    const view: ApprovalView = {
      id,
      toolCallId,
      tool,
      mcp,
      isByApp,
      why,
      commands: command && commandRulesView(command),
      claims,
      args: formatArguments(identity.args ?? args),
      words,
      plan,
      change,
      isEdit: identity.isEdit || undefined,
      effect: effect && { ...effect, text: showHidden(effect.text) },
      fileChange: preview?.view,
      places: (['folder', 'everywhere'] as const).filter((place) => allow[place]),
    };
    const settle = (decision: GateDecision) => {
      if (this.opened.delete(id)) {
        approval.isDenied = decision.outcome === 'denied';
        resolve(decision);
        this.changeEmitter.fire();
      }
    };
    const approval: Approval = { request, view, identity, decided, isDenied: false, settle };
    this.opened.set(id, approval);
    this.changeEmitter.fire();
    return approval;
  }

  /** @param key of calls that a rule lets run: those that no rule does go on waiting. Default: all */
  private settleAll(decision: GateDecision, key?: string): void {
    for (const { identity, view, settle } of [...this.opened.values()]) {
      if (key === undefined || (identity.key === key && view.why.kind !== 'guarded')) {
        settle(decision);
      }
    }
  }
}

/** Nothing in it hides or turns text: such characters are escaped, which JSON reads as the same. */
function formatArguments(args: unknown): string {
  return showHidden(JSON.stringify(args ?? {}, undefined, 2));
}

/** `undefined` when the text means what it meant before. */
function parseArguments(text: string, before: string): JsonObject | undefined {
  const value = parseJsonObject(text);
  if (!value) {
    throw new HumanError('invalid_arguments', l10n.t('This is not a JSON object.'));
  }
  return stableStringify(value) === stableStringify(JSON.parse(before)) ? undefined : value;
}
