import * as l10n from '@vscode/l10n';
import { errorMessage, HumanError } from '../../base/errors.js';
import type { Machine } from '../../config/ports.js';
import { createChangingMask, type MaskText } from '../../config/secrets/secretMask.js';
import { readWholeResult, type WholeResult } from '../../mcp/catalog/results/wholeResult.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { secretsOfServers } from '../../mcp/service/serverSecrets.js';
import { ResultFiles, type StoredResult } from '../conversations/resultFiles.js';

export interface ResultStoreOptions {
  readonly service: Pick<McpService, 'pools'>;
  readonly machine: Machine;
}

/** What of a result the conversation's own file has. */
export interface ShownResult {
  readonly text: string;
  /** There is more than that. */
  readonly isPart: boolean;
}

/** Characters of JSON, about the bytes in memory. */
const maxTotal = 64 * 1024 * 1024;

/** The latest results of a conversation as the servers sent them; the oldest make room. The disk has more of them. */
export class ResultStore {
  private readonly results = new Map<
    /* tool call id */ string,
    StoredResult & { readonly size: number }
  >();
  private total = 0;
  private files: ResultFiles | undefined;

  /** Hides what the configuration keeps secret, and what looks like a secret. */
  private readonly mask: MaskText;

  constructor(private readonly options: ResultStoreOptions) {
    const { service, machine } = options;
    this.mask = createChangingMask(() => secretsOfServers(service, machine.environment));
  }

  /** Takes up what an earlier window kept. @param conversationFile default: nothing outlives this one */
  async open(conversationFile: string | undefined): Promise<void> {
    this.files =
      conversationFile === undefined ? undefined : await ResultFiles.open(conversationFile);
  }

  isKept(toolCallId: string): boolean {
    return this.results.has(toolCallId) || this.files?.has(toolCallId) === true;
  }

  /** Resolves once what the conversation does not have is safe. Never rejects. */
  async add(toolCallId: string, stored: StoredResult, shown: ShownResult): Promise<void> {
    this.remember(toolCallId, stored);
    if (shown.isPart) {
      const { mask } = this;
      try {
        await this.files?.add(toolCallId, stored, { shown: shown.text, mask });
      } catch (error) {
        this.options.machine.loggers.main.log('error', errorMessage(error));
      }
    }
  }

  /** `undefined` once newer results took its place. */
  async get(toolCallId: string): Promise<StoredResult | undefined> {
    return this.results.get(toolCallId) ?? (await this.files?.get(toolCallId));
  }

  private remember(toolCallId: string, stored: StoredResult): void {
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

  private remove(toolCallId: string): void {
    this.total -= this.results.get(toolCallId)?.size ?? 0;
    this.results.delete(toolCallId);
  }
}

export function resultGone(): HumanError {
  return new HumanError('result_gone', l10n.t('This is not there any more.'), {
    remedy: l10n.t('Let the agent call the tool again.'),
  });
}

/** A result of an MCP tool as its server sent it. */
export interface WholeToolResult extends WholeResult {
  readonly server: string;
  readonly tool: string;
}

/** @throws {HumanError} when it is not kept any more. */
export async function wholeResultOf(
  results: Pick<ResultStore, 'get'> | undefined,
  callId: string,
): Promise<WholeToolResult> {
  const stored = await results?.get(callId);
  if (!stored) {
    throw resultGone();
  }
  const { server, tool, result } = stored;
  return { server, tool, ...readWholeResult(result) };
}
