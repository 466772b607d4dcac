/** What the panel shows of a session, as a pure function of Pi's events and our own. */
import * as l10n from '@vscode/l10n';
import { ChunkedList } from '../../base/chunkedList.js';
import { ChunkedMap } from '../../base/chunkedMap.js';
import type { TranscriptEntry } from '../../protocol/agentProtocol.js';
import type { PiEvent } from '../pi/piModule.js';
import { type GateInput, gateStatus, reasonsOf } from '../policy/gateInput.js';
import { isFinished, undecidedCall } from './calls/closing.js';
import { showUserCommand, type UserCommandInput } from './calls/userCommand.js';
import {
  type CompactionStored,
  type LeftOutInput,
  showCompactionStored,
  showLeftOut,
} from './compaction.js';
import {
  argumentsOf,
  awaitsReview,
  contentText,
  extrasOf,
  isBackgroundNotice,
  progressOf,
  resultBlocks,
  resultTail,
} from './content.js';
import {
  addNotice,
  append,
  entryOf,
  nextEntryId,
  type Transcript,
  updateEntry,
} from './entries.js';
import { explainRefusal, type ToolRefusal } from './modelFailure.js';
import { type RetryInput, reduceRetry } from './retry.js';
import { addUsage, noFacts, noteGate } from './runSummary.js';
import { reduceRun, reportError } from './runs.js';
import { type CutInput, type StoredInput, showCut, showStored } from './stored.js';
import { loseTask, showTask, type TaskInput } from './tasks.js';
import { keepTodo } from './todo.js';
import { userMessageView } from './userMessage.js';

export const emptyTranscript: Transcript = {
  entries: ChunkedList.empty(),
  runStart: 0,
  run: noFacts,
  toolEntryIds: ChunkedMap.empty(),
  taskEntryIds: ChunkedMap.empty(),
};

export type TranscriptInput =
  | PiEvent
  | GateInput
  | { readonly type: 'user_stop' }
  /** Something outside of Pi's events went wrong; a full sentence. */
  | { readonly type: 'failure'; readonly text: string }
  /** The model's provider took no request with the tool. */
  | ({ readonly type: 'tool_refused' } & ToolRefusal)
  /** How long the model thought before its latest message, in milliseconds. */
  | { readonly type: 'thought'; readonly ms: number }
  /** The window closed in the middle of a run. */
  | { readonly type: 'interrupted' }
  | StoredInput
  /** A message of the user is on its way to Pi, or Pi did not take it. */
  | { readonly type: 'sending' | 'not_sent' }
  | CompactionStored
  | LeftOutInput
  | RetryInput
  | CutInput
  | UserCommandInput
  | TaskInput;

export interface McpCall {
  readonly server: string;
  readonly tool: string;
  /** As the server knows them, where it knows them by other names. */
  readonly args?: unknown;
}

/** What a call means to its server; `undefined` for built-in tools. */
export type McpLookup = (tool: string, args: unknown, callId: string) => McpCall | undefined;

