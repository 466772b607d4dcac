/** What a conversation is at, from what happens in it. */
import { showHiddenInLine } from '../../base/text/showHidden.js';
import type { ActivityKind, ActivityView } from '../../protocol/agent/activity.js';
import type { TranscriptEntry } from '../../protocol/agentProtocol.js';
import type { PiEvent } from '../pi/piModule.js';
import { entryOf, type Transcript } from '../transcript/entries.js';
import type { TranscriptInput } from '../transcript/transcript.js';

type ToolEntry = Extract<TranscriptEntry, { kind: 'tool' }>;
type Update = Extract<PiEvent, { type: 'message_update' }>;

/** What the events alone say. */
type Phase = Pick<ActivityView, 'kind' | 'label' | 'count' | 'of' | 'until'>;

/** Milliseconds without anything of an answer that has begun. */
const stalledMs = 15_000;
/** Milliseconds between two states of one kind. */
const betweenMs = 1_000;
const maxLabel = 120;
/** About so many characters are one token. */
const perToken = 4;

const streaming: ReadonlySet<ActivityKind> = new Set(['thinking', 'writing', 'preparing']);

export interface ActivityParts {
  readonly transcript: () => Transcript;
  /** Milliseconds without anything after which Pi gives a request up. */
  readonly idleTimeoutMs: () => number;
  readonly onDidChange: () => void;
}

export class Activity {
  private shown: ActivityView | undefined;
  private sentAt = 0;
  private begun: number | undefined;
  private phase: Phase | undefined;
  /** Of a phase whose words grow. */
  private detail: (() => Pick<ActivityView, 'label' | 'count'>) | undefined;
  private isStopping = false;
  private isCompacting = false;
  private lastByte = 0;
  private tokensIn = 0;
  private tokensOut = 0;
  /** Characters of the message that is being received. */
  private received = 0;
  private readonly running = new Set</* tool call id */ string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly parts: ActivityParts) {}

  /** `undefined` while nothing happens. */
  get view(): ActivityView | undefined {
    return this.shown;
  }

  /** After the transcript has taken the input up. */
  follow(input: TranscriptInput): void {
    switch (input.type) {
      case 'sending':
      case 'agent_start':
        // what is sent into a run changes nothing of it
        this.begin();
        break;
      case 'turn_start':
        this.phase = { kind: 'waiting' };
        this.received = 0;
        break;
      case 'message_update':
        this.lastByte = Date.now();
        this.followUpdate(input);
        break;
      case 'message_end':
        this.followMessage(input);
        break;
      case 'tool_execution_start':
        this.running.add(input.toolCallId);
        break;
      case 'tool_execution_end':
        this.running.delete(input.toolCallId);
        break;
      case 'compaction_start':
        this.begin();
        this.isCompacting = true;
        break;
      case 'compaction_end':
        this.isCompacting = false;
        this.phase = { kind: 'waiting' };
        if (input.reason === 'manual') {
          this.end();
        }
        break;
      case 'user_stop':
        this.isStopping = true;
        break;
      case 'not_sent':
        if (this.phase?.kind === 'sending') {
          this.end();
        }
        break;
      case 'agent_settled':
        this.end();
        break;
      default:
    }
    this.update();
  }

  /** Nothing is told any more. */
  end(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.begun = undefined;
    this.phase = undefined;
    this.isStopping = false;
    this.isCompacting = false;
    this.running.clear();
  }

  private begin(): void {
    if (this.begun !== undefined) {
      return;
    }
    this.begun = Date.now();
    this.phase = { kind: 'sending' };
    this.tokensIn = 0;
    this.tokensOut = 0;
    this.received = 0;
  }

  private followUpdate({ message, assistantMessageEvent: event }: Update): void {
    if (message.role !== 'assistant' || !('contentIndex' in event)) {
      return;
    }
    if ('delta' in event) {
      this.received += event.delta.length;
    }
    const block = message.content[event.contentIndex];
    // what it says is looked at once a second
    switch (block?.type) {
      case 'thinking':
        this.phase = { kind: 'thinking' };
        this.detail = () => ({ label: lastLine(block.thinking) });
        break;
      case 'text':
        this.phase = { kind: 'writing' };
        this.detail = undefined;
        break;
      case 'toolCall':
        this.phase = { kind: 'preparing' };
        this.detail = () => preparedBy(block.name, block.arguments);
        break;
      default:
    }
  }

  private followMessage({ message }: Extract<PiEvent, { type: 'message_end' }>): void {
    if (message.role === 'assistant') {
      const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = message.usage ?? {};
      this.tokensIn += input + cacheRead + cacheWrite;
      this.tokensOut += output;
      this.received = 0;
      this.phase = { kind: 'waiting' };
    }
  }

  private update(): void {
    const now = Date.now();
    const phase = this.begun === undefined ? undefined : this.phaseAt(now);
    const { shown } = this;
    const isSame = phase !== undefined && shown !== undefined && keyOf(phase) === keyOf(shown);
    if (isSame && now - this.sentAt < betweenMs) {
      this.tick();
      return;
    }
    const next =
      phase && this.begun !== undefined
        ? {
            ...phase,
            ...this.detailOf(phase),
            since: isSame ? shown.since : now,
            begun: this.begun,
            ...this.tokens,
          }
        : undefined;
    if (JSON.stringify(next) !== JSON.stringify(shown)) {
      this.shown = next;
      this.sentAt = now;
      this.parts.onDidChange();
    }
    this.tick();
  }

  private detailOf({ kind }: Phase): Pick<ActivityView, 'label' | 'count'> | undefined {
    return streaming.has(kind) ? this.detail?.() : undefined;
  }

  private get tokens(): Pick<ActivityView, 'tokensIn' | 'tokensOut'> {
    const out = this.tokensOut + Math.round(this.received / perToken);
    return { tokensIn: this.tokensIn || undefined, tokensOut: out || undefined };
  }

  /** While an answer comes, what it is at is told once a second, and that nothing comes any more. */
  private tick(): void {
    if (this.phase && streaming.has(this.phase.kind) && this.begun !== undefined) {
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        this.update();
      }, betweenMs);
    }
  }

  /** What waits for the user comes first, then what Pi itself waits for. */
  private phaseAt(now: number): Phase | undefined {
    if (this.isStopping) {
      return { kind: 'stopping' };
    }
    const transcript = this.parts.transcript();
    const calls = [...this.running].flatMap((id) => callOf(transcript, id) ?? []);
    const asked = calls.filter(({ status }) => status === 'awaiting_approval');
    if (asked[0]) {
      return { kind: 'approval', label: callLabel(asked[0]), count: asked.length };
    }
    const reviewed = calls.find(({ awaitsReview }) => awaitsReview);
    if (reviewed) {
      return { kind: 'review', label: callLabel(reviewed) };
    }
    const retry = transcript.retryId && entryOf(transcript, transcript.retryId);
    if (retry && retry.kind === 'retry' && retry.until !== undefined) {
      const { text: label, attempt: count, of, until } = retry;
      return { kind: 'retrying', label, count, of, until };
    }
    if (this.isCompacting) {
      return { kind: 'compacting' };
    }
    const [running] = calls.slice(-1);
    if (running) {
      return { kind: 'running', label: callLabel(running), count: calls.length };
    }
    const { phase, lastByte } = this;
    return phase && streaming.has(phase.kind) && now - lastByte >= stalledMs
      ? { kind: 'stalled', until: lastByte + this.parts.idleTimeoutMs() }
      : phase;
  }
}

