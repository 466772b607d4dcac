/** What the panel shows of the user's message: the words, and what was attached to them by name alone. */
import * as l10n from '@vscode/l10n';
import { asList, isJsonObject } from '../../base/json.js';
import { smallest } from '../../base/lists.js';
import { showHidden } from '../../base/text/showHidden.js';
import { trimEndOf } from '../../base/text/trim.js';
import { resourceFileName } from '../../mcp/catalog/resourceFile.js';
import type { SentAttachment } from '../../protocol/sending.js';
import type { PromptImage } from '../queue/queue.js';
import { type AttachmentHead, headDetail, headLabel, readHead } from './attachmentWords.js';
import { contentText } from './content.js';

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
  /** The parts of that, in order. */
  readonly blocks: readonly string[];
  readonly images: readonly PromptImage[];
  /** What the user sees of both. */
  readonly attachments: readonly SentAttachment[];
  /** Words and what is attached, as they were sent. */
  readonly text: string;
}

/** @param content of a message of Pi, as it was sent. */
export function userMessageView(content: unknown): UserMessageView {
  const { words, attachments } = readUserMessage(content);
  return { text: words, attachments: attachments.length > 0 ? attachments : undefined };
}

/** @param content of a message of Pi, as it was sent. */
export function readUserMessage(content: unknown): UserMessage {
  const text = contentText(content);
  const { shown, blocks, attachments } = takeAttachments(text);
  const images = imagesOf(content);
  return {
    words: shown.trim(),
    attached: blocks.join('\n\n'),
    blocks,
    images,
    attachments: [...attachments, ...images.map(imageView)],
    text,
  };
}

interface Mark {
  readonly opening: string;
  readonly closing: string;
  /** What begins at a place. `undefined`: the user wrote something alike. */
  readonly read: (text: string, at: number) => SentAttachment | undefined;
}

// as composePrompt writes them; a body cannot hold the end mark
const marks: readonly Mark[] = [
  {
    opening: '<mcp-resource server=',
    closing: '\n</mcp-resource>',
    read: (text, at) => {
      attributes.lastIndex = at;
      const [, server = '', uri = ''] = attributes.exec(text) ?? [];
      return resourceOf(server, uri);
    },
  },
  {
    opening: '<attachment kind=',
    closing: '\n</attachment>',
    read: (text, at) => {
      const head = readHead(text, at);
      return head && headView(head);
    },
  },
];
const attributes =
  /<mcp-resource server=("[^"\\\n]*(?:\\.[^"\\\n]*)*") uri=("[^"\\\n]*(?:\\.[^"\\\n]*)*")/y;

/** Finds what it is asked for from ever later places, in time linear to the text. */
class Finder {
  private at = -1;

  constructor(
    private readonly text: string,
    private readonly wanted: string,
  ) {}

  /** Infinite: there is none. */
  from(start: number): number {
    if (this.at < start) {
      const found = this.text.indexOf(this.wanted, start);
      this.at = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    return this.at;
  }
}

/** Goes through the text once, whatever stands in it. */
function takeAttachments(text: string) {
  const attachments: SentAttachment[] = [];
  const blocks: string[] = [];
  const lineEnds = new Finder(text, '\n');
  const finders = marks.map((mark) => ({
    mark,
    openings: new Finder(text, mark.opening),
    closings: new Finder(text, mark.closing),
  }));
  let shown = '';
  let done = 0;
  let from = 0;
  for (;;) {
    const starts = finders.map(({ openings }) => openings.from(from));
    const at = smallest(starts);
    const lineEnd = lineEnds.from(at);
    const found = finders[starts.indexOf(at)];
    if (!found || lineEnd === Number.POSITIVE_INFINITY) {
      break;
    }
    const end = found.closings.from(lineEnd + 1);
    const isWhole = end !== Number.POSITIVE_INFINITY && text[lineEnd - 1] === '>';
    const attachment = isWhole ? found.mark.read(text, at) : undefined;
    from = at + 1;
    if (attachment) {
      attachments.push(attachment);
      shown += trimEndOf(text.slice(done, at), '\n');
      done = end + found.mark.closing.length;
      blocks.push(text.slice(at, done));
      from = done;
    }
  }
  return { shown: shown + text.slice(done), blocks, attachments };
}

function headView(head: AttachmentHead): SentAttachment {
  const { kind } = head;
  return { kind, label: showHidden(headLabel(head)), detail: showHidden(headDetail(head)) };
}

function resourceOf(server: string, uri: string): SentAttachment | undefined {
  try {
    const [name, address]: unknown[] = JSON.parse(`[${server},${uri}]`);
    // a skill is called as its folder
    const place = String(address).replace(/\/SKILL\.md$/, '');
    return {
      label: resourceFileName(place, undefined),
      detail: `${String(name)}: ${String(address)}`,
    };
  } catch {
    // the user wrote something alike
    return undefined;
  }
}

function imagesOf(content: unknown): readonly PromptImage[] {
  const blocks = asList(content);
  return blocks.flatMap((block) =>
    isJsonObject(block) && block.type === 'image'
      ? [{ type: 'image' as const, data: String(block.data), mimeType: String(block.mimeType) }]
      : [],
  );
}

function imageView({ mimeType }: PromptImage): SentAttachment {
  return { label: l10n.t('Image'), detail: mimeType, isImage: true };
}
