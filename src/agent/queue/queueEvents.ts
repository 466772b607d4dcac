/** Reads stored events of a queue, which an older version or half a write may have left. */
import { isJsonObject } from '../../base/json.js';
import { attachmentKinds } from '../../protocol/attachments.js';
import { type SendKind, type SentAttachment, sendKinds } from '../../protocol/sending.js';
import type { ComposedPrompt, PromptImage } from './message.js';
import type { QueuedMessage, QueueEvent } from './queue.js';

/** `undefined` for what is no event of a queue. */
export function readQueueEvent(value: unknown): QueueEvent | undefined {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const { type, id } = value;
  switch (type) {
    case 'added': {
      const message = readMessage(value.message);
      return message && { type, message };
    }
    case 'edited': {
      const { words } = value;
      const body = readPrompt(value.body);
      const attached = readPrompt(value.attached);
      return typeof id === 'string' && typeof words === 'string' && body
        ? {
            type,
            id,
            words,
            body,
            ...(attached && { attached, attachments: readAttachments(value.attachments) }),
          }
        : undefined;
    }
    case 'moved':
      return typeof id === 'string' && (value.by === 1 || value.by === -1)
        ? { type, id, by: value.by }
        : undefined;
    case 'turned': {
      const kind = readKind(value.kind);
      return typeof id === 'string' && kind ? { type, id, kind } : undefined;
    }
    case 'removed':
    case 'sending':
      return typeof id === 'string' ? { type, id } : undefined;
    case 'taken':
    case 'returned':
    case 'resumed':
      return { type };
    case 'paused': {
      const { reason } = value;
      return reason === 'stopped' || reason === 'failed' || reason === 'restarted'
        ? { type, reason }
        : undefined;
    }
    default:
      return undefined;
  }
}

function readMessage(value: unknown): QueuedMessage | undefined {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const { id, words } = value;
  const kind = readKind(value.kind);
  const body = readPrompt(value.body);
  const attached = readPrompt(value.attached);
  if (typeof id !== 'string' || typeof words !== 'string' || !kind || !body || !attached) {
    return undefined;
  }
  return { id, kind, words, body, attached, attachments: readAttachments(value.attachments) };
}

function readKind(value: unknown): SendKind | undefined {
  return sendKinds.find((one) => one === value);
}

function readPrompt(value: unknown): ComposedPrompt | undefined {
  if (!isJsonObject(value) || typeof value.text !== 'string' || !Array.isArray(value.images)) {
    return undefined;
  }
  return { text: value.text, images: value.images.filter(isImage) };
}

function isImage(value: unknown): value is PromptImage {
  return (
    isJsonObject(value) &&
    value.type === 'image' &&
    typeof value.data === 'string' &&
    typeof value.mimeType === 'string'
  );
}

function readAttachments(value: unknown): readonly SentAttachment[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [];
  return all.flatMap((one) => {
    const { kind, label, detail, isImage } = isJsonObject(one) ? one : {};
    const known = attachmentKinds.find((each) => each === kind);
    return typeof label === 'string' && typeof detail === 'string'
      ? [{ kind: known, label, detail, isImage: isImage === true || undefined }]
      : [];
  });
}
