/** The transcript of a stored conversation, as the running one would have shown it. */
import { withPauses } from '../../../base/async/withPauses.js';
import { isJsonObject, stableStringify } from '../../../base/json.js';
import { isCutPlace } from '../../branches/places.js';
import type { ConversationTree } from '../../branches/tree.js';
import { journalEntry } from '../../conversations/conversationEnd.js';
import type { PiEvent, PiSessionEntry } from '../../pi/piModule.js';
import { commandRole, readUserCommand } from '../../transcript/calls/userCommand.js';
import type { Transcript } from '../../transcript/entries.js';
import { sentMessage, storedAt } from '../../transcript/stored.js';
import {
  emptyTranscript,
  type McpCall,
  type McpLookup,
  reduceTranscript,
  type TranscriptInput,
} from '../../transcript/transcript.js';
import { readJournal } from './journal.js';
import { OpenTasks } from './openTasks.js';

type Message = Extract<PiSessionEntry, { type: 'message' }>['message'];

/** Entries: a few milliseconds. A conversation of 5,000 turns has 20,000 and takes more than 100 ms. */
const perPause = 200;

/** What is known of a conversation beside the entries that are shown. */
export interface RestoreParts {
  /** Default: the entries are all that there is. */
  readonly tree?: ConversationTree;
  /** Whether the whole result of a call can still be opened. Default: of none. */
  readonly isKept?: (callId: string) => boolean;
  /** The user goes on at once. Default false. */
  readonly isQuiet?: boolean;
}

/**
 * With pauses, so that a long conversation does not stop the extension host.
 * @param entries of one conversation, oldest first
 * @param mcpCall for calls whose results do not say which server gave them
 */
export async function restoreTranscript(
  entries: readonly PiSessionEntry[],
  mcpCall: McpLookup,
  parts: RestoreParts = {},
): Promise<Transcript> {
  const known = await namesInResults(entries);
  const lookup: McpLookup = (tool, args) => {
    const now = mcpCall(tool, args);
    const then = known.get(callKey(tool, args));
    return then ? { ...then, args: now?.args } : now;
  };
  const reduce = (transcript: Transcript, input: TranscriptInput) =>
    reduceTranscript(transcript, input, lookup);
  let restored = emptyTranscript;
  const tasks = new OpenTasks();
  let last: PiSessionEntry | undefined;
  await withPauses(entries, perPause, (entry) => {
    tasks.read(entry);
    // nothing of the run before it comes after what the user ran
    const isCutOff = isUserCommand(entry) && isInterrupted(last) && !restored.stopped;
    const inputs = [...(isCutOff ? [interrupted] : []), ...inputsOf(entry, parts)];
    restored = inputs.reduce(reduce, restored);
    last = entry.type === 'message' || isCutPlace(entry) ? entry : last;
  });
  const isCutOff = isInterrupted(last) && !restored.stopped;
  const cut = parts.isQuiet ? [] : cutInputs(entries, last, parts.tree);
  const except = new Set(tasks.all.map(({ callId }) => callId));
  const tasksLost: TranscriptInput = { type: 'tasks_lost', except };
  const endings = [...(isCutOff ? [interrupted] : []), runEnd, tasksLost, ...cut];
  return endings.reduce(reduce, restored);
}

const interrupted: TranscriptInput = { type: 'interrupted' };
const retry = { type: 'agent_end', willRetry: true } as PiEvent;
const runEnd: TranscriptInput = { type: 'agent_settled' } as PiEvent;

function inputsOf(entry: PiSessionEntry, parts: RestoreParts): readonly TranscriptInput[] {
  switch (entry.type) {
    case 'message':
      return messageInputs(entry, entry.message, parts);
    case 'compaction': {
      const { summary, tokensBefore } = entry;
      const result = { summary, tokensBefore };
      return [
        { type: 'compaction_start' } as PiEvent,
        { type: 'compaction_end', result } as PiEvent,
        { type: 'compaction_stored', id: entry.id },
      ];
    }
    case 'custom': {
      const input = entry.customType === journalEntry ? readJournal(entry.data) : undefined;
      return input ? [input] : [];
    }
    default:
      return [];
  }
}

