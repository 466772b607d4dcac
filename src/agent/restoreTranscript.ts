/** The transcript of a stored conversation, as the running one would have shown it. */
import { isJsonObject, stableStringify } from '../base/json.js';
import { nextTurn } from '../base/nextTurn.js';
import { journalEntry, readJournal } from './journal.js';
import type { PiEvent, PiSessionEntry } from './piModule.js';
import {
  emptyTranscript,
  type McpNameLookup,
  reduceTranscript,
  type Transcript,
  type TranscriptInput,
} from './transcript.js';

type Message = Extract<PiSessionEntry, { type: 'message' }>['message'];

// a few milliseconds of work
const sliceLength = 200;

/**
 * Works in slices, so that a long conversation does not stop the extension host.
 * @param entries of one conversation, oldest first
 * @param mcpName for calls whose results do not say which server gave them
 */
export async function restoreTranscript(
  entries: readonly PiSessionEntry[],
  mcpName: McpNameLookup,
): Promise<Transcript> {
  const known = namesInResults(entries);
  const lookup: McpNameLookup = (tool, args) =>
    known.get(callKey(tool, args)) ?? mcpName(tool, args);
  const reduce = (transcript: Transcript, input: TranscriptInput) =>
    reduceTranscript(transcript, input, lookup);
  let restored = emptyTranscript;
  for (let start = 0; start < entries.length; start += sliceLength) {
    const slice = entries.slice(start, start + sliceLength);
    restored = slice.flatMap(inputsOf).reduce(reduce, restored);
    await nextTurn();
  }
  const isCutOff = isInterrupted(entries) && !restored.stopped;
  const endings = [...(isCutOff ? [interrupted] : []), runEnd, tasksLost];
  return endings.reduce(reduce, restored);
}

const interrupted: TranscriptInput = { type: 'interrupted' };
const tasksLost: TranscriptInput = { type: 'tasks_lost' };
const retry = { type: 'agent_end', willRetry: true } as PiEvent;
const runEnd: TranscriptInput = { type: 'agent_settled' } as PiEvent;

function inputsOf(entry: PiSessionEntry): readonly TranscriptInput[] {
  switch (entry.type) {
    case 'message':
      return messageInputs(entry.message);
    case 'compaction':
      return [{ type: 'compaction_start' } as PiEvent];
    case 'custom': {
      const input = entry.customType === journalEntry ? readJournal(entry.data) : undefined;
      return input ? [input] : [];
    }
    default:
      return [];
  }
}

function messageInputs(message: Message): readonly TranscriptInput[] {
  const start = { type: 'message_start', message } as PiEvent;
  switch (message.role) {
    case 'user':
      // a message of the user that follows an answer begins a new run
      return [runEnd, start];
    case 'assistant':
      // an answer that follows a failed one was a retry
      return [retry, start, { type: 'message_end', message } as PiEvent];
    case 'toolResult': {
      const { toolCallId, toolName, isError, content, details } = message;
      const result = { content, details: shownDetails(details) };
      return [{ type: 'tool_execution_end', toolCallId, toolName, isError, result } as PiEvent];
    }
    default:
      return [];
  }
}

/** What could be opened of a result went with the window. */
function shownDetails(details: unknown): unknown {
  return isJsonObject(details) ? { ...details, isCut: false, files: [], hasApp: false } : details;
}

/** A finished run ends with an answer that calls no tool. */
function isInterrupted(entries: readonly PiSessionEntry[]): boolean {
  const last = entries.findLast(({ type }) => type === 'message');
  const message = last?.type === 'message' ? last.message : undefined;
  return message?.role === 'assistant'
    ? message.stopReason === 'toolUse'
    : message?.role === 'user' || message?.role === 'toolResult';
}

type McpName = NonNullable<ReturnType<McpNameLookup>>;

/** Servers may be gone, or be called otherwise, by the time that a conversation is read. */
function namesInResults(entries: readonly PiSessionEntry[]): ReadonlyMap<string, McpName> {
  const messages = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
  const byCall = new Map<string, McpName>();
  for (const message of messages) {
    const details = message.role === 'toolResult' ? message.details : undefined;
    if (message.role === 'toolResult' && isJsonObject(details)) {
      const { server, tool } = details;
      if (typeof server === 'string' && typeof tool === 'string') {
        byCall.set(message.toolCallId, { server, tool });
      }
    }
  }
  const calls = messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.content.flatMap((block) => (block.type === 'toolCall' ? [block] : []))
      : [],
  );
  return new Map(
    calls.flatMap(({ id, name, arguments: args }) => {
      const found = byCall.get(id);
      return found ? [[callKey(name, args), found] as const] : [];
    }),
  );
}

function callKey(tool: string, args: unknown): string {
  return stableStringify([tool, args]);
}
