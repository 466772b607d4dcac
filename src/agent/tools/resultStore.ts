import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import type { McpServerId } from '../../config/definition.js';
import type { McpToolResult } from '../../mcp/mcpTypes.js';

export interface StoredResult {
  readonly serverId: McpServerId;
  readonly server: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly result: McpToolResult;
}

/** Characters of JSON, about the bytes in memory. */
const maxTotal = 64 * 1024 * 1024;

/** The latest results of a conversation as the servers sent them; the oldest make room. */
export class ResultStore {
  private readonly results = new Map<
    /* tool call id */ string,
    StoredResult & { readonly size: number }
  >();
  private total = 0;

  add(toolCallId: string, stored: StoredResult): void {
    const size = JSON.stringify([stored.result, stored.args]).length;
    this.remove(toolCallId);
    this.results.set(toolCallId, { ...stored, size });
    this.total += size;
    for (const id of [...this.results.keys()].slice(0, -1)) {
      if (this.total <= maxTotal) {
        break;
      }
      this.remove(id);
    }
  }

  get(toolCallId: string): StoredResult | undefined {
    return this.results.get(toolCallId);
  }

  private remove(toolCallId: string): void {
    this.total -= this.results.get(toolCallId)?.size ?? 0;
    this.results.delete(toolCallId);
  }
}

export function resultGone(): HumanError {
  return new HumanError('result_gone', l10n.t('This result is not kept any more.'), {
    remedy: l10n.t('Let the agent call the tool again.'),
  });
}
