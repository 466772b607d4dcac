/** What the agent does to files, as the page shows it. */
import type { MessageMap } from './messages.js';

export interface DiffLine {
  /** Of both texts, of the new one alone, or of the old one alone. */
  readonly kind: 'same' | 'added' | 'removed';
  /** In the new text, or in the old one for a removed line. Absent where it is not known. */
  readonly number?: number;
  /** Without its line break; what hides text is escaped. */
  readonly text: string;
}

/** The change of one file by one call, or what the call would change. */
export interface FileChangeView {
  /** As the model wrote it; what hides text is escaped. */
  readonly path: string;
  /** `write`: whether there was a file is not known. */
  readonly kind: 'edit' | 'create' | 'overwrite' | 'write';
  readonly added: number;
  readonly removed: number;
  /** Parts of the file that differ, each with some lines around it. */
  readonly hunks: readonly (readonly DiffLine[])[];
  /** Lines that are left out. */
  readonly omitted: number;
  /** What the lines do not show, as sentences. */
  readonly notes: readonly string[];
  /** Of the call that made the change, which can be opened whole. */
  readonly callId?: string;
}

/** A file that the agent changed and the user has neither kept nor undone. */
export interface ChangedFileView {
  /** Absolute path. */
  readonly id: string;
  /** Relative to the folder where it is in it; what hides text is escaped. */
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  /** `gone`: somebody deleted or moved it since; `unknown`: it cannot be compared, so that there is no undo. */
  readonly kind: 'edited' | 'created' | 'gone' | 'unknown';
  /** Others changed the same lines since: an undo asks. */
  readonly isMixed: boolean;
  readonly isOfLastRun: boolean;
  /** Title of another conversation that has written it since. */
  readonly sharedWith?: string;
}

/** What is under review. */
export interface ChangesView {
  /** The first ones. */
  readonly files: readonly ChangedFileView[];
  /** Files beyond those. */
  readonly more: number;
  readonly added: number;
  readonly removed: number;
  /** Calls whose changes nobody recorded, as a sentence. */
  readonly uncovered?: string;
  /** Files that a redo would write. */
  readonly undone: number;
  /** A redo would take the conversation to where it was. */
  readonly isConversationLeft?: true;
  /** Some files are of earlier runs only, so that the last run can be undone alone. */
  readonly canUndoRun: boolean;
  /** Another one whenever something was changed. */
  readonly stamp: number;
}

/** A part of a changed file. */
export interface HunkView {
  readonly id: string;
  readonly lines: readonly DiffLine[];
  readonly isMixed: boolean;
}

export const changeActions = ['review', 'keep', 'undo', 'undoRun', 'redo', 'openDiff'] as const;
export type ChangeAction = (typeof changeActions)[number];

export interface ChangeRequests extends MessageMap {
  /** Shows what a call makes of a file, whole; of one that waits for approval, what it would make. */
  openDiff: { params: { callId?: string; approvalId?: string }; result: undefined };
  /** `id`: of one file; default: all that are under review. */
  changes: { params: { action: ChangeAction; id?: string }; result: undefined };
  changedFile: { params: { id: string }; result: readonly HunkView[] };
  /** @returns through a new state; a part that is not there any more is left alone. */
  hunk: { params: { action: 'keep' | 'undo'; id: string; hunk: string }; result: undefined };
}
