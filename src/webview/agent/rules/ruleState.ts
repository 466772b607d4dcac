import type { RuleChangeView, RuleScope } from '../../../protocol/tools/approvalRules.js';

/** What the user does with rules from the card of one call. */
export interface RuleState {
  readonly entryId: string;
  /** Where calls like it can be allowed; absent until the user wants to know. */
  readonly scopes?: readonly RuleScope[] | undefined;
  /** What was done last. */
  readonly change?: RuleChangeView | undefined;
}
