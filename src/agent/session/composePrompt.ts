/** Turns prompts and resources of servers into one message for the model. What servers wrote is marked as theirs. */
import { asString, isJsonObject, type JsonObject } from '../../base/json.js';
import { readImage } from '../../base/pictures/imageHeader.js';
import { skillText } from '../../mcp/catalog/own/skillTool.js';
import type { McpPromptResult, McpResourceContents, McpSkillContents } from '../../mcp/mcpTypes.js';
import type { NewMessage } from '../queue/messageQueue.js';
import type { ComposedPrompt, PromptImage } from '../queue/queue.js';
import { insideMark } from '../tools/serverMark.js';
import { type AttachmentHead, headMark } from '../transcript/attachmentWords.js';
import { readUserMessage } from '../transcript/userMessage.js';

export type PromptPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly image: PromptImage };

/** A longer resource is cut; the model can read the rest with a tool. */
const maxResourceLength = 200_000;

export function composePrompt(parts: readonly PromptPart[]): ComposedPrompt {
  return {
    text: parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n'),
    images: parts.flatMap((part) => (part.kind === 'image' ? [part.image] : [])),
  };
}

/** What the user makes of what goes with a message. */
export interface AttachedChange {
  /** Indices of what is shown of it. */
  readonly removed: readonly number[];
  /** Comes after the rest. */
  readonly added: ComposedPrompt;
}

export function changeAttached(
  attached: ComposedPrompt,
  { removed, added }: AttachedChange,
): Pick<NewMessage, 'attached' | 'attachments'> {
  const { blocks, images } = readUserMessage(contentOf(attached));
  const next = {
    text: [...blocks.filter((_, index) => !removed.includes(index)), added.text]
      .filter((text) => text !== '')
      .join('\n\n'),
    images: [
      ...images.filter((_, index) => !removed.includes(blocks.length + index)),
      ...added.images,
    ],
  };
  return { attached: next, attachments: readUserMessage(contentOf(next)).attachments };
}

function contentOf({ text, images }: ComposedPrompt): readonly unknown[] {
  return [{ type: 'text', text }, ...images];
}

/** The messages of a prompt; roles are named where they are not all the user's. */
export function promptParts(result: McpPromptResult, server: string): readonly PromptPart[] {
  const isDialog = result.messages.some(({ role }) => role === 'assistant');
  return result.messages.flatMap(({ role, content }) => {
    const parts = contentParts(content, server);
    const name = role === 'assistant' ? 'Assistant:' : 'User:';
    return isDialog ? [{ kind: 'text', text: name } as const, ...parts] : parts;
  });
}

export function resourceParts(
  contents: readonly McpResourceContents[],
  server: string,
): readonly PromptPart[] {
  return contents.map((one): PromptPart => {
    const { uri, text, blob, mimeType = '' } = one;
    const image = mimeType.startsWith('image/') ? readImage(blob) : undefined;
    if (image) {
      return { kind: 'image', image: { type: 'image', ...image } };
    }
    const body =
      text === undefined
        ? `[${Buffer.byteLength(blob ?? '', 'base64')} bytes of ${mimeType || 'unknown type'}, not shown]`
        : cut(text);
    const attributes = [
      `server=${JSON.stringify(server)}`,
      `uri=${JSON.stringify(uri)}`,
      ...(mimeType ? [`type=${JSON.stringify(mimeType)}`] : []),
    ];
    const inside = insideMark('mcp-resource', `${attributes.join(' ')}>\n${body}`);
    return { kind: 'text', text: `<mcp-resource ${inside}\n</mcp-resource>` };
  });
}

/** A skill that the user asked for: a resource like others, but for what is known of its files. */
export function skillParts(
  loaded: McpSkillContents,
  server: string,
  words: string,
): readonly PromptPart[] {
  const asked = words === '' ? `Use the skill ${loaded.skill.name}.` : words;
  return [{ kind: 'text', text: asked }, ...resourceParts([skillContents(loaded)], server)];
}

/** A file of a skill, as a resource that was checked. */
export function skillContents(loaded: McpSkillContents): McpResourceContents {
  const { skill, file } = loaded;
  const text = skillText(loaded);
  return file.uri === skill.uri
    ? { uri: file.uri, mimeType: 'text/markdown', text }
    : { uri: file.uri, text };
}

/** A text that the user attached. What is in it is marked as data: it may be anybody's. */
export function attachmentPart(head: AttachmentHead, text: string): PromptPart {
  const inside = insideMark('attachment', `${headMark(head)}>\n${cut(text)}`);
  return { kind: 'text', text: `<${inside}\n</attachment>` };
}

function contentParts(content: JsonObject, server: string): readonly PromptPart[] {
  const { type, text, data, resource } = content;
  if (type === 'text' && typeof text === 'string') {
    return [{ kind: 'text', text }];
  }
  const image = type === 'image' ? readImage(data) : undefined;
  if (image) {
    return [{ kind: 'image', image: { type: 'image', ...image } }];
  }
  if (type === 'resource' && isJsonObject(resource) && typeof resource.uri === 'string') {
    return resourceParts([toContents(resource, resource.uri)], server);
  }
  return [{ kind: 'text', text: `[${String(type)}, not shown]` }];
}

function toContents(resource: JsonObject, uri: string): McpResourceContents {
  const { mimeType, text, blob } = resource;
  return {
    uri,
    mimeType: asString(mimeType),
    text: asString(text),
    blob: asString(blob),
  };
}

function cut(text: string): string {
  const omitted = text.length - maxResourceLength;
  return omitted > 0
    ? `${text.slice(0, maxResourceLength).replace(/[\uD800-\uDBFF]$/, '')}\n[${omitted} more characters]`
    : text;
}
