/** Tools that the user allowed always, with what the user saw of them. Shared by all windows. */
import type { McpScope } from '../../config/definition.js';
import { isToolPin, type ToolPin } from '../../mcp/catalog/toolPin.js';
import { GrantStore } from '../../platform/stores/recordStore.js';
import type { StorePlace } from '../../platform/stores/sharedStore.js';

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
  /** See `launchKey`; absent in records of earlier versions, which allow nothing any more. */
  readonly launch?: string;
  /** ISO 8601. */
  readonly allowedAt: string;
}

export class ApprovalStore extends GrantStore<AllowedToolKey, AllowedTool> {
  constructor(place: StorePlace) {
    super(place, {
      fileName: 'tool-approvals.json',
      keyOf: ({ folderUri, scope, server, tool }) =>
        JSON.stringify([folderUri ?? null, scope, server, tool]),
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

  /** @throws {HumanError} when it could not be saved. */
  async allow(key: AllowedToolKey, pin: ToolPin, launch: string): Promise<void> {
    const { folderUri, scope, server, tool } = key;
    const allowedAt = new Date().toISOString();
    await this.grant({ folderUri, scope, server, tool, pin, launch, allowedAt });
  }
}
