/** Decides whether a tool call may run, by asking the user. Annotations never decide: they are the server's claims. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../base/disposable.js';
import { HumanError } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import { isJsonObject, type JsonObject, stableStringify } from '../../base/json.js';
import { showHidden } from '../../base/text/showHidden.js';
import type { FileChangeView } from '../../protocol/fileChanges.js';
import type { CallReason, RuleSubject, RuleView } from '../../protocol/tools/approvalRules.js';
import type { ApprovalDecision, ApprovalView } from '../../protocol/tools/approvals.js';
import { callWords } from './callWords.js';
import { SessionRules } from './rules/sessionRules.js';
import {
  type CommandPattern,
  type CommandVerdict,
  commandRulesView,
  judgeCommand,
} from './shell/commandRules.js';
import type { WordPlaces } from './shell/wordPlaces.js';

export interface ToolCallRequest {
  readonly toolCallId: string;
  /** Name the model used. */
  readonly tool: string;
  readonly args: unknown;
  /** An app wants the call. Default: the model does. */
  readonly isByApp?: boolean;
  /** What is known about the tool. Default: found by its name. */
  readonly identity?: ToolIdentity;
}

/** Where "always" holds. */
type AllowPlace = 'folder' | 'everywhere';

/** What a call would make of a file. */
export interface CallPreview {
  readonly view: FileChangeView;
  /** Whole; `undefined`: not known. */
  readonly texts?: { readonly before: string | undefined; readonly after: string };
}

export interface CommandIdentity {
  readonly line: string;
  /** Where links lead now. */
  readonly places: WordPlaces;
  readonly stored: () => readonly RuleView[];
  /** Absent places are not offered. */
  readonly allow: Readonly<
    Partial<Record<AllowPlace, (patterns: readonly CommandPattern[]) => readonly RuleView[]>>
  >;
}

/** What is known about a tool beside its name. */
export interface ToolIdentity {
  /** Stable while the tool's definition is: "for this session" is remembered under it. */
  readonly key: string;
  readonly mcp?: { readonly server: string; readonly tool: string };
  readonly claims: readonly string[];
  /** The arguments that the tool itself gets, when the call wraps them. Default: the call's. */
  readonly args?: unknown;
  /** Why no question is needed; absent when one is. */
  readonly allowedBy?: CallReason;
  /** Why the user is asked. Default: nothing allows it. */
  readonly askedBy?: CallReason;
  /** The line that a shell would get, and what rules of folders and of everywhere have to do with it. */
  readonly command?: CommandIdentity;
  /** What "for this session" covers. Default: the tool, for whatever it is called with. */
  readonly subject?: RuleSubject;
  /** The tool was allowed always, but has changed since: lines with `-` and `+`. */
  readonly change?: string;
  /** What the arguments alone do not say. */
  readonly effect?: NonNullable<ApprovalView['effect']>;
  /** What it writes starts something later: it is asked each time, and no rule can be made. */
  readonly starts?: Extract<CallReason, { kind: 'starts' }>['by'];
  /** What it would make of a file. */
  readonly preview?: CallPreview;
  /** Allows it always; absent places are not offered. */
  readonly allow?: Readonly<Partial<Record<AllowPlace, () => RuleView>>>;
}

export type GateOutcome = 'allowed' | 'denied' | 'cancelled';

export interface GateDecision {
  readonly outcome: GateOutcome;
  /** What the user made of the arguments; absent when unchanged. */
  readonly args?: JsonObject;
  /** What decided it; absent for calls that were cancelled. */
  readonly why?: CallReason;
}

/** Whether a call may run without a question, and why. */
interface Verdict {
  readonly isFree: boolean;
  readonly why: CallReason;
  readonly command?: CommandVerdict;
}

export interface ApprovalOptions {
  readonly identify: (tool: string, args: unknown) => ToolIdentity;
  /** Built-in tools that need no question of their own. */
  readonly runsWithoutAsking: (tool: string) => boolean;
  /** The user's own switch; read at every call. */
  readonly isYolo: () => boolean;
  /** A rule that outlives the conversation let a call run. Default: nobody keeps it. */
  readonly onUse?: ((ruleId: string) => void) | undefined;
  /** Begins every id. Default: one that no other conversation has. */
  readonly idPrefix?: string;
}

interface Approval {
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

