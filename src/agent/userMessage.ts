/** What the panel shows of the user's message: the words, and what was attached to them by name alone. */
import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../base/json.js';
import { resourceFileName } from '../mcp/catalog/resourceFile.js';
import type { SentAttachment } from '../protocol/agentProtocol.js';
import { textOf } from './transcriptContent.js';

export interface UserMessageView {
  readonly text: string;
  readonly attachments?: readonly SentAttachment[];
}

// as composePrompt writes them; a body cannot hold the end mark
const resourceBlock =
  /\n*<mcp-resource server=("(?:[^"\\]|\\.)*") uri=("(?:[^"\\]|\\.)*")[^\n]*>\n[\s\S]*?\n<\/mcp-resource>/g;

/** @param content of a message of Pi, as it was sent. */
export function userMessageView(content: unknown): UserMessageView {
  const attachments: SentAttachment[] = [];
  const text = textOf(content).replace(resourceBlock, (whole, server: string, uri: string) => {
    const attachment = resourceOf(server, uri);
    if (attachment) {
      attachments.push(attachment);
    }
    return attachment ? '' : whole;
  });
  const all = [...attachments, ...imagesOf(content)];
  return { text: text.trim(), ...(all.length > 0 && { attachments: all }) };
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
