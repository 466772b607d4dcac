/** What the panel shows of the user's message: the words, and what was attached to them by name alone. */
import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../../base/json.js';
import { trimEndOf } from '../../base/text/trim.js';
import { resourceFileName } from '../../mcp/catalog/resourceFile.js';
import type { SentAttachment } from '../../protocol/sending.js';
import type { PromptImage } from '../queue/message.js';
import { textOf } from './content.js';

export interface UserMessageView {
  readonly text: string;
  readonly attachments?: readonly SentAttachment[];
}

/** A message in its parts, so that it can be sent again. */
interface UserMessage {
  /** What the user wrote. */
  readonly words: string;
  /** What the model gets beside the words, as text. */
  readonly attached: string;
  readonly images: readonly PromptImage[];
  /** What the user sees of both. */
  readonly attachments: readonly SentAttachment[];
  /** Words and what is attached, as they were sent. */
  readonly text: string;
}

/** @param content of a message of Pi, as it was sent. */
export function userMessageView(content: unknown): UserMessageView {
  const { words, attachments } = readUserMessage(content);
  return { text: words, ...(attachments.length > 0 && { attachments }) };
}

/** @param content of a message of Pi, as it was sent. */
export function readUserMessage(content: unknown): UserMessage {
  const text = textOf(content);
  const { shown, blocks, attachments } = takeAttachments(text);
  const images = imagesOf(content);
  return {
    words: shown.trim(),
    attached: blocks.join('\n\n'),
    images,
    attachments: [...attachments, ...images.map(imageView)],
    text,
  };
}

const opening = '<mcp-resource server=';
const closing = '\n</mcp-resource>';
// as composePrompt writes them; a body cannot hold the end mark
const attributes =
  /<mcp-resource server=("[^"\\\n]*(?:\\.[^"\\\n]*)*") uri=("[^"\\\n]*(?:\\.[^"\\\n]*)*")/y;

/** Goes through the text once, whatever stands in it. */
function takeAttachments(text: string) {
  const attachments: SentAttachment[] = [];
  const blocks: string[] = [];
  let shown = '';
  let done = 0;
  let lineEnd = -1;
  let end = -1;
  for (let at = text.indexOf(opening); at !== -1; at = text.indexOf(opening, at + 1)) {
    lineEnd = lineEnd > at ? lineEnd : text.indexOf('\n', at);
    if (lineEnd === -1) {
      break;
    }
    end = end > lineEnd ? end : text.indexOf(closing, lineEnd + 1);
    if (end === -1) {
      break;
    }
    attributes.lastIndex = at;
    const [, server = '', uri = ''] = attributes.exec(text) ?? [];
    const attachment = text[lineEnd - 1] === '>' ? resourceOf(server, uri) : undefined;
    if (attachment) {
      attachments.push(attachment);
      shown += trimEndOf(text.slice(done, at), '\n');
      done = end + closing.length;
      blocks.push(text.slice(at, done));
      at = done - 1;
    }
  }
  return { shown: shown + text.slice(done), blocks, attachments };
}

function resourceOf(server: string, uri: string): SentAttachment | undefined {
  try {
    const [name, address]: unknown[] = JSON.parse(`[${server},${uri}]`);
    return {
      label: resourceFileName(String(address), undefined),
      detail: `${String(name)}: ${String(address)}`,
    };
  } catch {
    // the user wrote something alike
    return undefined;
  }
}

function imagesOf(content: unknown): readonly PromptImage[] {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  return blocks.flatMap((block) =>
    isJsonObject(block) && block.type === 'image'
      ? [{ type: 'image' as const, data: String(block.data), mimeType: String(block.mimeType) }]
      : [],
  );
}

function imageView({ mimeType }: PromptImage): SentAttachment {
  return { label: l10n.t('Image'), detail: mimeType, isImage: true };
}
