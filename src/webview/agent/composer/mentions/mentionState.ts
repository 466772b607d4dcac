import type { MentionView } from '../../../../protocol/attachments.js';

/** An `@` that is being written. */
export interface MentionMenu {
  /** The message in which it is written, one that the user changes. Absent: the next one. */
  readonly into: string | undefined;
  /** Where the `@` stands in the draft. */
  readonly from: number;
  /** What follows it up to the caret. */
  readonly query: string;
  readonly rows: readonly MentionView[];
  readonly index: number;
  /** The rows are those of an earlier query. */
  readonly isAsking: boolean;
}
