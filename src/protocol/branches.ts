/** Messages in the tree of their conversation, as the agent's page knows them. */
import type { MessageMap } from './messages.js';

/** A message of the user in the file of its conversation. */
export interface SentMessage {
  readonly id: string;
  /** Where it stands among those that were sent in its place; absent when it is the only one. */
  readonly branch?: {
    /** From 1. */
    readonly at: number;
    readonly of: number;
  };
}

/** An answer in the file of its conversation. */
export interface AnswerMessage {
  readonly id: string;
  /** The message of the user that it answers. */
  readonly request?: string;
}

/** Where a conversation may go on from a notice. */
export interface NoticeBranch {
  /** The message of the user that got no whole answer, and may be sent again. */
  readonly request?: string;
  /** Part of the answer is there, and the model may go on from it. */
  readonly canContinue?: true;
  /** The message of the user with which begins what was said after this place. */
  readonly next?: string;
}

export const branchSteps = ['previous', 'itself', 'next'] as const;
/** Of the messages that were sent in the place of one. */
export type BranchStep = (typeof branchSteps)[number];

/** `id`: of a message of the user. Whatever they do, what was said before stays a branch. */
export interface BranchRequests extends MessageMap {
  /** Shows another message that was sent in the place of this one, or itself, with what followed it. @returns which */
  showBranch: { params: { id: string; step: BranchStep }; result: { id: string } };
  /** The words of a message, to be changed. */
  editMessage: { params: { id: string }; result: { text: string } };
  /**
   * Sends a message again in its place. `text`: default: its own words; `isStopping`: ends what runs for it; with
   * a text, `removed`: places of its attachments, and what was attached to it joins.
   */
  resend: {
    params: { id: string; text?: string; isStopping?: boolean; removed?: readonly number[] };
    result: { isSent: boolean };
  };
  /** Goes on with a copy of what was said up to this message, or up to this answer. */
  forkFrom: { params: { id: string }; result: undefined };
}
