/** Changes to the entries of a transcript. */
import type { ChunkedList } from '../../base/chunkedList.js';
import type { ChunkedMap } from '../../base/chunkedMap.js';
import type { NoticeAction, TranscriptEntry } from '../../protocol/agentProtocol.js';
import type { TodoView } from '../../protocol/callWords.js';

export interface Transcript {
  readonly entries: ChunkedList<TranscriptEntry>;
  /** Index of the first entry of the run under way; what stands before it is closed. */
  readonly runStart: number;
  /** Entry of the assistant message that is being received. */
  readonly streamingId?: string;
  /** Entry of the assistant message that was received last, if it has one. */
  readonly answerId?: string | undefined;
  /** Latest entry of each tool call, by the call's id. */
  readonly toolEntryIds: ChunkedMap<string>;
  /** Entries of calls that run as tasks, which may outlast the run. */
  readonly taskEntryIds: ChunkedMap<string>;
  /** Held back until it is known that no retry follows. */
  readonly pendingError?: string | undefined;
  /** The error is that a request is too long although it was summarized for it. */
  readonly isTooLongStill?: true | undefined;
  /** Entry that says that a request is sent again. */
  readonly retryId?: string | undefined;
  /** Entry that says that the conversation is being summarized. */
  readonly compactionId?: string | undefined;
  /** Entry of what the user runs by themselves, beside all runs. */
  readonly commandId?: string | undefined;
  /** The latest message of the user, as Pi stores it. */
  readonly requestId?: string | undefined;
  readonly run: RunFacts;
  /** The list that the model keeps. */
  readonly todo?: TodoView;
  /** The run under way was ended, and by whom. */
  readonly stopped?: 'user' | 'window' | undefined;
}

/** Of the run under way. */
export interface RunFacts {
  /** When the request was stored, in milliseconds since the epoch. */
  readonly requestAt?: number | undefined;
  readonly answerAt?: number | undefined;
  /** In dollars, as far as the provider tells. */
  readonly cost: number;
  /** Tokens. */
  readonly sent: number;
  readonly received: number;
  /** Since when a call waits for the user. */
  readonly askedAt?: number | undefined;
  readonly waitedMs: number;
}

const idPrefix = 'entry-';

type NewEntry = TranscriptEntry extends infer E
  ? E extends TranscriptEntry
    ? Omit<E, 'id'>
    : never
  : never;

export function addNotice(
  transcript: Transcript,
  level: 'info' | 'error',
  text: string,
  actions?: readonly NoticeAction[],
): Transcript {
  return append(transcript, { kind: 'notice', level, text, ...(actions && { actions }) });
}

/** Says why there is no whole answer to the latest message of the user, which may be sent again. */
export function addUnanswered(
  transcript: Transcript,
  notice: Omit<Extract<NewEntry, { kind: 'notice' }>, 'kind' | 'branch'>,
): Transcript {
  const { requestId: request } = transcript;
  const canContinue = isPartlyAnswered(transcript) && { canContinue: true as const };
  const branch = request !== undefined && { branch: { request, ...canContinue } };
  return append(transcript, { kind: 'notice', ...notice, ...branch });
}

/** The model has done something since the latest message of the user. */
function isPartlyAnswered({ entries }: Transcript): boolean {
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries.at(index);
    if (entry?.kind === 'user') {
      return false;
    }
    if (isCallOfModel(entry) || (entry?.kind === 'assistant' && entry.text !== '')) {
      return true;
    }
  }
  return false;
}

export function isCallOfModel(
  entry: TranscriptEntry | undefined,
): entry is Extract<TranscriptEntry, { kind: 'tool' }> {
  return entry?.kind === 'tool' && !entry.byUser;
}

export function append(transcript: Transcript, entry: NewEntry): Transcript {
  const added = { ...entry, id: nextEntryId(transcript) };
  return { ...transcript, entries: transcript.entries.append(added) };
}

export function updateEntry(
  transcript: Transcript,
  id: string,
  change: (entry: TranscriptEntry) => TranscriptEntry,
): Transcript {
  const index = indexOfEntry(id);
  const entries = transcript.entries.update(change, index, index + 1);
  return entries === transcript.entries ? transcript : { ...transcript, entries };
}

export function entryOf(transcript: Transcript, id: string): TranscriptEntry | undefined {
  return transcript.entries.at(indexOfEntry(id));
}

/** Id of the entry that is appended next: entries never move and never vanish, so the id says the place. */
export function nextEntryId({ entries }: Transcript): string {
  return `${idPrefix}${entries.length + 1}`;
}

/** Where the entry of an id is; no number for an id that is none. */
export function indexOfEntry(id: string): number {
  return Number(id.slice(idPrefix.length)) - 1;
}
