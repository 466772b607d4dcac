/** Allows calls like one that ran, and takes rules away, from its card. */
import type { RuleChangeView, RuleScope } from '../../../protocol/tools/approvalRules.js';
import type { PageAccess, RuleState, Send } from '../pageState.js';

export class CallRulesCard {
  constructor(private readonly page: PageAccess) {}

  async offerScopes(entryId: string): Promise<void> {
    await this.page.run(async (send) => {
      const { scopes } = await send('readScopes', { entryId });
      this.set({ entryId, scopes });
    });
  }

  async allow(entryId: string, scope: RuleScope): Promise<void> {
    await this.changed(entryId, (send) => send('allowLike', { entryId, scope }));
  }

  async remove(entryId: string): Promise<void> {
    await this.changed(entryId, (send) => send('removeRule', { entryId }));
  }

  async undo({ entryId, change }: RuleState): Promise<void> {
    if (change) {
      await this.changed(entryId, (send) => send('undoRuleChange', { undo: change.undo }));
    }
  }

  private async changed(
    entryId: string,
    make: (send: Send) => Promise<RuleChangeView>,
  ): Promise<void> {
    await this.page.run(async (send) => this.set({ entryId, change: await make(send) }));
  }

  private set(rules: RuleState): void {
    this.page.change({ rules });
  }
}
