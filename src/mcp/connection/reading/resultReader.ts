import * as l10n from '@vscode/l10n';
import { asList, isDeeperThan, type JsonObject } from '../../../base/json.js';
import { nameToken } from '../../../base/text/nameToken.js';
import type { McpTool, McpToolResult } from '../../mcpTypes.js';
import { OutputSchemas } from './outputSchemas.js';
import { isContentBlock } from './parseItems.js';
import { maxDepth, maxParts } from './serverBounds.js';

/** Told what is wrong with an answer. */
export interface Faulty {
  fault(sentence: string): void;
}

/** Reads results part by part: what is malformed or exceeds the bounds costs itself and a notice. */
export class ResultReader {
  private readonly outputSchemas = new OutputSchemas();

  constructor(private readonly onNotice: (sentence: string) => void) {}

  /** Results are checked against the schemas of these tools from now on. */
  setTools(tools: readonly McpTool[]): void {
    this.outputSchemas.replace(tools);
  }

  /** @param tool undefined when it is not known which one gave the result. */
  toolResult(tool: string | undefined, result: JsonObject, from?: Faulty): McpToolResult {
    const name = tool ?? '';
    const blocks = this.parts(name, result.content, from);
    const content = blocks.filter(isContentBlock);
    const malformed = blocks.length - content.length;
    if (malformed > 0) {
      this.tell(partsUsed(name, blocks.length, content.length), from);
    }
    const read: McpToolResult = { content, isError: result.isError === true };
    const { structuredContent } = result;
    return structuredContent === undefined
      ? read
      : this.addData(read, tool, structuredContent, from);
  }

  /** The parts of the result of `name`, up to a bound. */
  parts(name: string, parts: unknown, from?: Faulty): readonly unknown[] {
    const list = asList(parts);
    if (list.length > maxParts) {
      this.tell(partsUsed(name, list.length, maxParts), from);
    }
    return list.length > maxParts ? list.slice(0, maxParts) : list;
  }

  private addData(
    result: McpToolResult,
    tool: string | undefined,
    structuredContent: unknown,
    from: Faulty | undefined,
  ): McpToolResult {
    if (isDeeperThan(structuredContent, maxDepth)) {
      this.tell(
        l10n.t(
          '"{0}" returned data that is nested too deeply; it is left out.',
          nameToken(tool ?? ''),
        ),
        from,
      );
      return result;
    }
    const isChecked = !result.isError && tool !== undefined;
    const mismatch = isChecked ? this.outputSchemas.check(tool, structuredContent) : undefined;
    if (mismatch) {
      this.tell(mismatch, from);
    }
    return mismatch ? { ...result, structuredContent, mismatch } : { ...result, structuredContent };
  }

  private tell(sentence: string, from: Faulty | undefined): void {
    this.onNotice(sentence);
    from?.fault(sentence);
  }
}

function partsUsed(name: string, count: number, used: number): string {
  return l10n.t('"{0}" has {1} parts; only {2} are used.', nameToken(name), count, used);
}
