/** Decides whether a tool call may run, by asking the user. Annotations never decide: they are the server's claims. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../base/disposable.js';
import { HumanError } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import { isJsonObject, type JsonObject, stableStringify } from '../../base/json.js';
import { showHidden } from '../../base/text/showHidden.js';
import type { ApprovalDecision, ApprovalView } from '../../protocol/agentProtocol.js';
import type { FileChangeView } from '../../protocol/fileChanges.js';
import { callWords } from './callWords.js';

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

/** What is known about a tool beside its name. */
export interface ToolIdentity {
  /** Stable while the tool's definition is: "for this session" is remembered under it. */
  readonly key: string;
  readonly mcp?: { readonly server: string; readonly tool: string };
  readonly claims: readonly string[];
  /** The arguments that the tool itself gets, when the call wraps them. Default: the call's. */
  readonly args?: unknown;
  /** The user allowed it always, and it is still what the user saw. */
  readonly isAllowed?: boolean;
  /** The tool was allowed always, but has changed since: lines with `-` and `+`. */
  readonly change?: string;
  /** What the arguments alone do not say. */
  readonly effect?: NonNullable<ApprovalView['effect']>;
  /** What it would make of a file. */
  readonly preview?: CallPreview;
  /** Allows it always; absent places are not offered. */
  readonly allow?: Readonly<Partial<Record<AllowPlace, () => void>>>;
}

export type GateOutcome = 'allowed' | 'denied' | 'cancelled';

export interface GateDecision {
  readonly outcome: GateOutcome;
  /** What the user made of the arguments; absent when unchanged. */
  readonly args?: JsonObject;
}

export interface ApprovalOptions {
  readonly identify: (tool: string, args: unknown) => ToolIdentity;
  /** Built-in tools that need no question of their own. */
  readonly runsWithoutAsking: (tool: string) => boolean;
  /** The user's own switch; read at every call. */
  readonly isYolo: () => boolean;
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
  private readonly allowedForSession = new Set</* tool key */ string>();
  private readonly changeEmitter = new Emitter<void>();
  private readonly idPrefix: string;
  private nextId = 1;
  private isDisposed = false;

  /** The list of open approvals changed. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: ApprovalOptions) {
    this.idPrefix = options.idPrefix ?? `${randomUUID()}-`;
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
      if (!this.isDisposed && !this.isFree(request.tool, identity)) {
        this.announced.set(request.toolCallId, this.ask(request, identity));
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
    if (!asked && this.isFree(request.tool, identity)) {
      return { outcome: 'allowed' };
    }
    const { settle, decided } = asked ?? this.ask(request, identity);
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
   * @throws {HumanError} when `args` is given and no JSON object.
   */
  decide(id: string, decision: ApprovalDecision, args?: string): void {
    const approval = this.opened.get(id);
    if (!approval) {
      return;
    }
    const edited = args === undefined ? undefined : parseArguments(args, approval.view.args);
    const { key, allow, effect } = approval.identity;
    if (decision === 'folder' || decision === 'everywhere') {
      allow?.[decision]?.();
    }
    if (decision === 'deny') {
      approval.settle({ outcome: 'denied' });
      return;
    }
    approval.settle({ outcome: 'allowed', ...(edited && { args: edited }) });
    // the key of such a call says what it would have done, which the user changed
    const isOther = effect !== undefined && edited !== undefined;
    if (decision === 'once' || isOther) {
      return;
    }
    if (decision === 'session') {
      this.allowedForSession.add(key);
    }
    this.settleAll({ outcome: 'allowed' }, key);
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

  private isFree(tool: string, identity: ToolIdentity): boolean {
    return (
      (!identity.mcp && this.options.runsWithoutAsking(tool)) ||
      identity.isAllowed === true ||
      this.options.isYolo() ||
      this.allowedForSession.has(identity.key)
    );
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

  private ask(request: ToolCallRequest, identity: ToolIdentity): Approval {
    const { toolCallId, tool, args, isByApp } = request;
    const id = `${this.idPrefix}approval-${this.nextId++}`;
    let resolve: (decision: GateDecision) => void = () => undefined;
    const decided = new Promise<GateDecision>((settled) => {
      resolve = settled;
    });
    const { mcp, claims, change, effect, preview, allow = {} } = identity;
    const words = callWords(tool, identity.args ?? args, mcp !== undefined);
    const view: ApprovalView = {
      id,
      toolCallId,
      tool,
      ...(mcp && { mcp }),
      ...(isByApp && { isByApp }),
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