function messageInputs(
  { id, timestamp }: Pick<PiSessionEntry, 'id' | 'timestamp'>,
  message: Message,
  { tree, isKept }: RestoreParts,
): readonly TranscriptInput[] {
  const start = { type: 'message_start', message } as PiEvent;
  const stored = { type: 'message_stored', ...storedAt(timestamp) } as const;
  switch (message.role) {
    case 'user':
      // a message of the user that follows an answer begins a new run
      return [
        runEnd,
        start,
        { ...stored, role: 'user', ...sentMessage(id, tree?.alternativesOf(id)) },
      ];
    case 'assistant':
      // an answer that follows a failed one was a retry
      return [
        retry,
        start,
        { type: 'message_end', message } as PiEvent,
        { ...stored, role: 'assistant', id },
      ];
    case 'toolResult': {
      const { toolCallId, toolName, isError, content, details } = message;
      const isOpen = isKept?.(toolCallId) === true;
      const result = { content, details: isOpen ? details : shownDetails(details) };
      return [{ type: 'tool_execution_end', toolCallId, toolName, isError, result } as PiEvent];
    }
    case commandRole:
      return [runEnd, { type: 'user_command', ...readUserCommand({ ...message }) }];
    default:
      return [];
  }
}

function isUserCommand(entry: PiSessionEntry): boolean {
  return entry.type === 'message' && entry.message.role === commandRole;
}

/** Of a result that cannot be opened any more. */
function shownDetails(details: unknown): unknown {
  return isJsonObject(details) ? { ...details, isCut: false, files: [], hasApp: false } : details;
}

/** A finished run ends with an answer that calls no tool, unless the user went back into it. */
function isInterrupted(last: PiSessionEntry | undefined): boolean {
  const message = last?.type === 'message' ? last.message : undefined;
  return message?.role === 'assistant'
    ? message.stopReason === 'toolUse'
    : message?.role === 'user' || message?.role === 'toolResult';
}

function cutInputs(
  entries: readonly PiSessionEntry[],
  last: PiSessionEntry | undefined,
  tree: ConversationTree | undefined,
): readonly TranscriptInput[] {
  const said = entries.findLast(({ type }) => type === 'message');
  return last?.type !== 'custom'
    ? []
    : [
        {
          type: 'cut',
          isUnanswered: said?.type === 'message' && said.message.role === 'user',
          next: tree?.requestsAt(last.id).at(-1),
        },
      ];
}

/** Servers may be gone, or be called otherwise, by the time that a conversation is read. */
async function namesInResults(
  entries: readonly PiSessionEntry[],
): Promise<ReadonlyMap<string, McpCall>> {
  const byCall = new Map</* tool call id */ string, McpCall>();
  await withPauses(entries, perPause, (entry) => {
    const message = entry.type === 'message' ? entry.message : undefined;
    const details = message?.role === 'toolResult' ? message.details : undefined;
    if (message?.role === 'toolResult' && isJsonObject(details)) {
      const { server, tool } = details;
      if (typeof server === 'string' && typeof tool === 'string') {
        byCall.set(message.toolCallId, { server, tool });
      }
    }
  });
  const known = new Map<string, McpCall>();
  await withPauses(entries, perPause, (entry) => {
    const message = entry.type === 'message' ? entry.message : undefined;
    for (const block of message?.role === 'assistant' ? message.content : []) {
      const found = block.type === 'toolCall' ? byCall.get(block.id) : undefined;
      if (block.type === 'toolCall' && found) {
        known.set(callKey(block.name, block.arguments), found);
      }
    }
  });
  return known;
}

function callKey(tool: string, args: unknown): string {
  return stableStringify([tool, args]);
}
