/**
 * What Pi's session file does not say by itself: what the user decided about calls, that the user stopped a run, how long
 * the model thought, and what came of tasks in the background.
 */

import { asString, isJsonObject, isTexts, type JsonObject } from '../../base/json.js';
import type { GateInput } from '../policy/gateInput.js';
import { readReason } from '../policy/rules/readReason.js';
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

/** `undefined` for data that no journal wrote. */
export function readJournal(data: unknown): JournalInput | undefined {
  if (!isJsonObject(data)) {
    return undefined;
  }
  switch (data.type) {
    case 'tool_gate':
      return readGate(data);
    case 'tool_task': {
      const { type, toolCallId, isDetached } = data;
      const ref = readTaskRef(data.ref);
      const state = { status: 'working' } as const;
      return typeof toolCallId === 'string' && ref
        ? { type, toolCallId, state, isDetached: isDetached === true, ref }
        : undefined;
    }
    case 'tool_task_end': {
      const { type, toolCallId, status, result } = data;
      return typeof toolCallId === 'string' && (status === 'done' || status === 'failed')
        ? { type, toolCallId, status, result }
        : undefined;
    }
    case 'tool_refused': {
      const { type, server, tool, reason } = data;
      return typeof server === 'string' && typeof tool === 'string' && typeof reason === 'string'
        ? { type, server, tool, reason }
        : undefined;
    }
    case 'thought':
      return typeof data.ms === 'number' ? { type: 'thought', ms: data.ms } : undefined;
    case 'user_stop':
    case 'interrupted':
      return { type: data.type };
    case 'compaction_stored': {
      const { type, id, tokensAfter } = data;
      return typeof id === 'string'
        ? {
            type,
            id,
            tokensAfter: typeof tokensAfter === 'number' ? tokensAfter : undefined,
          }
        : undefined;
    }
    case 'left_out': {
      const { type, ids, tokens } = data;
      return isTexts(ids) && typeof tokens === 'number' ? { type, ids, tokens } : undefined;
    }
    case 'failure':
      return typeof data.text === 'string' ? { type: 'failure', text: data.text } : undefined;
    default:
      return undefined;
  }
}

/** The call ran as the model wrote it, and nothing is said of why. */
function isPlain({ gate, args, why }: Extract<JournalInput, { type: 'tool_gate' }>): boolean {
  return gate === 'allowed' && args === undefined && why === undefined;
}

const gates: readonly GateInput['gate'][] = ['asking', 'allowed', 'denied', 'cancelled', 'planned'];

function readGate({ toolCallId, gate, args, why, at }: JsonObject): JournalInput | undefined {
  const known = gates.find((one) => one === gate);
  const when = typeof at === 'number' ? at : undefined;
  return typeof toolCallId === 'string' && known
    ? { type: 'tool_gate', toolCallId, gate: known, args, why: readReason(why), at: when }
    : undefined;
}

function readTaskRef(value: unknown): TaskRef | undefined {
  const { name, serverId, server, tool, launch, taskId, label } = isJsonObject(value) ? value : {};
  const areTexts = [name, serverId, server, tool, launch, taskId].every(
    (one) => typeof one === 'string',
  );
  const known = { name, serverId, server, tool, launch, taskId, label: asString(label) };
  return areTexts ? (known as TaskRef) : undefined;
}

/** The model got them; in a file they would only take up room. */
function withoutImages(result: unknown): unknown {
  const content = isJsonObject(result) ? result.content : undefined;
  return Array.isArray(content)
    ? { content: content.filter((block) => isJsonObject(block) && block.type === 'text') }
    : {};
}
