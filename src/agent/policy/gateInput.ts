import type { TranscriptEntry } from '../../protocol/agentProtocol.js';
import type { CallReason } from '../../protocol/tools/approvalRules.js';
import type { GateOutcome } from './approvals.js';

type ToolEntry = Extract<TranscriptEntry, { kind: 'tool' }>;

/** A call is asked about, or was decided. */
export interface GateInput {
  readonly type: 'tool_gate';
  readonly toolCallId: string;
  readonly gate: 'asking' | GateOutcome;
  /** What the user made of the arguments. */
  readonly args?: unknown;
  /** When, in milliseconds since the epoch; absent where it is not known any more. */
  readonly at?: number | undefined;
  /** Of a question why it is asked, else what decided. */
  readonly why?: CallReason;
}

/** What a call is while the user is asked about it, and after. */
export function gateStatus(gate: 'asking' | GateOutcome): ToolEntry['status'] {
  switch (gate) {
    case 'asking':
      return 'awaiting_approval';
    case 'allowed':
      return 'running';
    case 'denied':
    case 'planned':
    case 'cancelled':
      return 'denied';
  }
}

/** With what the gate says of the call beside what it said before. */
export function reasonsOf(
  { why: before }: ToolEntry,
  { gate, why }: GateInput,
): Pick<ToolEntry, 'why'> {
  return why ? { why: { ...before, [gate === 'asking' ? 'asked' : 'ran']: why } } : {};
}