/** States that differ in more than what a second brings. */
function keyOf({ kind, label = '', count = 0 }: Phase): string {
  return streaming.has(kind) ? kind : `${kind}\n${label}\n${count}`;
}

function callOf(transcript: Transcript, callId: string): ToolEntry | undefined {
  const id = transcript.toolEntryIds.get(callId);
  const entry = id === undefined ? undefined : entryOf(transcript, id);
  return entry?.kind === 'tool' ? entry : undefined;
}

/** What a call is about, in as few words as a line has room for. */
function callLabel({ tool, mcp, change, words }: ToolEntry): string {
  return oneLine(change?.path ?? mcp?.tool ?? subjectOf(words) ?? tool);
}

function subjectOf(words: ToolEntry['words']): string | undefined {
  switch (words?.kind) {
    case 'command':
      return words.command;
    case 'read':
    case 'list':
      return words.path;
    case 'grep':
    case 'find':
      return words.pattern;
    case 'tools':
      return words.query;
    case 'plan':
      return words.title;
    default:
      return undefined;
  }
}

/** Of arguments that are not whole yet. */
function preparedBy(tool: string, args: unknown): Pick<ActivityView, 'label' | 'count'> {
  const { path, content, command } = (args ?? {}) as Record<string, unknown>;
  const label = [path, command].find((one) => typeof one === 'string' && one !== '');
  return {
    label: oneLine(typeof label === 'string' ? label : tool),
    count: typeof content === 'string' ? content.split('\n').length : undefined,
  };
}

function lastLine(text: string): string | undefined {
  const end = text.trimEnd();
  const line = end.slice(end.lastIndexOf('\n') + 1).trim();
  return line === '' ? undefined : oneLine(line);
}

function oneLine(text: string): string {
  const [first = '', ...more] = text.trim().split('\n');
  const isCut = first.length > maxLabel || more.length > 0;
  return showHiddenInLine(isCut ? `${first.slice(0, maxLabel)}…` : first);
}
