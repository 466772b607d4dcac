/** Commands that the user allowed in a folder or everywhere. Shared by all windows. */
import { GrantStore } from '../../../platform/stores/recordStore.js';
import type { StorePlace } from '../../../platform/stores/sharedStore.js';
import type { RuleView } from '../../../protocol/tools/approvalRules.js';
import type { StoredRules } from '../rules/ruleBook.js';
import type { CommandPattern } from './commandRules.js';

interface CommandKey extends CommandPattern {
  /** `undefined`: in every folder. */
  readonly folderUri: string | undefined;
}

interface AllowedCommand extends CommandKey {
  /** ISO 8601. */
  readonly allowedAt: string;
}

export class CommandRuleStore
  extends GrantStore<CommandKey, AllowedCommand & Record<string, unknown>>
  implements StoredRules
{
  constructor(place: StorePlace) {
    super(place, {
      fileName: 'command-rules.json',
      keyOf,
      texts: ['allowedAt'],
      isWhole: ({ words, isPrefix }) =>
        Array.isArray(words) &&
        words.length > 0 &&
        words.every((word) => typeof word === 'string') &&
        typeof isPrefix === 'boolean',
    });
  }

  /** Those that hold in a folder, its own first. */
  rulesIn(folderUri: string | undefined): readonly RuleView[] {
    const own = this.all.filter((one) => one.folderUri === folderUri);
    const others = this.all.filter((one) => one.folderUri === undefined);
    return (folderUri === undefined ? others : [...own, ...others]).map(ruleOf);
  }

  get rules(): readonly RuleView[] {
    return this.all.map(ruleOf);
  }

  /** @throws {HumanError} when it could not be saved. */
  async allow(folderUri: string | undefined, { words, isPrefix }: CommandPattern): Promise<void> {
    await this.grant({ folderUri, words, isPrefix, allowedAt: new Date().toISOString() });
  }

  /** See {@link StoredRules}. */
  async removeRule(id: string): Promise<(() => Promise<void>) | undefined> {
    const allowed = this.all.find((one) => ruleOf(one).id === id);
    if (!allowed) {
      return undefined;
    }
    await this.revoke(allowed);
    return () => this.grant(allowed);
  }
}

/** The rule that a record is, or will be. */
export function ruleOf({ folderUri, words, isPrefix, allowedAt }: AllowedCommand): RuleView {
  return {
    id: `command:${keyOf({ folderUri, words, isPrefix })}`,
    scope: folderUri === undefined ? 'everywhere' : 'folder',
    subject: { kind: 'command', words, isPrefix },
    since: allowedAt,
  };
}

function keyOf({ folderUri, words, isPrefix }: CommandKey): string {
  return JSON.stringify([folderUri ?? null, isPrefix, words]);
}
