/** What the user does with rules from the card of a call: allow calls like it, or take away what let it run. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type { TranscriptEntry } from '../../protocol/agentProtocol.js';
import type { RuleChangeView, RuleScope } from '../../protocol/tools/approvalRules.js';
import type { Approvals } from '../policy/approvals.js';
import { RuleBook, type StoredRules } from '../policy/rules/ruleBook.js';
import type { ToolIdentity } from '../policy/toolIdentity.js';
import { entryOf, type Transcript } from '../transcript/entries.js';
import type { SessionCalls } from './sessionCalls.js';

export interface CallRulesOptions {
  readonly transcript: () => Transcript;
  readonly calls: Pick<SessionCalls, 'describe'>;
  readonly approvals: Pick<Approvals, 'allow' | 'rules'>;
  readonly stored: readonly StoredRules[];
}

type ToolEntry = Extract<TranscriptEntry, { kind: 'tool' }>;

export class CallRules {
  private readonly book: RuleBook;

  constructor(private readonly options: CallRulesOptions) {
    this.book = new RuleBook(options.approvals.rules, options.stored);
  }

  /** Where calls like that of the entry can be allowed; none for those that are free anyway. */
  async scopesOf(entryId: string): Promise<readonly RuleScope[]> {
    const identity = await this.identify(this.entry(entryId));
    const isFree =
      identity?.allowedBy?.kind === 'reads' ||
      identity?.starts !== undefined ||
      identity?.guarded !== undefined;
    const { folder, everywhere } = identity?.allow ?? {};
    return identity && !isFree
      ? [
          'conversation',
          ...(folder ? ['folder' as const] : []),
          ...(everywhere ? ['everywhere' as const] : []),
        ]
      : [];
  }

  /** @throws {HumanError} when the tool is not there any more, or cannot be allowed there. */
  async allowLike(entryId: string, scope: RuleScope): Promise<RuleChangeView> {
    const entry = this.entry(entryId);
    const identity = await this.identify(entry);
    const place = scope === 'conversation' ? 'session' : scope;
    const rules = identity ? this.options.approvals.allow(entry.tool, identity, place) : [];
    if (rules.length === 0) {
      throw new HumanError('rule_gone', l10n.t('This is not there any more.'));
    }
    return this.book.made(rules);
  }

  /** @throws {HumanError} when no rule let it run, or the rule is gone. */
  async removeRule(entryId: string): Promise<RuleChangeView> {
    const { ran } = this.entry(entryId).why ?? {};
    const many = ran?.kind === 'user' || ran?.kind === 'commands' ? (ran.rules ?? []) : [];
    return await this.book.remove(ran?.kind === 'rule' ? [ran.rule] : many);
  }

  undo(token: string): Promise<RuleChangeView> {
    return this.book.undo(token);
  }

  private entry(id: string): ToolEntry {
    const entry = entryOf(this.options.transcript(), id);
    if (entry?.kind !== 'tool') {
      throw new HumanError('rule_gone', l10n.t('This is not there any more.'));
    }
    return entry;
  }

  /** Of the call as it would be made now; `undefined` when it could not be. */
  private async identify({ tool, args, change }: ToolEntry): Promise<ToolIdentity | undefined> {
    const made: unknown = args === '' ? { path: change?.path } : JSON.parse(args);
    const { identity, refusal } = await this.options.calls.describe(tool, made);
    return refusal === undefined ? identity : undefined;
  }
}
