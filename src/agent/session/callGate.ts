/** Stands between the model's tool calls and their execution: asks, takes over edited arguments, says why not. */
import { isJsonObject, type JsonObject } from '../../base/json.js';
import type { PiEvent } from '../pi/piModule.js';
import type { Approvals, GateOutcome } from '../policy/approvals.js';
import type { CallSubject } from '../policy/callSubject.js';
import type { ToolCallRequest, ToolIdentity } from '../policy/toolIdentity.js';
import { proxyToolName } from '../tools/proxyTool.js';
import type { TranscriptInput } from '../transcript/transcript.js';

export interface CallGateOptions {
  readonly approvals: Approvals;
  readonly describe: (tool: string, args: unknown) => Promise<CallSubject>;
  /** The model has the tool; Pi refuses calls of others by itself. */
  readonly isOffered: (tool: string, args: unknown) => boolean;
  readonly show: (input: TranscriptInput) => void;
  /** A call that may write files is about to run. @returns what says that it has ended. Default: nobody wants to know */
  readonly onRun?: (toolCallId: string, identity: ToolIdentity) => () => void;
}

export interface PendingCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** Pi runs the call with this very object. */
  readonly input: Record<string, unknown>;
}

export interface BlockedCall {
  readonly block: true;
  readonly reason: string;
}

/** For the model, so in English. */
const blockReasons = {
  denied: 'The user denied this tool call.',
  unstarted: 'Not started: the user wants you to go on planning.',
  cancelled: 'The user stopped the run before this tool call.',
  planned: 'Plan mode: not run. Only reading is allowed. Call present_plan when the plan is ready.',
  unplanned:
    'Not shown: present_plan is for Plan mode alone, and the user has chosen another mode.',
  unsteady: 'What this call would do changed every time that the user was asked.',
} as const;

/** A call that changed this often while the user was asked is refused. */
const maxQuestions = 5;

export class CallGate {
  private announcing = Promise.resolve();
  /** Questions of an earlier run are not announced any more. */
  private run = 0;
  /** What says that a call has ended. */
  private readonly running = new Map</* tool call id */ string, () => void>();

  constructor(private readonly options: CallGateOptions) {}

  /** `undefined` lets the call run. What was approved is what runs: when it changed meanwhile, the user is asked again. */
  async pass(
    { toolCallId, toolName: tool, input }: PendingCall,
    signal: AbortSignal | undefined,
  ): Promise<BlockedCall | undefined> {
    const { approvals, describe, show } = this.options;
    await this.announcing;
    let subject = await describe(tool, input);
    for (let asked = 0; asked < maxQuestions; asked++) {
      if (subject.refusal !== undefined) {
        approvals.forget(toolCallId);
        return { block: true, reason: subject.refusal };
      }
      const { identity } = subject;
      const decision = approvals.check({ toolCallId, tool, args: input, identity }, signal);
      const question = approvals.open.find((view) => view.toolCallId === toolCallId);
      if (question) {
        show({ type: 'tool_gate', toolCallId, gate: 'asking', why: question.why });
      }
      const { outcome, args, why } = await decision;
      if (outcome !== 'allowed') {
        show({ type: 'tool_gate', toolCallId, gate: outcome, why });
        const words = why?.kind === 'user' ? why.words : undefined;
        return { block: true, reason: reasonOf(outcome, identity, words) };
      }
      if (args) {
        replaceArguments(tool, input, args);
      }
      subject = await describe(tool, input);
      if (isApproved(identity, subject, args !== undefined)) {
        subject.pin?.(toolCallId, why);
        if (why?.kind !== 'reads' && why?.kind !== 'harmless') {
          this.begin(toolCallId, subject.identity);
        }
        show({ type: 'tool_gate', toolCallId, gate: 'allowed', args, why });
        return undefined;
      }
    }
    return { block: true, reason: blockReasons.unsteady };
  }

  /** Shows the questions of parallel calls as one list, and withdraws those whose call has ended. */
  follow(event: PiEvent): void {
    if (event.type === 'tool_execution_end') {
      const { toolCallId } = event;
      this.ended(toolCallId);
      void this.announcing.then(() => this.options.approvals.forget(toolCallId));
    } else if (event.type === 'agent_end') {
      this.end();
      this.options.approvals.endRun();
    } else if (event.type === 'message_end') {
      const calls = callsOf(event.message).filter(({ tool, args }) =>
        this.options.isOffered(tool, args),
      );
      if (calls.length > 1) {
        this.announcing = this.announce(calls);
      }
    }
  }

  /** The run is over: nothing is announced for it any more. */
  end(): void {
    this.run++;
    for (const id of [...this.running.keys()]) {
      this.ended(id);
    }
  }

  private begin(toolCallId: string, identity: ToolIdentity): void {
    const ended = this.options.onRun?.(toolCallId, identity);
    if (ended) {
      this.ended(toolCallId);
      this.running.set(toolCallId, ended);
    }
  }

  private ended(toolCallId: string): void {
    this.running.get(toolCallId)?.();
    this.running.delete(toolCallId);
  }

  /** Never rejects. */
  private async announce(calls: readonly Omit<ToolCallRequest, 'identity'>[]): Promise<void> {
    const { run } = this;
    const { approvals, describe } = this.options;
    try {
      const subjects = await Promise.all(calls.map(({ tool, args }) => describe(tool, args)));
      if (run === this.run) {
        approvals.announce(
          calls.flatMap((call, index) => {
            const { identity, refusal } = subjects[index] ?? {};
            return identity && refusal === undefined ? [{ ...call, identity }] : [];
          }),
        );
      }
    } catch {
      // each call asks for itself
    }
  }
}

/** For the model. @param words of the user */
function reasonOf(
  outcome: Exclude<GateOutcome, 'allowed'>,
  { plan }: ToolIdentity,
  words: string | undefined,
): string {
  if (outcome === 'denied' && words) {
    return plan ? `${blockReasons.unstarted} They say: ${words}` : `The user denied this: ${words}`;
  }
  if (!plan || outcome === 'cancelled') {
    return blockReasons[outcome];
  }
  return outcome === 'denied' ? blockReasons.unstarted : blockReasons.unplanned;
}

/** Whether the approval holds. A command that the user wrote needs no second question; a path does, as it may be a link. */
function isApproved(approved: ToolIdentity, now: CallSubject, isEdited: boolean): boolean {
  const { identity, refusal } = now;
  const kinds = [approved.effect?.kind, identity.effect?.kind];
  const isOwnCommand = isEdited && kinds.every((kind) => kind === 'command');
  const isOwnPlan = isEdited && approved.plan !== undefined && identity.plan !== undefined;
  return refusal === undefined && (identity.key === approved.key || isOwnCommand || isOwnPlan);
}

type Message = Extract<PiEvent, { type: 'message_end' }>['message'];

function callsOf(message: Message) {
  if (message.role !== 'assistant' || message.stopReason !== 'toolUse') {
    return [];
  }
  return message.content.flatMap((block) =>
    block.type === 'toolCall'
      ? [{ toolCallId: block.id, tool: block.name, args: block.arguments as unknown }]
      : [],
  );
}

function replaceArguments(tool: string, input: Record<string, unknown>, args: JsonObject): void {
  if (tool === proxyToolName && isJsonObject(input)) {
    input.args = args;
    return;
  }
  for (const name of Object.keys(input)) {
    delete input[name];
  }
  Object.assign(input, args);
}
