/** Decides whether a tool call may run, by asking the user. Annotations never decide: they are the server's claims. */
import type { Disposable } from '../base/disposable.js';
import { Emitter } from '../base/event.js';
import type { ApprovalDecision, ApprovalView } from '../protocol/agentProtocol.js';

export interface ToolCallRequest {
  readonly toolCallId: string;
  /** Name the model used. */
  readonly tool: string;
  readonly args: unknown;
}

/** What is known about a tool beside its name. */
export interface ToolIdentity {
  /** Stable: "for this session" is remembered under it. */
  readonly key: string;
  readonly mcp?: { readonly server: string; readonly tool: string };
  readonly claims: readonly string[];
}

export type GateOutcome = 'allowed' | 'denied' | 'cancelled';

export interface ApprovalOptions {
  readonly identify: (tool: string, args: unknown) => ToolIdentity;
  /** Built-in tools that can change nothing. */
  readonly runsWithoutAsking: (tool: string) => boolean;
  /** The user's own switch; read at every call. */
  readonly isYolo: () => boolean;
}

interface OpenApproval {
  readonly view: ApprovalView;
  readonly key: string;
  readonly settle: (outcome: GateOutcome) => void;
}

export class Approvals implements Disposable {
  private readonly opened = new Map</* approval id */ string, OpenApproval>();
  private readonly allowedForSession = new Set</* tool key */ string>();
  private readonly changeEmitter = new Emitter<void>();
  private nextId = 1;
  private isDisposed = false;

  /** The list of open approvals changed. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: ApprovalOptions) {}

  /** In the order in which they were asked. */
  get open(): readonly ApprovalView[] {
    return [...this.opened.values()].map(({ view }) => view);
  }

  /** Resolves without a question where none is needed. */
  check(request: ToolCallRequest, signal: AbortSignal | undefined): Promise<GateOutcome> {
    if (this.isDisposed || signal?.aborted) {
      return Promise.resolve('cancelled');
    }
    const identity = this.options.identify(request.tool, request.args);
    const isFree = !identity.mcp && this.options.runsWithoutAsking(request.tool);
    if (isFree || this.options.isYolo() || this.allowedForSession.has(identity.key)) {
      return Promise.resolve('allowed');
    }
    return this.ask(request, identity, signal);
  }

  /** An unknown id is ignored: the approval was settled meanwhile. */
  decide(id: string, decision: ApprovalDecision): void {
    const approval = this.opened.get(id);
    if (!approval) {
      return;
    }
    if (decision === 'session') {
      this.allowedForSession.add(approval.key);
    }
    approval.settle(decision === 'deny' ? 'denied' : 'allowed');
    if (decision === 'session') {
      this.settleAll('allowed', approval.key);
    }
  }

  /** Ends every open approval without running its call. */
  cancelAll(): void {
    this.settleAll('cancelled');
  }

  dispose(): void {
    this.isDisposed = true;
    this.cancelAll();
    this.changeEmitter.dispose();
  }

  private ask(
    request: ToolCallRequest,
    { key, mcp, claims }: ToolIdentity,
    signal: AbortSignal | undefined,
  ): Promise<GateOutcome> {
    const id = `approval-${this.nextId++}`;
    const { toolCallId, tool } = request;
    const args = JSON.stringify(request.args ?? {}, undefined, 2);
    return new Promise((resolve) => {
      // Pi waits for the answer even after an abort
      const onAbort = () => settle('cancelled');
      const settle = (outcome: GateOutcome) => {
        signal?.removeEventListener('abort', onAbort);
        this.opened.delete(id);
        resolve(outcome);
        this.changeEmitter.fire();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      const view = { id, toolCallId, tool, ...(mcp && { mcp }), args, claims };
      this.opened.set(id, { view, key, settle });
      this.changeEmitter.fire();
    });
  }

  private settleAll(outcome: GateOutcome, key?: string): void {
    for (const approval of [...this.opened.values()]) {
      if (key === undefined || approval.key === key) {
        approval.settle(outcome);
      }
    }
  }
}
