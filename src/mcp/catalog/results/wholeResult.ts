/** A tool result as its server sent it, for people: nothing cut, binary data as files. */
import { isJsonObject } from '../../../base/json.js';
import type { McpToolResult } from '../../mcpTypes.js';
import { imageBlock, mapToolResult } from './toolResult.js';

export interface ResultAttachment {
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

export interface WholeResult {
  readonly text: string;
  /** Everything binary but images that models are sent, in the order of the blocks. */
  readonly attachments: readonly ResultAttachment[];
}

export function readWholeResult(result: McpToolResult): WholeResult {
  const { content } = mapToolResult(result, Number.POSITIVE_INFINITY);
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const { structuredContent } = result;
  const json =
    structuredContent === undefined || structuredContent === null || result.content.length === 0
      ? []
      : [JSON.stringify(structuredContent, undefined, 2)];
  return { text: [...texts, ...json].join('\n\n'), attachments: attachmentsOf(result) };
}

export function attachmentsOf({ content }: McpToolResult): readonly ResultAttachment[] {
  return content.flatMap((block) => {
    const { data, mimeType } =
      block.type === 'resource' && isJsonObject(block.resource)
        ? { data: block.resource.blob, mimeType: block.resource.mimeType }
        : block;
    const type = typeof mimeType === 'string' ? mimeType : 'application/octet-stream';
    const isFile = typeof data === 'string' && data !== '' && !imageBlock(data, mimeType);
    return isFile ? [{ data, mimeType: type }] : [];
  });
}