type ToolEntry = Extract<TranscriptEntry, { kind: 'tool' }>;
export function reduceTranscript(
  transcript: Transcript,
  input: TranscriptInput,
  mcpCall: McpLookup,
): Transcript {
  switch (input.type) {
    case 'message_start':
      return input.message.role === 'user'
        ? append(reportError(transcript), {
            kind: 'user',
            ...userMessageView(input.message.content),
          })
        : { ...transcript, streamingId: undefined };
    case 'message_update':
    case 'message_end':
      return reduceMessage(transcript, input, mcpCall);
    case 'tool_execution_start':
      return ensureTool(transcript, input.toolCallId, input.toolName, input.args, mcpCall);
    case 'tool_execution_update':
      return reduceToolExecution(transcript, input);
    case 'tool_execution_end': {
      const next = reduceToolExecution(transcript, input);
      const hasSteps = input.toolName === 'todo' || input.toolName === 'present_plan';
      return hasSteps && !input.isError ? keepTodo(next, input.result) : next;
    }
    case 'tool_gate': {
      const gated = updateTool(transcript, input.toolCallId, (entry) => ({
        ...(input.args === undefined ? entry : withArguments(entry, input.args)),
        ...reasonsOf(entry, input),
        status: gateStatus(input.gate),
      }));
      return noteGate(gated, input);
    }
    case 'tool_task':
    case 'tool_task_end':
      return reduceTask(transcript, input);
    case 'tasks_lost': {
      const kept = [...transcript.taskEntryIds].filter(([callId]) => input.except?.has(callId));
      const followed = new Set(kept.map(([, id]) => id));
      const lose = (entry: TranscriptEntry) => (followed.has(entry.id) ? entry : loseTask(entry));
      const taskEntryIds = kept.reduce(
        (ids, [callId, id]) => ids.with(callId, id),
        ChunkedMap.empty<string>(),
      );
      return { ...transcript, entries: transcript.entries.update(lose), taskEntryIds };
    }
    case 'message_stored':
      return showStored(transcript, input);
    case 'compaction_stored':
      return showCompactionStored(transcript, input);
    case 'left_out':
      return showLeftOut(transcript, input);
    case 'retry_wait':
    case 'retry_sent':
    case 'retry_over':
      return reduceRetry(transcript, input);
    case 'user_command':
      return showUserCommand(transcript, input);
    case 'cut':
      return showCut(transcript, input);
    case 'sending':
    case 'not_sent':
      return transcript;
    case 'user_stop':
      return { ...transcript, stopped: 'user' };
    case 'failure':
      return addNotice(transcript, 'error', input.text);
    case 'tool_refused':
      return append(transcript, { kind: 'notice', level: 'info', ...explainRefusal(input) });
    case 'thought':
      return showThought(transcript, input.ms);
    case 'interrupted':
      return { ...transcript, stopped: 'window' };
    default:
      return reduceRun(transcript, input);
  }
}

/** Entries of `after`, from the index on, that are new or differ from `before`; entries never move and never vanish. */
export function changedEntries(
  before: Transcript,
  after: Transcript,
  first = 0,
): readonly TranscriptEntry[] {
  return after.entries.changedSince(before.entries, first);
}

// #region messages

type MessageEvent = Extract<PiEvent, { type: 'message_update' | 'message_end' }>;

function reduceMessage(
  transcript: Transcript,
  event: MessageEvent,
  mcpCall: McpLookup,
): Transcript {
  const { message } = event;
  if (message.role !== 'assistant') {
    return transcript;
  }
  const isStreaming = event.type === 'message_update';
  const thinking = message.content
    .flatMap((block) => (block.type === 'thinking' ? [block.thinking] : []))
    .join('\n\n');
  let next = showAssistant(transcript, contentText(message.content), thinking, isStreaming);
  for (const block of message.content) {
    if (block.type === 'toolCall' && isCompleteCall(event, block.id)) {
      next = ensureTool(next, block.id, block.name, block.arguments, mcpCall);
    }
  }
  return isStreaming
    ? next
    : endMessage(addUsage(next, message.usage), message.stopReason, message.errorMessage);
}

/** While a message streams, only the call that has just ended is complete; a broken message completes none. */
function isCompleteCall(event: MessageEvent, id: string): boolean {
  if (event.type === 'message_end') {
    return event.message.role === 'assistant' && event.message.stopReason === 'toolUse';
  }
  const { assistantMessageEvent } = event;
  return assistantMessageEvent.type === 'toolcall_end' && assistantMessageEvent.toolCall.id === id;
}

function showAssistant(
  transcript: Transcript,
  text: string,
  thinking: string,
  isStreaming: boolean,
): Transcript {
  const { streamingId } = transcript;
  const isEmpty = text === '' && thinking === '';
  const entry = {
    kind: 'assistant' as const,
    text,
    thinking: thinking || undefined,
    isStreaming,
  };
  if (streamingId !== undefined) {
    // a message that broke off may end without what it has shown already
    return updateEntry(transcript, streamingId, (shown) =>
      isEmpty && shown.kind === 'assistant'
        ? { ...shown, isStreaming }
        : { ...entry, id: streamingId },
    );
  }
  return isEmpty
    ? transcript
    : { ...append(transcript, entry), streamingId: nextEntryId(transcript) };
}

function showThought(transcript: Transcript, thinkingMs: number): Transcript {
  const { answerId } = transcript;
  return answerId === undefined
    ? transcript
    : updateEntry(transcript, answerId, (entry) =>
        entry.kind === 'assistant' && entry.thinking ? { ...entry, thinkingMs } : entry,
      );
}

