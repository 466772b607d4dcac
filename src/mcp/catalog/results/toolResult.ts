/** Turns the result of an MCP tool into what a model reads: text and images, bounded, never raw base64. */
import { asObject, isJsonObject, type JsonObject } from '../../../base/json.js';
import { readImage } from '../../../base/pictures/imageHeader.js';
import { defaultMaxCharacters } from '../../../config/schema/settings.js';
import type { McpToolResult } from '../../mcpTypes.js';
import { truncateMiddle } from './truncate.js';

type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

export interface MappedToolResult {
  readonly content: readonly ToolContent[];
  readonly isError: boolean;
  /** All text before it was cut; absent when nothing was cut. */
  readonly fullText?: string;
}

/** Characters of base64, 5 MB of data: providers refuse a request with a larger image. */
const maxImageLength = 6_990_000;
const maxImages = 10;

/** @param truncation the setting of that name; `undefined` when the user's files have none. */
export function maxCharactersOf(truncation: unknown): number {
  const { enabled, maxChars } = asObject(truncation);
  if (enabled === false) {
    return Number.POSITIVE_INFINITY;
  }
  return typeof maxChars === 'number' ? maxChars : defaultMaxCharacters;
}

export function mapToolResult(
  result: McpToolResult,
  maxCharacters = defaultMaxCharacters,
): MappedToolResult {
  const blocks = limitImages(result.content.map(mapBlock));
  const content = blocks.length > 0 ? blocks : [textBlock(emptyText(result))];
  const marked = result.isError ? markError(content) : content;
  return { ...truncateContent(marked, maxCharacters), isError: result.isError };
}

function limitImages(blocks: readonly ToolContent[]): readonly ToolContent[] {
  let images = 0;
  return blocks.map((block) =>
    block.type === 'image' && ++images > maxImages
      ? textBlock(describeBinary('image', block))
      : block,
  );
}

function textBlock(text: string): ToolContent {
  return { type: 'text', text };
}

function emptyText({ structuredContent, isError }: McpToolResult): string {
  if (structuredContent !== undefined && structuredContent !== null) {
    return JSON.stringify(structuredContent, undefined, 2);
  }
  return isError ? '[error] (no detail)' : '(empty result)';
}

function markError(content: readonly ToolContent[]): readonly ToolContent[] {
  const index = content.findIndex(({ type }) => type === 'text');
  const block = content[index];
  if (block?.type !== 'text') {
    return [textBlock('[error] (no detail)'), ...content];
  }
  const text = block.text.startsWith('[error]') ? block.text : `[error] ${block.text}`;
  return content.with(index, textBlock(text));
}

/** The text blocks become one, where the first of them stood; images keep their order. */
function truncateContent(
  content: readonly ToolContent[],
  maxCharacters: number,
): Pick<MappedToolResult, 'content' | 'fullText'> {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  if (texts.reduce((total, text) => total + text.length, 0) <= maxCharacters) {
    return { content };
  }
  const fullText = texts.join('\n\n');
  const first = content.findIndex(({ type }) => type === 'text');
  return {
    content: content.flatMap((block, index) => {
      if (index === first) {
        return [textBlock(truncateMiddle(fullText, maxCharacters))];
      }
      return block.type === 'text' ? [] : [block];
    }),
    fullText,
  };
}

function mapBlock(block: JsonObject): ToolContent {
  switch (block.type) {
    case 'text':
      return textBlock(typeof block.text === 'string' ? block.text : describeUnknown(block));
    case 'image':
      return imageBlock(block.data, block.mimeType) ?? textBlock(describeBinary('image', block));
    case 'audio':
      return textBlock(describeBinary('audio', block));
    case 'resource':
      return mapResource(block.resource);
    case 'resource_link':
      return textBlock(describeLink(block));
    default:
      return textBlock(describeUnknown(block));
  }
}

/** Under the type that it has: a provider refuses every request of a conversation in which one picture is another or none. */
export function imageBlock(data: unknown, mimeType: unknown): ToolContent | undefined {
  const isSaid = typeof mimeType === 'string' && mimeType.startsWith('image/');
  const image = isSaid ? readImage(data) : undefined;
  return image && image.data.length <= maxImageLength ? { type: 'image', ...image } : undefined;
}

function mapResource(resource: unknown): ToolContent {
  if (!isJsonObject(resource)) {
    return textBlock('[resource] (no content)');
  }
  if (typeof resource.text === 'string') {
    const place = typeof resource.uri === 'string' ? `[resource ${resource.uri}]\n` : '';
    return textBlock(`${place}${resource.text}`);
  }
  const binary = { data: resource.blob, mimeType: resource.mimeType, uri: resource.uri };
  return (
    imageBlock(resource.blob, resource.mimeType) ?? textBlock(describeBinary('resource', binary))
  );
}

function describeBinary(kind: string, { data, mimeType, uri }: JsonObject): string {
  const bytes = typeof data === 'string' ? byteLength(data) : 0;
  const parts = [uri, mimeType].filter((part) => typeof part === 'string' && part !== '');
  return `[${[kind, ...parts].join(' ')}: ${bytes} bytes, not shown]`;
}

/** Bytes behind base64 text. */
function byteLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}

function describeLink(link: JsonObject): string {
  const { uri, name, title, description, mimeType, size } = link;
  const label = [title, name].find((text) => typeof text === 'string' && text !== '');
  const facts = [mimeType, typeof size === 'number' ? `${size} bytes` : undefined].filter(
    (fact) => typeof fact === 'string' && fact !== '',
  );
  const head = [label, `<${String(uri ?? '')}>`].filter(Boolean).join(' ');
  const tail = typeof description === 'string' && description !== '' ? `: ${description}` : '';
  return `[resource link] ${head}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}${tail}`;
}

function describeUnknown(block: JsonObject): string {
  const type = typeof block.type === 'string' ? block.type : 'unknown';
  const json = JSON.stringify(block, (_key, value: unknown) =>
    isBase64(value) ? `(${byteLength(value)} bytes, not shown)` : value,
  );
  return `[${type}] ${json}`;
}

function isBase64(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 200 && /^[A-Za-z0-9+/_-]+={0,2}$/.test(value);
}
