/** One conversation that is live, whether it is shown or goes on behind another one. */
import { basename } from 'node:path';
import type { Disposable } from '../../base/disposable.js';
import type { Event } from '../../base/event.js';
import type { McpServerId } from '../../config/definition.js';
import type { ConversationState } from '../conversations/conversationEnd.js';
import { conversationTitle } from '../conversations/title.js';
import type { AgentSession } from '../session/agentSession.js';
import type { Transcript } from '../transcript/entries.js';

/** Key of a folder's conversations; `noFolder` for a window without folders. */
export type FolderKey = string;
export const noFolder: FolderKey = '';

/** What servers ask the user. Nobody says which of the calls that wait for a server it is about: it may be any. */
export interface WaitingServers {
  readonly all: readonly { readonly server: McpServerId }[];
  readonly onDidChange: Event<void>;
}

/** Entries at the end of a transcript among which calls wait for a review: they are the last of their run. */
const maxReviewed = 50;

export class LiveConversation implements Disposable {
  /** Milliseconds since the epoch. */
  readonly openedAt = Date.now();
  /** Counts up: when it was shown last. */
  usedAt = 0;
  /** Counts up: since when it waits for the user. Absent while it does not. */
  waitingSince: number | undefined;

  /** Name of its file, unique among all conversations. */
  readonly id: string;

  constructor(
    readonly key: FolderKey,
    readonly session: AgentSession,
    private readonly subscription: Disposable,
    private readonly questions: WaitingServers,
  ) {
    this.id = basename(session.file ?? '');
  }

  /** What it is called; `undefined` before its first message. */
  get title(): string | undefined {
    const { conversation, transcript } = this.session;
    return conversation?.name ?? requestOf(transcript);
  }

  /** Questions to the user that stand between it and its next step. */
  get waiting(): number {
    const { approvals, bridge, isRunning, transcript } = this.session;
    const asked = this.questions.all.filter(({ server }) => bridge.caller.waitsFor(server));
    return approvals.open.length + asked.length + (isRunning ? reviewsIn(transcript) : 0);
  }

  /** @param tick counts up */
  followWaiting(tick: () => number): void {
    this.waitingSince = this.waiting > 0 ? (this.waitingSince ?? tick()) : undefined;
  }

  get state(): ConversationState {
    const { session } = this;
    if (this.waiting > 0) {
      return 'needs_you';
    }
    return session.isRunning || !session.queue.isAtRest
      ? 'working'
      : (session.conversation?.end ?? 'done');
  }

  /** Nothing of it runs, and nothing will without the user: it can be read from its file again. */
  get isAtRest(): boolean {
    const { session } = this;
    return (
      this.waiting === 0 &&
      !session.isRunning &&
      session.queue.isAtRest &&
      session.tasks.offered.length === 0 &&
      !session.builtInCalls.user.isRunning &&
      !session.conversation?.unsaved
    );
  }

  /** Nothing was said in it. */
  get isEmpty(): boolean {
    return this.session.transcript.entries.length === 0;
  }

  dispose(): void {
    this.subscription.dispose();
    this.session.dispose();
  }
}

function requestOf({ entries }: Transcript): string | undefined {
  for (const entry of entries) {
    if (entry.kind === 'user') {
      return conversationTitle(entry.text);
    }
  }
  return undefined;
}

function reviewsIn({ entries, runStart }: Transcript): number {
  let count = 0;
  for (let at = Math.max(runStart, entries.length - maxReviewed); at < entries.length; at++) {
    const entry = entries.at(at);
    count += entry?.kind === 'tool' && entry.awaitsReview ? 1 : 0;
  }
  return count;
}