function endMessage(
  transcript: Transcript,
  stopReason: string,
  errorMessage: string | undefined,
): Transcript {
  const ended = { ...transcript, streamingId: undefined, answerId: transcript.streamingId };
  if (stopReason === 'error' && !transcript.stopped) {
    return {
      ...ended,
      pendingError:
        errorMessage ?? l10n.t('The model gave no answer: {0}', l10n.t('no reason given')),
    };
  }
  return stopReason === 'length'
    ? addNotice(ended, 'info', l10n.t("The answer was cut off at the model's output limit."))
    : ended;
}

// #endregion

// #region tools

function ensureTool(
  transcript: Transcript,
  toolCallId: string,
  tool: string,
  args: unknown,
  mcpCall: McpLookup,
): Transcript {
  const knownId = transcript.toolEntryIds.get(toolCallId);
  const known = knownId === undefined ? undefined : entryOf(transcript, knownId);
  if (known?.kind === 'tool' && !isFinished(known)) {
    return transcript;
  }
  const mcp = mcpCall(tool, args, toolCallId);
  const added = append(transcript, {
    kind: 'tool',
    tool,
    mcp: mcp && { server: mcp.server, tool: mcp.tool },
    ...argumentsOf(tool, mcp?.args ?? args, mcp !== undefined),
    status: 'pending',
    result: [],
  });
  const toolEntryIds = transcript.toolEntryIds.with(toolCallId, nextEntryId(transcript));
  return { ...added, toolEntryIds };
}

function withArguments(entry: ToolEntry, args: unknown): ToolEntry {
  const { words: _, ...rest } = entry;
  return { ...rest, ...argumentsOf(entry.tool, args, entry.mcp !== undefined) };
}

function reduceToolExecution(
  transcript: Transcript,
  event: Extract<PiEvent, { type: 'tool_execution_update' | 'tool_execution_end' }>,
): Transcript {
  const isDetached = event.type === 'tool_execution_end' && isBackgroundNotice(event.result);
  const known = isDetached ? followTask(transcript, event.toolCallId) : transcript;
  return updateTool(known, event.toolCallId, (entry) => {
    if (event.type === 'tool_execution_update') {
      const partial = resultBlocks(event.partialResult);
      const progress = progressOf(event.partialResult) ?? entry.progress;
      const { awaitsReview: _, earlierLines, result, ...rest } = entry;
      const shown = { result, earlierLines };
      return {
        ...rest,
        awaitsReview: awaitsReview(event.partialResult) || undefined,
        progress,
        ...(partial.length > 0 ? resultTail(partial) : shown),
      };
    }
    const { earlierLines: _, ...known } = entry;
    if (isDetached) {
      return { ...known, status: 'background', result: [] };
    }
    const { progress: __, task: ___, awaitsReview: ____, ...rest } = known;
    if (entry.status === 'denied') {
      return { ...rest, result: [] };
    }
    if (entry.status === 'awaiting_approval' && transcript.stopped === 'window') {
      return undecidedCall(rest);
    }
    return {
      ...rest,
      status: event.isError ? 'failed' : 'done',
      result: resultBlocks(event.result),
      ...extrasOf(event.result, event.toolCallId),
    };
  });
}

/** Its end is for this entry, whenever it comes. */
function followTask(transcript: Transcript, callId: string): Transcript {
  const id = transcript.toolEntryIds.get(callId);
  return id === undefined
    ? transcript
    : { ...transcript, taskEntryIds: transcript.taskEntryIds.with(callId, id) };
}

function reduceTask(
  transcript: Transcript,
  input: Exclude<TaskInput, { type: 'tasks_lost' }>,
): Transcript {
  const { toolCallId: callId } = input;
  const id = transcript.taskEntryIds.get(callId) ?? transcript.toolEntryIds.get(callId);
  return id === undefined
    ? transcript
    : {
        ...updateEntry(transcript, id, (entry) =>
          entry.kind === 'tool' ? showTask(entry, input) : entry,
        ),
        taskEntryIds: transcript.taskEntryIds.with(callId, id),
      };
}

function updateTool(
  transcript: Transcript,
  toolCallId: string,
  change: (entry: ToolEntry) => ToolEntry,
): Transcript {
  const id = transcript.toolEntryIds.get(toolCallId);
  return id === undefined
    ? transcript
    : updateEntry(transcript, id, (entry) => (entry.kind === 'tool' ? change(entry) : entry));
}

// #endregion
