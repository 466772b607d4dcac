/** What the panel shows of the user's message: the words, and what was attached to them by name alone. */
import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../../base/json.js';
import { trimEndOf } from '../../base/text/trim.js';
import { resourceFileName } from '../../mcp/catalog/resourceFile.js';
import type { SentAttachment } from '../../protocol/agentProtocol.js';
import { textOf } from './content.js';

export interface UserMessageView {
  readonly text: string;
  readonly attachments?: readonly SentAttachment[];
}

/** @param content of a message of Pi, as it was sent. */
export function userMessageView(content: unknown): UserMessageView {
  const { text, attachments } = takeAttachments(textOf(content));
  const all = [...attachments, ...imagesOf(content)];
  return { text: text.trim(), ...(all.length > 0 && { attachments: all }) };
}

const opening = '<mcp-resource server=';
const closing = '\n</mcp-resource>';
// as composePrompt writes them; a body cannot hold the end mark
const attributes =
  /<mcp-resource server=("[^"\\\n]*(?:\\.[^"\\\n]*)*") uri=("[^"\\\n]*(?:\\.[^"\\\n]*)*")/y;

/** Goes through the text once, whatever stands in it. */
function takeAttachments(text: string) {
  const attachments: SentAttachment[] = [];
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
      at = done - 1;
    }
  }
  return { text: shown + text.slice(done), attachments };
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

function imagesOf(content: unknown): readonly SentAttachment[] {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  return blocks.flatMap((block) =>
    isJsonObject(block) && block.type === 'image'
      ? [{ label: l10n.t('Image'), detail: String(block.mimeType), isImage: true }]
      : [],
  );
}
