/** What the agent does to files, as the page shows it. */

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