  /** The list of open approvals changed. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: ApprovalOptions) {
    this.idPrefix = options.idPrefix ?? `${randomUUID()}-`;
    this.rules = new SessionRules(this.idPrefix);
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
      const verdict = this.judge(request.tool, identity);
      if (!this.isDisposed && !verdict.isFree) {
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
    const verdict = this.judge(request.tool, identity);
    if (!asked && verdict.isFree) {
      this.markUsed(verdict.why);
      return { outcome: 'allowed', why: verdict.why };
    }
    const { settle, decided } = asked ?? this.ask(request, identity, verdict);
    // Pi waits for the answer even after an abort
    const onAbort = () => settle(cancelled);
    signal?.addEventListener('abort', onAbort, { once: true });
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
  decide(id: string, decision: ApprovalDecision, args?: string, isWide = false): void {
    const approval = this.opened.get(id);
    if (!approval) {
      return;
    }
    const edited = args === undefined ? undefined : parseArguments(args, approval.view.args);
    const { tool } = approval.view;
    const { key, effect, command } = approval.identity;
    if (decision === 'deny') {
      const why: CallReason = { kind: 'user', answer: 'deny' };
      approval.settle({ outcome: 'denied', why });
      return;
    }
    // the key of such a call says what it would have done, which the user changed
    const isOther = effect !== undefined && edited !== undefined;
    const isRule = decision !== 'once' && !(isOther && (decision === 'session' || command));
    const rules = isRule ? this.allow(tool, approval.identity, decision, isWide) : [];
    const answer = decision === 'session' ? 'conversation' : decision;
    const why: CallReason = { kind: 'user', answer, ...(rules.length > 0 && { rules }) };
    approval.settle({ outcome: 'allowed', why, ...(edited && { args: edited }) });
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
    const { key, subject, mcp, allow, command, starts } = identity;
    if (starts) {
      return [];
    }
    const verdict = command && this.judgeCommand(command);
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

  /** Ends every open approval without running its call. */
  cancelAll(): void {
    this.settleAll(cancelled);
    this.announced.clear();
  }

  dispose(): void {
    this.isDisposed = true;
    this.cancelAll();
    this.changeEmitter.dispose();
  }

  /** The one place that decides whether the user is asked; what it says is what cards say. */
  private judge(tool: string, identity: ToolIdentity): Verdict {
    const { mcp, key, allowedBy, askedBy, change, effect, starts } = identity;
    if (starts) {
      return { isFree: false, why: { kind: 'starts', by: starts } };
    }
    const ofSession = this.rules.find(key);
    const command = identity.command && this.judgeCommand(identity.command);
    const byCommands = command?.parts.flatMap(({ rule }) => rule ?? []) ?? [];
    const free: CallReason | undefined =
      (!mcp && this.options.runsWithoutAsking(tool) && { kind: 'harmless' }) ||
      allowedBy ||
      (ofSession && { kind: 'rule', rule: ofSession }) ||
      (command?.isAllowed && { kind: 'commands', rules: distinct(byCommands) }) ||
      (this.options.isYolo() ? { kind: 'yolo' } : undefined);
    if (free) {
      return { isFree: true, why: free };
    }
    const isElsewhere = effect?.kind === 'outside' || effect?.kind === 'link';
    const why: CallReason =
      change === undefined
        ? (askedBy ?? askedForCommand(command) ?? { kind: isElsewhere ? 'place' : 'default' })
        : { kind: 'changed' };
    return { isFree: false, why, ...(command && { command }) };
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

  private judgeCommand({ line, stored, places }: CommandIdentity): CommandVerdict {
    return judgeCommand(line, [...this.rules.all, ...stored()], places);
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
    const { mcp, claims, change, effect, preview } = identity;
    const { why, command } = verdict;
    const ofCommand = identity.command && command?.offer && identity.command.allow;
    const allow = (!identity.starts && (ofCommand ?? identity.allow)) || {};
    const words = callWords(tool, identity.args ?? args, mcp !== undefined);
    const view: ApprovalView = {
      id,
      toolCallId,
      tool,
      ...(mcp && { mcp }),
      ...(isByApp && { isByApp }),
      why,
      ...(command && { commands: commandRulesView(command) }),
      claims,
      args: formatArguments(identity.args ?? args),
      ...(words && { words }),
      ...(change !== undefined && { change }),
      ...(effect && { effect: { ...effect, text: showHidden(effect.text) } }),
      ...(preview && { fileChange: preview.view }),
      places: (['folder', 'everywhere'] as const).filter((place) => allow[place]),
    };
    const settle = (decision: GateDecision) => {
      if (this.opened.delete(id)) {
        approval.isDenied = decision.outcome === 'denied';
        resolve(decision);
        this.changeEmitter.fire();
      }
    };
    const approval: Approval = { view, identity, decided, isDenied: false, settle };
    this.opened.set(id, approval);
    this.changeEmitter.fire();
    return approval;
  }

  private settleAll(decision: GateDecision, key?: string): void {
    for (const approval of [...this.opened.values()]) {
      if (key === undefined || approval.identity.key === key) {
        approval.settle(decision);
      }
    }
  }
}

/** Why a line is asked about; `undefined` for no line. */
function askedForCommand(command: CommandVerdict | undefined): CallReason | undefined {
  if (!command || command.parts.length === 0) {
    return command && { kind: 'unclear' };
  }
  const missing = command.parts.filter(({ rule }) => !rule).map(({ text }) => showHidden(text));
  return { kind: 'parts', missing };
}

function distinct(rules: readonly RuleView[]): readonly RuleView[] {
  return [...new Map(rules.map((rule) => [rule.id, rule])).values()];
}

/** Nothing in it hides or turns text: such characters are escaped, which JSON reads as the same. */
function formatArguments(args: unknown): string {
  return showHidden(JSON.stringify(args ?? {}, undefined, 2));
}

/** `undefined` when the text means what it meant before. */
function parseArguments(text: string, before: string): JsonObject | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // said below
  }
  if (!isJsonObject(value)) {
    throw new HumanError('invalid_arguments', l10n.t('The arguments are not a JSON object.'), {
      remedy: l10n.t('Correct them, or deny the call.'),
    });
  }
  return stableStringify(value) === stableStringify(JSON.parse(before)) ? undefined : value;
}
