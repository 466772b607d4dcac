/** What the page has of the panel: changes go out in batches, and long conversations begin near their end. */
import type { ChunkedList } from '../../base/chunkedList.js';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type {
  AgentSnapshot,
  AgentViewState,
  GrownText,
  TranscriptChange,
  TranscriptEntry,
} from '../../protocol/agentProtocol.js';
import type { DraftView } from '../../protocol/drafts.js';
import { entryOf, indexOfEntry, type Transcript } from '../transcript/entries.js';
import { changedEntries, emptyTranscript } from '../transcript/transcript.js';

/** Milliseconds: about one frame and a half. */
const flushDelayMs = 25;
/** While an answer streams that is longer than this many characters, which takes longer to draw. */
const longAnswer = 32_000;
const longFlushDelayMs = 100;
/** Entries that the page gets at once. */
const pageLength = 100;
/** Entries before one that the page has to show. */
const entriesBefore = 20;
/** Entries up to which a branch is on the page from where the user left the other one. */
const longestBranch = 1_000;
/** Characters, images included, after which fewer entries are a page. */
const pageSize = 2_000_000;

export interface PanelSource {
  state(): AgentViewState;
  transcript(): Transcript;
  /** Tells conversations apart; empty while there is none. */
  conversation(): string;
  /** What the user has written there and not sent. */
  draft(): DraftView | undefined;
}

export class PanelFeed implements Disposable {
  private readonly store = new DisposableStore();
  private readonly stateEmitter = this.store.add(new Emitter<AgentViewState>());
  private readonly entriesEmitter = this.store.add(new Emitter<readonly TranscriptChange[]>());
  private readonly resetEmitter = this.store.add(new Emitter<AgentSnapshot>());
  private sent: Transcript = emptyTranscript;
  private sentState = '';
  /** Entries before this one are not on the page. */
  private first = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  readonly onDidChangeState = this.stateEmitter.event;
  readonly onDidChangeEntries = this.entriesEmitter.event;
  readonly onDidReset = this.resetEmitter.event;

  constructor(private readonly source: PanelSource) {}

  snapshot(): AgentSnapshot {
    const { entries } = this.source.transcript();
    const earlier = Math.min(this.first, entries.length);
    const draft = this.source.draft();
    return {
      draft,
      conversation: this.source.conversation(),
      state: this.source.state(),
      transcript: entries.slice(earlier),
      earlier,
    };
  }

  /** Lets the page have the entries before those that it has. */
  showEarlier(): AgentSnapshot {
    this.flushNow();
    this.first = pageStart(this.source.transcript().entries, this.first);
    return this.snapshot();
  }

  /** Takes what is far behind off the page, whose user looks at the end. */
  showLatest(): AgentSnapshot {
    this.flushNow();
    this.first = Math.max(this.first, pageStart(this.source.transcript().entries));
    return this.snapshot();
  }

  /** Lets the page have everything from an entry on, and a little before it. */
  showEntry(entryId: string): AgentSnapshot {
    this.flushNow();
    const index = indexOfEntry(entryId) || 0;
    this.first = Math.max(0, Math.min(this.first, index - entriesBefore));
    return this.snapshot();
  }

  requestFlush(): void {
    if (!this.store.isDisposed) {
      this.timer ??= setTimeout(() => this.flushNow(), this.delayMs());
    }
  }

  /** Another conversation, or one that is shown again: the page starts over near its end. */
  reset(): void {
    this.restart((entries) => pageStart(entries));
  }

  /** Another branch of the conversation: what the page had before it, it has again. */
  resetBranch(): void {
    const { first } = this;
    this.restart((entries) => {
      const start = pageStart(entries);
      return entries.length - first > longestBranch ? start : Math.min(first, start);
    });
  }

  private restart(startOf: (entries: ChunkedList<TranscriptEntry>) => number): void {
    if (this.store.isDisposed) {
      return;
    }
    clearTimeout(this.timer);
    this.timer = undefined;
    this.sent = this.source.transcript();
    this.first = startOf(this.sent.entries);
    const snapshot = this.snapshot();
    this.sentState = JSON.stringify(snapshot.state);
    this.resetEmitter.fire(snapshot);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.store.dispose();
  }

  private delayMs(): number {
    const { entries } = this.source.transcript();
    const last = entries.at(entries.length - 1);
    return last?.kind === 'assistant' && last.isStreaming && last.text.length > longAnswer
      ? longFlushDelayMs
      : flushDelayMs;
  }

  private flushNow(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const transcript = this.source.transcript();
    const entries = entryChanges(this.sent, transcript, this.first);
    this.sent = transcript;
    if (entries.length > 0) {
      this.entriesEmitter.fire(entries);
    }
    const state = this.source.state();
    const text = JSON.stringify(state);
    if (text !== this.sentState) {
      this.sentState = text;
      this.stateEmitter.fire(state);
    }
  }
}

/** Index of the first entry of the page that ends before `end`. */
function pageStart(entries: ChunkedList<TranscriptEntry>, end = entries.length): number {
  let size = 0;
  let first = Math.min(end, entries.length);
  const last = first;
  while (first > 0 && last - first < pageLength) {
    size += sizeOf(entries.at(first - 1));
    if (size > pageSize && first < last) {
      break;
    }
    first--;
  }
  return first;
}

function sizeOf(entry: TranscriptEntry | undefined): number {
  switch (entry?.kind) {
    case 'user':
    case 'notice':
    case 'compacting':
    case 'retry':
      return entry.text.length;
    case 'assistant':
      return entry.text.length + (entry.thinking?.length ?? 0);
    case 'tool':
      return entry.result.reduce(
        (size, block) => size + (block.kind === 'text' ? block.text : block.data).length,
        entry.args.length,
      );
    case 'compaction':
      return entry.summary.length;
    case undefined:
      return 0;
  }
}

/** What the page has to be told of a transcript that changed. @param first index of the first entry that it has */
export function entryChanges(
  before: Transcript,
  after: Transcript,
  first: number,
): readonly TranscriptChange[] {
  return changedEntries(before, after, first).map(
    (entry) => growthOf(entryOf(before, entry.id), entry) ?? entry,
  );
}

/** The end of a message comes whole, so that the page has it right whatever happened before. */
function growthOf(
  before: TranscriptEntry | undefined,
  after: TranscriptEntry,
): TranscriptChange | undefined {
  if (before?.kind !== 'assistant' || after.kind !== 'assistant' || !after.isStreaming) {
    return undefined;
  }
  const { id } = after;
  const text = grown(before.text, after.text);
  const thinking = grown(before.thinking ?? '', after.thinking ?? '');
  return before.isStreaming && text && thinking
    ? {
        id,
        kind: 'growth',
        text: text.added === '' ? undefined : text,
        thinking: thinking.added === '' ? undefined : thinking,
      }
    : undefined;
}

function grown(before: string, after: string): GrownText | undefined {
  return after.startsWith(before)
    ? { from: before.length, added: after.slice(before.length) }
    : undefined;
}
