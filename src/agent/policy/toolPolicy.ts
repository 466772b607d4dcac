import { toDisposable } from '../../base/disposable.js';
import type { ObservableValue } from '../../base/valueEmitter.js';
import type { ToolProfiles } from '../../mcp/catalog/records/toolProfiles.js';
import type { ToolStatistics } from '../../mcp/catalog/records/toolStatistics.js';
import type { ToolSwitches } from '../../mcp/catalog/records/toolSwitches.js';
import type { ApprovalStore } from './approvalStore.js';
import type { StoredRules } from './rules/ruleBook.js';
import type { RuleUses } from './rules/ruleUses.js';
import type { SetAsideTools } from './setAsideTools.js';
import type { CommandRuleStore } from './shell/commandRuleStore.js';

/** The user's choices that decide how tools reach the model. */
export interface ToolPolicy {
  /** Tokens of direct tools up to which `auto` is direct. */
  readonly budget: ObservableValue<number>;
  readonly switches: Pick<ToolSwitches, 'isOn' | 'onDidChange'>;
  /** Which of them profiles leave in; what `switches` says has that of the folder in it. Default: there are none. */
  readonly profiles?: ToolProfiles;
  /** What was allowed always. Default: "always" is not offered. */
  readonly approvals?: ApprovalStore;
  /** Commands that were allowed in folders and everywhere. Default: neither is offered. */
  readonly commands?: CommandRuleStore;
  /** When those rules let calls run. Default: nobody keeps it. */
  readonly uses?: RuleUses;
  /** Default: what is set aside shows in its conversation alone. */
  readonly setAside?: SetAsideTools;
  /** Patterns of calls that ask in every mode. Default: none. */
  readonly alwaysAsk?: () => readonly string[];
  /** Default: nobody counts. */
  readonly statistics?: ToolStatistics;
  /** Default: a run goes on for as long as the model wants. */
  readonly spending?: SpendingPolicy;
}

/** Where a run stops until the user lets it go on; 0: nowhere. */
export interface SpendingPolicy {
  /** That a conversation may cost. */
  readonly dollars: ObservableValue<number>;
  /** That a run may send. */
  readonly requests: ObservableValue<number>;
}

/** The rules that outlive a conversation. */
export function storedRules(policy: ToolPolicy | undefined): readonly StoredRules[] {
  const { approvals, commands } = policy ?? {};
  return [...(approvals ? [approvals] : []), ...(commands ? [commands] : [])];
}

/** Tokens that the search for tools costs by itself; a smaller set of tools is better given directly. */
const defaultToolBudget = 1_500;

export const defaultToolPolicy: ToolPolicy = {
  budget: { value: defaultToolBudget, onDidChange: () => toDisposable(() => undefined) },
  switches: { isOn: () => true, onDidChange: () => toDisposable(() => undefined) },
};
