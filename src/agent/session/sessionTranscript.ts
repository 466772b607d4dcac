/** The transcript of an open conversation. Keeps in Pi's file what Pi does not keep there by itself. */
import type { PiExtensionApi, PiSessionEntry } from '../pi/piModule.js';
import { addNotice, type Transcript } from '../transcript/entries.js';
import {
  emptyTranscript,
  type McpLookup,
  reduceTranscript,
  type TranscriptInput,
} from '../transcript/transcript.js';
import { journalEntry, journalInputOf } from './stored/journal.js';
import { restoreTranscript } from './stored/restoreTranscript.js';

export interface SessionTranscriptOptions {
  /** Of a session before this one, which ended in this window. */
  readonly resumed: Transcript | undefined;
  readonly mcpCall: McpLookup;
  readonly onDidChange: () => void;
  /** Of what could not be kept: a full disk must not end the run. */
  readonly onError: (error: unknown) => void;
}

export class SessionTranscript {
  private current: Transcript;
  private file: Pick<PiExtensionApi, 'appendEntry'> | undefined;

  constructor(private readonly options: SessionTranscriptOptions) {
    const { resumed } = options;
    this.current = resumed
      ? reduceTranscript(resumed, { type: 'tasks_lost' }, () => undefined)
      : emptyTranscript;
  }

  get value(): Transcript {
    return this.current;
  }

  /** Reads the entries of Pi's file, unless the session before was in this window. */
  async restore(entries: readonly PiSessionEntry[]): Promise<void> {
    if (this.current === emptyTranscript && entries.length > 0) {
      this.current = await restoreTranscript(entries, this.options.mcpCall);
    }
  }

  /** Shows a full sentence that is of this window alone. */
  addNotice(text: string): void {
    this.current = addNotice(this.current, 'info', text);
  }

  /** From here on what happens is kept; `undefined`: no more. */
  keepIn(file: Pick<PiExtensionApi, 'appendEntry'> | undefined): void {
    this.file = file;
  }

  apply(input: TranscriptInput): void {
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

  private keep(input: TranscriptInput): void {
    const kept = journalInputOf(input);
    if (kept) {
      try {
        this.file?.appendEntry(journalEntry, kept);
      } catch (error) {
        this.options.onError(error);
      }
    }
  }
}
