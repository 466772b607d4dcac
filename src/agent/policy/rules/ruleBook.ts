/** Takes away and brings back the rules that hold in one conversation, wherever each is kept. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../../base/errors.js';
import type { RuleChangeView, RuleView } from '../../../protocol/tools/approvalRules.js';
import type { SessionRules } from './sessionRules.js';

/** Rules that outlive conversations. */
export interface StoredRules {
  /**
   * @returns what brings the rule back; `undefined` when it is none of these or not there.
   * @throws {HumanError} when it could not be saved.
   */
  removeRule(id: string): Promise<(() => Promise<void>) | undefined>;
}

/** Changes that can be taken back. */
const maxUndone = 50;

export class RuleBook {
  private readonly undone = new Map</* token */ string, () => Promise<RuleChangeView>>();

  constructor(
    private readonly session: Pick<SessionRules, 'remove'>,
    private readonly stored: readonly StoredRules[],
  ) {}

  /** @throws {HumanError} when it is gone already, or could not be saved. */
  async remove(rules: readonly RuleView[]): Promise<RuleChangeView> {
    const removed: { readonly rule: RuleView; readonly restore: () => Promise<void> | void }[] = [];
    for (const rule of rules) {
      const restore = await this.take(rule.id);
      if (restore) {
        removed.push({ rule, restore });
      }
    }
    if (removed.length === 0) {
      throw new HumanError('rule_gone', l10n.t('This is not there any more.'));
    }
    const gone = removed.map(({ rule }) => rule);
    return this.told('removed', gone, async () => {
      for (const { restore } of removed) {
        await restore();
      }
      return this.told('restored', gone, () => this.remove(gone));
    });
  }

  /** Says of rules that the user has just made that they can be taken back. */
  made(rules: readonly RuleView[]): RuleChangeView {
    return this.told('allowed', rules, () => this.remove(rules));
  }

  /** @throws {HumanError} when there is nothing to take back. */
  async undo(token: string): Promise<RuleChangeView> {
    const undo = this.undone.get(token);
    if (!undo) {
      throw new HumanError('rule_gone', l10n.t('This is not there any more.'));
    }
    this.undone.delete(token);
    return await undo();
  }

  private async take(id: string): Promise<(() => Promise<void> | void) | undefined> {
    const ofSession = this.session.remove(id);
    if (ofSession) {
      return ofSession;
    }
    for (const stored of this.stored) {
      const restore = await stored.removeRule(id);
      if (restore) {
        return restore;
      }
    }
    return undefined;
  }

  private told(
    change: RuleChangeView['change'],
    rules: readonly RuleView[],
    undo: () => Promise<RuleChangeView>,
  ): RuleChangeView {
    const token = randomUUID();
    this.undone.set(token, undo);
    for (const oldest of [...this.undone.keys()].slice(0, -maxUndone)) {
      this.undone.delete(oldest);
    }
    return { change, rules, undo: token };
  }
}
