/** The transcript of an open conversation. Keeps in Pi's file what Pi does not keep there by itself. */
import type { ActivityView } from '../../protocol/agent/activity.js';
import type { NoticeAction } from '../../protocol/agentProtocol.js';
import { ConversationTree } from '../branches/tree.js';
import { Activity } from '../context/activity.js';
import { journalInputOf } from '../conversations/journal.js';
import { journalEntry } from '../conversations/storedEntry.js';
import type { PiExtensionApi, PiSessionManager } from '../pi/piModule.js';
import { keepUserCommand } from '../transcript/calls/userCommand.js';
import { addNotice, entryOf, type Transcript } from '../transcript/entries.js';
import {
  emptyTranscript,
  type McpLookup,
  reduceTranscript,
  type TranscriptInput,
} from '../transcript/transcript.js';
import { openTasks } from './stored/openTasks.js';
import { restoreTranscript } from './stored/restoreTranscript.js';
import { ThoughtTimes } from './times.js';

export interface SessionTranscriptOptions {
  /** Of a session before this one, which ended in this window. */
  readonly resumed: Transcript | undefined;
  readonly mcpCall: McpLookup;
  /** Whether the whole result of a call can still be opened. */
  readonly isKept: (callId: string) => boolean;
  /** Milliseconds without anything after which Pi gives a request up. */
  readonly idleTimeoutMs: () => number;
  readonly onDidChange: () => void;
  /** Of what could not be kept: a full disk must not end the run. */
  readonly onError: (error: unknown) => void;
}

export class SessionTranscript {
  private current: Transcript;
  private file: Pick<PiExtensionApi, 'appendEntry'> | undefined;
  private readonly thoughts = new ThoughtTimes();
  private readonly activities: Activity;

  constructor(private readonly options: SessionTranscriptOptions) {
    this.current = options.resumed ?? emptyTranscript;
    const { idleTimeoutMs, onDidChange } = options;
    const transcript = () => this.current;
    this.activities = new Activity({ transcript, idleTimeoutMs, onDidChange });
  }

  get value(): Transcript {
    return this.current;
  }

  get activity(): ActivityView | undefined {
    return this.activities.view;
  }

  /** Reads the entries of Pi's file, unless the session before was in this window. */
  async restore(file: PiSessionManager): Promise<void> {
    const { resumed, mcpCall } = this.options;
    if (resumed) {
      const except = new Set(openTasks(file.getBranch()).map(({ callId }) => callId));
      this.current = reduceTranscript(resumed, { type: 'tasks_lost', except }, mcpCall);
    } else if (file.getLeafId() !== null) {
      this.current = await this.read(file, false);
    }
  }

  /** The file is in another branch. @param isQuiet says nothing of what was said after the place */
  async follow(file: PiSessionManager, isQuiet: boolean): Promise<void> {
    const next = await this.read(file, isQuiet);
    this.current = keepUserCommand(this.current, next);
  }

  /** Shows a full sentence that is of this window alone. */
  addNotice(text: string, actions?: readonly NoticeAction[]): void {
    this.current = addNotice(this.current, 'info', text, actions);
  }

  /** From here on what happens is kept; `undefined`: no more. */
  keepIn(file: Pick<PiExtensionApi, 'appendEntry'> | undefined): void {
    this.file = file;
    this.activities.end();
  }

  apply(input: TranscriptInput): void {
    this.reduce(input.type === 'tool_gate' ? { ...input, at: Date.now() } : input);
    this.activities.follow(input);
    if (input.type === 'message_stored') {
      const ms = input.role === 'assistant' ? this.thoughts.take() : undefined;
      if (ms !== undefined) {
        this.reduce({ type: 'thought', ms });
      }
    } else if (
      input.type === 'message_start' ||
      input.type === 'message_update' ||
      input.type === 'message_end'
    ) {
      this.thoughts.follow(input);
    }
  }

  private reduce(input: TranscriptInput): void {
    this.keep(input);
    const next = reduceTranscript(this.current, input, this.options.mcpCall);
    if (next !== this.current) {
      this.current = next;
      this.options.onDidChange();
    }
  }

  /** Of a run under way, whose session ends now. */
  keepInterrupted(): void {
    if (!this.current.stopped) {
      this.keep({ type: 'interrupted' });
    }
  }

  /** Id of the call that an entry shows. */
  callOf(entryId: string): string | undefined {
    return [...this.current.toolEntryIds].find(([, id]) => id === entryId)?.[0];
  }

  private async read(file: PiSessionManager, isQuiet: boolean): Promise<Transcript> {
    const { mcpCall, isKept } = this.options;
    const tree = new ConversationTree(file.getEntries());
    return await restoreTranscript(file.getBranch(), mcpCall, { tree, isKept, isQuiet });
  }

  private isAsked(input: TranscriptInput): boolean {
    const callId = input.type === 'tool_gate' ? input.toolCallId : '';
    const entryId = this.current.toolEntryIds.get(callId);
    const entry = entryId === undefined ? undefined : entryOf(this.current, entryId);
    return entry?.kind === 'tool' && entry.status === 'awaiting_approval';
  }

  private keep(input: TranscriptInput): void {
    const kept = journalInputOf(input, this.isAsked(input));
    if (kept) {
      try {
        this.file?.appendEntry(journalEntry, kept);
      } catch (error) {
        this.options.onError(error);
      }
    }
  }
}
