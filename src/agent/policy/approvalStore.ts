/** Tools that the user allowed always, with what the user saw of them. Shared by all windows. */
import type { Disposable } from '../../base/disposable.js';
import { isJsonObject } from '../../base/json.js';
import type { McpScope } from '../../config/definition.js';
import { isToolPin, type ToolPin } from '../../mcp/catalog/toolPin.js';
import { byKey, SharedRecord } from '../../platform/stores/sharedRecord.js';
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

type Allowed = Readonly<Record</* key */ string, AllowedTool>>;

export class ApprovalStore implements Disposable {
  private readonly store: SharedRecord<Allowed>;
  readonly onDidChange: SharedRecord<Allowed>['onDidChange'];

  constructor(options: StorePlace) {
    this.store = new SharedRecord<Allowed>({
      ...options,
      fileName: 'tool-approvals.json',
      initial: {},
      parse,
      format: Object.values,
      depth: 1,
    });
    this.onDidChange = this.store.onDidChange;
  }

  start(): Promise<void> {
    return this.store.start();
  }

  get all(): readonly AllowedTool[] {
    return Object.values(this.store.value);
  }

  /** What the folder's record says, else the one for every folder. */
  find(key: AllowedToolKey): AllowedTool | undefined {
    const { value } = this.store;
    return value[keyOf(key)] ?? value[keyOf({ ...key, folderUri: undefined })];
  }

  /** @throws {HumanError} when it could not be saved. */
  async allow(key: AllowedToolKey, pin: ToolPin, launch: string): Promise<void> {
    const { folderUri, scope, server, tool } = key;
    const allowedAt = new Date().toISOString();
    const record = { folderUri, scope, server, tool, pin, launch, allowedAt };
    await this.store.edit((all) => ({ ...all, [keyOf(key)]: record }));
  }

  /** @throws {HumanError} when it could not be saved. */
  async revoke(key: AllowedToolKey): Promise<void> {
    await this.store.edit(({ [keyOf(key)]: _revoked, ...others }) => others);
  }

  dispose(): void {
    this.store.dispose();
  }
}

function keyOf({ folderUri, scope, server, tool }: AllowedToolKey): string {
  return JSON.stringify([folderUri ?? null, scope, server, tool]);
}

function parse(value: unknown): Allowed | undefined {
  return Array.isArray(value) ? byKey(value.filter(isAllowedTool), keyOf) : undefined;
}

function isAllowedTool(value: unknown): value is AllowedTool {
  return (
    isJsonObject(value) &&
    (value.folderUri === undefined || typeof value.folderUri === 'string') &&
    (value.scope === 'global' || value.scope === 'folder') &&
    (value.launch === undefined || typeof value.launch === 'string') &&
    [value.server, value.tool, value.allowedAt].every((item) => typeof item === 'string') &&
    isToolPin(value.pin)
  );
}
