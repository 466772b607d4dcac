/** Stands between the model's tool calls and their execution: asks, takes over edited arguments, says why not. */
import { isJsonObject, type JsonObject } from '../base/json.js';
import type { Approvals } from './approvals.js';
import type { PiEvent } from './piModule.js';
import { proxyToolName } from './proxyTool.js';
import type { ToolBridge } from './toolBridge.js';
import type { TranscriptInput } from './transcript.js';

export interface CallGateOptions {
  readonly bridge: ToolBridge;
  readonly approvals: Approvals;
  readonly builtIns: readonly string[];
  readonly show: (input: TranscriptInput) => void;
}

export interface PendingCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** Pi runs the call with this very object. */
  readonly input: Record<string, unknown>;
}

/** For the model, so in English. */
const blockReasons = {
  denied: 'The user denied this tool call.',
  cancelled: 'The user stopped the run before this tool call.',
} as const;

export class CallGate {
  constructor(private readonly options: CallGateOptions) {}

  /** `undefined` lets the call run. */
  async pass(
    { toolCallId, toolName: tool, input }: PendingCall,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly block: true; readonly reason: string } | undefined> {
    const { approvals, bridge, show } = this.options;
    const target = tool === proxyToolName ? bridge.resolve(tool, input) : undefined;
    const decision = approvals.check({ toolCallId, tool, args: input }, signal);
    if (approvals.open.some((view) => view.toolCallId === toolCallId)) {
      show({ type: 'tool_gate', toolCallId, gate: 'asking' });
    }
    const { outcome, args } = await decision;
    show({ type: 'tool_gate', toolCallId, gate: outcome, ...(args && { args }) });
    if (outcome !== 'allowed') {
      return { block: true, reason: blockReasons[outcome] };
    }
    if (target) {
      bridge.setTarget(toolCallId, target);
    }
    if (args) {
      replaceArguments(tool, input, args);
    }
    return undefined;
  }

  /** Shows the questions of parallel calls as one list, and withdraws those whose call has ended. */
  follow(event: PiEvent): void {
    const { approvals } = this.options;
    if (event.type === 'tool_execution_end') {
      approvals.forget(event.toolCallId);
    } else if (event.type === 'message_end') {
      const calls = callsOf(event.message).filter(({ tool, args }) => this.isKnown(tool, args));
      if (calls.length > 1) {
        approvals.announce(calls);
      }
    }
  }

  private isKnown(tool: string, args: unknown): boolean {
    const { builtIns, bridge } = this.options;
    return builtIns.includes(tool) || bridge.resolve(tool, args) !== undefined;
  }
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
