/**
 * What Pi's session file does not say by itself: what the user decided about calls, that the user stopped a run, how long
 * the model thought, and what came of tasks in the background.
 */
import { asString, isJsonObject } from '../../base/json.js';
import type { McpServerId } from '../../config/definition.js';
import type { GateInput } from '../policy/gateInput.js';
import { readReason } from '../policy/rules/readReason.js';
import {
  anything,
  asNumber,
  isTrue,
  kindsOf,
  listOf,
  objectOf,
  oneOf,
  optional,
} from '../reading/readers.js';
import type { TaskRef } from '../transcript/tasks.js';
import type { TranscriptInput } from '../transcript/transcript.js';

export type JournalInput = Extract<
  TranscriptInput,
  {
    type:
      | 'tool_gate'
      | 'tool_task'
      | 'tool_task_end'
      | 'tool_refused'
      | 'thought'
      | 'user_stop'
      | 'interrupted'
      | 'compaction_stored'
      | 'left_out'
      | 'failure';
  }
>;

/**
 * What of an input has to be kept, if anything: calls that ran as the model wrote them need no word.
 * @param wasAsked the user was asked about the call before
 */
export function journalInputOf(
  input: TranscriptInput,
  wasAsked: boolean,
): JournalInput | undefined {
  switch (input.type) {
    case 'tool_gate':
      return isPlain(input) && !wasAsked ? undefined : input;
    case 'tool_task':
      return input.ref && input;
    case 'tool_task_end':
      return { ...input, result: withoutImages(input.result) };
    case 'tool_refused':
    case 'thought':
    case 'user_stop':
    case 'interrupted':
    case 'compaction_stored':
    case 'left_out':
    case 'failure':
      return input;
    default:
      return undefined;
  }
}

const gates: readonly GateInput['gate'][] = ['asking', 'allowed', 'denied', 'cancelled', 'planned'];

const readTaskRef = objectOf<TaskRef>({
  name: asString,
  serverId: (value) => asString(value) as McpServerId | undefined,
  server: asString,
  tool: asString,
  launch: asString,
  taskId: asString,
  label: optional(asString),
});

/** `undefined` for data that no journal wrote. */
export const readJournal = kindsOf<JournalInput, 'type'>('type', {
  tool_gate: {
    toolCallId: asString,
    gate: oneOf(gates),
    args: optional(anything),
    why: optional(readReason),
    at: optional(asNumber),
  },
  tool_task: {
    toolCallId: asString,
    state: () => ({ status: 'working' }),
    isDetached: isTrue,
    ref: readTaskRef,
  },
  tool_task_end: {
    toolCallId: asString,
    status: oneOf(['done', 'failed']),
    result: optional(anything),
  },
  tool_refused: { server: asString, tool: asString, reason: asString },
  thought: { ms: asNumber },
  user_stop: {},
  interrupted: {},
  compaction_stored: { id: asString, tokensAfter: optional(asNumber) },
  left_out: { ids: listOf(asString), tokens: asNumber },
  failure: { text: asString },
});

/** The call ran as the model wrote it, and nothing is said of why. */
function isPlain({ gate, args, why }: Extract<JournalInput, { type: 'tool_gate' }>): boolean {
  return gate === 'allowed' && args === undefined && why === undefined;
}

/** The model got them; in a file they would only take up room. */
function withoutImages(result: unknown): unknown {
  const content = isJsonObject(result) ? result.content : undefined;
  return Array.isArray(content)
    ? { content: content.filter((block) => isJsonObject(block) && block.type === 'text') }
    : {};
}
