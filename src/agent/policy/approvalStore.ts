/** Tools that the user allowed always, with what the user saw of them. Shared by all windows. */
import type { McpScope } from '../../config/definition.js';
import { isToolPin, type ToolPin } from '../../mcp/catalog/toolKey.js';
import { GrantStore } from '../../platform/stores/recordStore.js';
import type { StorePlace } from '../../platform/stores/sharedStore.js';
import type { RuleView } from '../../protocol/tools/approvalRules.js';
import type { StoredRules } from './rules/ruleBook.js';

export interface AllowedToolKey {
  /** `undefined`: in every folder. */
  readonly folderUri: string | undefined;
  /** Of the server: a folder's server never inherits what its global namesake was allowed. */
  readonly scope: McpScope;
  readonly server: string;
  readonly tool: string;
}

export interface AllowedTool extends AllowedToolKey {
  readonly pin: ToolPin;
  /** See `hashOf`; absent in records of earlier versions, which allow nothing any more. */
  readonly launch?: string;
  /** ISO 8601. */
  readonly allowedAt: string;
}

const rulePrefix = 'tool:';

/** The rule that a record is. Its id is that of every record for the same tool and place. */
export function toolRule(
  allowed: AllowedToolKey & Pick<AllowedTool, 'allowedAt'>,
): RuleView & { readonly subject: { readonly kind: 'tool' } } {
  const { folderUri, server, tool, allowedAt } = allowed;
  return {
    id: `${rulePrefix}${keyOf(allowed)}`,
    scope: folderUri === undefined ? 'everywhere' : 'folder',
    subject: { kind: 'tool', server, tool },
    since: allowedAt,
  };
}

function keyOf({ folderUri, scope, server, tool }: AllowedToolKey): string {
  return JSON.stringify([folderUri ?? null, scope, server, tool]);
}

export class ApprovalStore extends GrantStore<AllowedToolKey, AllowedTool> implements StoredRules {
  constructor(place: StorePlace) {
    super(place, {
      fileName: 'tool-approvals.json',
      keyOf,
      texts: ['server', 'tool', 'allowedAt'],
      isWhole: ({ scope, launch, pin }) =>
        (scope === 'global' || scope === 'folder') &&
        (launch === undefined || typeof launch === 'string') &&
        isToolPin(pin),
    });
  }

  /** What the folder's record says, else the one for every folder. */
  find(key: AllowedToolKey): AllowedTool | undefined {
    return this.get(key) ?? this.get({ ...key, folderUri: undefined });
  }

  /** See {@link StoredRules}. */
  async removeRule(id: string): Promise<(() => Promise<void>) | undefined> {
    const allowed = this.all.find((one) => toolRule(one).id === id);
    if (!allowed) {
      return undefined;
    }
    await this.revoke(allowed);
    return () => this.grant(allowed);
  }

  /** @throws {HumanError} when it could not be saved. */
  async allow(key: AllowedToolKey, pin: ToolPin, launch: string): Promise<void> {
    const { folderUri, scope, server, tool } = key;
    const allowedAt = new Date().toISOString();
    await this.grant({ folderUri, scope, server, tool, pin, launch, allowedAt });
  }
}
