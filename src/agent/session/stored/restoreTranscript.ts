/** The transcript of a stored conversation, as the running one would have shown it. */
import { withPauses } from '../../../base/async/withPauses.js';
import { asObject, isJsonObject } from '../../../base/json.js';
import type { ConversationTree } from '../../branches/tree.js';
import { endAt } from '../../conversations/conversationEnd.js';
import { type EntryEvent, readStored } from '../../conversations/storedEntry.js';
import type { PiEvent, PiSessionEntry } from '../../pi/piModule.js';
import type { Transcript } from '../../transcript/entries.js';
import { sentMessage, storedAt } from '../../transcript/stored.js';
import {
  emptyTranscript,
  type McpCall,
  type McpLookup,
  reduceTranscript,
  type TranscriptInput,
} from '../../transcript/transcript.js';
import { OpenTasks } from './openTasks.js';

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
  const { events, names } = await readEvents(entries);
  const lookup: McpLookup = (tool, args, callId) => {
    const now = mcpCall(tool, args, callId);
    const then = names.get(callId);
    return then ? { ...then, args: now?.args } : now;
  };
  const reduce = (transcript: Transcript, input: TranscriptInput) =>
    reduceTranscript(transcript, input, lookup);
  let restored = emptyTranscript;
  const tasks = new OpenTasks();
  let last: EntryEvent | undefined;
  let said: EntryEvent | undefined;
  await withPauses(events, perPause, (event) => {
    tasks.read(event);
    // nothing of the run before it comes after what the user ran
    const isCutOff = event.kind === 'command' && isInterrupted(last) && !restored.stopped;
    const inputs = [...(isCutOff ? [interrupted] : []), ...inputsOf(event, parts)];
    restored = inputs.reduce(reduce, restored);
    said = isMessage(event) ? event : said;
    last = isMessage(event) || (event.kind === 'place' && event.isCut) ? event : last;
  });
  const isCutOff = isInterrupted(last) && !restored.stopped;
  const cut = last?.kind === 'place' && !parts.isQuiet ? [cutInput(last.id, said, parts.tree)] : [];
  const except = new Set(tasks.all.map(({ callId }) => callId));
  const tasksLost: TranscriptInput = { type: 'tasks_lost', except };
  const endings = [...(isCutOff ? [interrupted] : []), runEnd, tasksLost, ...cut];
  return endings.reduce(reduce, restored);
}

const interrupted: TranscriptInput = { type: 'interrupted' };
const retry = { type: 'agent_end', willRetry: true } as PiEvent;
const runEnd: TranscriptInput = { type: 'agent_settled' } as PiEvent;

function inputsOf(event: EntryEvent, { tree, isKept }: RestoreParts): readonly TranscriptInput[] {
  const { id, at } = event;
  const stored = { type: 'message_stored', ...storedAt(at) } as const;
  switch (event.kind) {
    case 'request': {
      const message = { role: 'user', content: event.content };
      const sent = sentMessage(id, tree?.alternativesOf(id));
      // a message of the user that follows an answer begins a new run
      return [
        runEnd,
        { type: 'message_start', message } as PiEvent,
        { ...stored, role: 'user', ...sent },
      ];
    }
    case 'answer': {
      const { message } = event;
      // an answer that follows a failed one was a retry
      return [
        retry,
        { type: 'message_start', message },
        { type: 'message_end', message },
        { ...stored, role: 'assistant', id },
      ];
    }
    case 'result': {
      const { callId: toolCallId, tool: toolName, isError, content } = event;
      const details = isKept?.(toolCallId) ? event.details : shownDetails(event.details);
      const result = { content, details };
      return [{ type: 'tool_execution_end', toolCallId, toolName, isError, result }];
    }
    case 'command': {
      const { kind: _, ...command } = event;
      return [runEnd, { type: 'user_command', ...command }];
    }
    case 'summary': {
      const { text: summary, tokensBefore } = event;
      return [
        { type: 'compaction_start' } as PiEvent,
        { type: 'compaction_end', result: { summary, tokensBefore } } as PiEvent,
        { type: 'compaction_stored', id },
      ];
    }
    case 'note':
      return [event.input];
    default:
      return [];
  }
}

function isMessage({ kind }: EntryEvent): boolean {
  return kind !== 'summary' && kind !== 'note' && kind !== 'place' && kind !== 'name';
}

/** Of a result that cannot be opened any more. */
function shownDetails(details: unknown): unknown {
  return isJsonObject(details) ? { ...details, isCut: false, files: [], hasApp: false } : details;
}

/** Unless the user went back into it. */
function isInterrupted(last: EntryEvent | undefined): boolean {
  return last !== undefined && endAt(last) === 'interrupted';
}

/** @param said what was said last before the place */
function cutInput(
  place: string,
  said: EntryEvent | undefined,
  tree: ConversationTree | undefined,
): TranscriptInput {
  const next = tree?.requestsAt(place).at(-1);
  return { type: 'cut', isUnanswered: said?.kind === 'request', next };
}

/** `names` by call id, as results say: servers may be gone, or called otherwise, when a conversation is read. */
async function readEvents(entries: readonly PiSessionEntry[]) {
  const events: EntryEvent[] = [];
  const names = new Map<string, McpCall>();
  await withPauses(entries, perPause, (entry) => {
    const event = readStored(entry);
    if (event) {
      events.push(event);
    }
    const { server, tool } = event?.kind === 'result' ? asObject(event.details) : {};
    if (event?.kind === 'result' && typeof server === 'string' && typeof tool === 'string') {
      names.set(event.callId, { server, tool });
    }
  });
  return { events, names };
}
