import type { MentionView } from '../../../../protocol/attachments.js';

/** An `@` that is being written. */
export interface MentionMenu {
  /** Where the `@` stands in the draft. */
  readonly from: number;
  /** What follows it up to the caret. */
  readonly query: string;
  readonly rows: readonly MentionView[];
  readonly index: number;
  /** The rows are those of an earlier query. */
  readonly isAsking: boolean;
}
