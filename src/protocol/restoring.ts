/** Takes a conversation and its files back to an earlier moment, as the agent's page knows it. */
import type { MessageMap } from './messages.js';

/** What a restore would do to one file. */
export interface RestoredFileView {
  /** Absolute path. */
  readonly id: string;
  /** Relative to the folder where it is in it; what hides text is escaped. */
  readonly path: string;
  /** `left`: it cannot be restored. */
  readonly becomes: 'changed' | 'created' | 'deleted' | 'left';
  /** Lines. */
  readonly added: number;
  readonly removed: number;
  /** Sentences about what others wrote in it. */
  readonly remarks: readonly string[];
  /** Whether it is restored unless the user says otherwise: not where that replaces what others wrote. */
  readonly isChosen: boolean;
}

/** What a restore would do, before anything is done. */
export interface RestoreView {
  /** Of the checkpoint. */
  readonly id: string;
  /** The moment in words, one line. */
  readonly title: string;
  /** What there is to restore. */
  readonly parts: readonly RestorePart[];
  readonly files: readonly RestoredFileView[];
  /** Sentences about the files, such as what is not covered. */
  readonly notes: readonly string[];
  /** The files were changed while the user looked, so that this is another preview than the one before. */
  readonly isChanged: boolean;
  /** Another one for another preview. */
  readonly stamp: string;
}

export type RestorePart = 'files' | 'conversation';

export interface RestoreRequests extends MessageMap {
  /** Shows what a restore to before a message of the user would do, by its id. */
  showRestore: { params: { id: string }; result: undefined };
  leaveRestore: { params: undefined; result: undefined };
  /** What a file holds beside what it would. */
  showRestoreDiff: { params: { id: string }; result: undefined };
  /**
   * Does what was shown. Ends what runs. `restored`, `left`: files that the user chose otherwise, by id.
   */
  restore: {
    params: {
      stamp: string;
      files: boolean;
      conversation: boolean;
      restored: readonly string[];
      left: readonly string[];
    };
    /** `isDone`: false when there is another preview to look at. `draft`: the message, to be sent in other words. */
    result: { isDone: boolean; draft?: string };
  };
}
