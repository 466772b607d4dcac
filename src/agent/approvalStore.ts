/** Tools that the user allowed always, with what the user saw of them. Shared by all windows. */
import type { Disposable } from '../base/disposable.js';
import { isJsonObject } from '../base/json.js';
import { isToolPin, type ToolPin } from '../mcp/catalog/toolPin.js';
import type { McpScope } from '../mcp/mcpTypes.js';
import type { FileWatcher, Logger } from '../mcp/ports.js';
import { SharedStore } from '../mcp/sharedStore.js';

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
  /** ISO 8601. */
  readonly allowedAt: string;
}

export class ApprovalStore implements Disposable {
  private readonly store: SharedStore<readonly AllowedTool[]>;
  readonly onDidChange: SharedStore<readonly AllowedTool[]>['onDidChange'];

  constructor(options: {
    readonly directory: string | undefined;
    readonly watcher: FileWatcher;
    readonly logger: Logger;
  }) {
    this.store = new SharedStore<readonly AllowedTool[]>({
      ...options,
      fileName: 'tool-approvals.json',
      initial: [],
      parse,
    });
    this.onDidChange = this.store.onDidChange;
  }

  start(): Promise<void> {
    return this.store.start();
  }

  get all(): readonly AllowedTool[] {
    return this.store.value;
  }

  /** What the folder's record says, else the one for every folder. */
  find(key: AllowedToolKey): AllowedTool | undefined {
    return (
      this.all.find((allowed) => isSame(allowed, key)) ??
      this.all.find((allowed) => isSame(allowed, { ...key, folderUri: undefined }))
    );
  }

  /** @throws {HumanError} when it could not be saved. */
  async allow(key: AllowedToolKey, pin: ToolPin): Promise<void> {
    const { folderUri, scope, server, tool } = key;
    const allowedAt = new Date().toISOString();
    const record = { folderUri, scope, server, tool, pin, allowedAt };
    await this.store.update((all) => [...without(all, key), record]);
  }

  /** @throws {HumanError} when it could not be saved. */
  async revoke(key: AllowedToolKey): Promise<void> {
    await this.store.update((all) => without(all, key));
  }

  dispose(): void {
    this.store.dispose();
  }
}

function without(all: readonly AllowedTool[], key: AllowedToolKey): readonly AllowedTool[] {
  return all.filter((allowed) => !isSame(allowed, key));
}

function isSame(a: AllowedToolKey, b: AllowedToolKey): boolean {
  return (
    a.folderUri === b.folderUri && a.scope === b.scope && a.server === b.server && a.tool === b.tool
  );
}

function parse(value: unknown): readonly AllowedTool[] | undefined {
  return Array.isArray(value) ? value.filter(isAllowedTool) : undefined;
}

function isAllowedTool(value: unknown): value is AllowedTool {
  return (
    isJsonObject(value) &&
    (value.folderUri === undefined || typeof value.folderUri === 'string') &&
    (value.scope === 'global' || value.scope === 'folder') &&
    [value.server, value.tool, value.allowedAt].every((item) => typeof item === 'string') &&
    isToolPin(value.pin)
  );
}
