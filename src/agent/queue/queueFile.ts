/** A queue on disk, beside its conversation: a line for each change, so that a window that ends at once loses none. */
import { rm } from 'node:fs/promises';
import { delay } from '../../base/async/cancellation.js';
import { Sequencer } from '../../base/async/sequencer.js';
import { errorCode } from '../../base/errors.js';
import { isJsonObject, parseJsonObject } from '../../base/json.js';
import { readFileLines } from '../../platform/boundedFile.js';
import { appendToFile, writeFileAtomic } from '../../platform/stores/storedFile.js';
import { attachmentKinds } from '../../protocol/attachments.js';
import { type SendKind, type SentAttachment, sendKinds } from '../../protocol/sending.js';
import {
  type ComposedPrompt,
  emptyQueue,
  type PromptImage,
  type QueuedMessage,
  type QueueEvent,
  type QueueState,
  reduceQueue,
} from './queue.js';

/** Where the queue of a conversation is kept. */
export function queuePath(conversation: string): string {
  return `${conversation}.queue`;
}

/** Bytes. */
const maxFileSize = 256 * 1024 * 1024;
const firstRetryMs = 10;
const maxRetries = 6;

export interface StoredEvent {
  readonly event: QueueEvent;
  /** Messages of the user in the conversation before a `sending`. */
  readonly sentCount?: number | undefined;
}

/** What a queue needs of the place where it is kept. */
export interface QueueStore {
  append(events: readonly StoredEvent[]): Promise<void>;
  write(state: QueueState): Promise<void>;
}

export class QueueFile implements QueueStore {
  private readonly writes = new Sequencer();

  /** @param path absolute; may not exist */
  constructor(private readonly path: string) {}

  /**
   * The queue of an earlier window.
   * @param sentCount messages of the user that the conversation has
   * @throws the system error of a file that cannot be read: to go on without it would delete what waits in it
   */
  async read(sentCount: number): Promise<QueueState> {
    return replayQueue(await this.lines(), sentCount);
  }

  append(events: readonly StoredEvent[]): Promise<void> {
    const lines = events.map((stored) => `${queueLine(stored)}\n`).join('');
    // a line that a crash cut off stays a line of its own
    return this.writes.queue(() => appendToFile(this.path, `\n${lines}`));
  }

  /** Replaces what is there. */
  write(state: QueueState): Promise<void> {
    return this.writes.queue(async () => {
      if (state.messages.length === 0) {
        await rm(this.path, { force: true });
      } else {
        await writeFileAtomic(
          this.path,
          queueLines(state)
            .map((line) => `${line}\n`)
            .join(''),
        );
      }
    });
  }

  /** Resolves when everything is on disk. */
  flush(): Promise<void> {
    return this.writes.queue(async () => undefined);
  }

  private async lines(): Promise<readonly string[]> {
    for (let retry = 0; ; retry++) {
      const lines: string[] = [];
      try {
        for await (const line of readFileLines(this.path, maxFileSize)) {
          lines.push(line);
        }
        return lines;
      } catch (error) {
        if (errorCode(error) === 'ENOENT') {
          return [];
        }
        // another program has it open, or the process too many others
        if (retry === maxRetries) {
          throw error;
        }
        await delay(firstRetryMs * 2 ** retry);
      }
    }
  }
}

/** Lines from which {@link replayQueue} makes the queue. */
export function queueLines({ messages, pause }: QueueState): readonly string[] {
  const events: QueueEvent[] = [
    ...messages.map((message): QueueEvent => ({ type: 'added', message })),
    ...(pause ? [{ type: 'paused', reason: pause } as const] : []),
  ];
  return events.map((event) => JSON.stringify(event));
}

export function queueLine({ event, sentCount }: StoredEvent): string {
  return JSON.stringify(sentCount === undefined ? event : { ...event, sentCount });
}

/** @param sentCount messages of the user that the conversation has now */
export function replayQueue(lines: readonly string[], sentCount: number): QueueState {
  let state = emptyQueue;
  let sentBefore = 0;
  for (const line of lines) {
    // none where a line was written only in part
    const stored = parseJsonObject(line);
    const event = readQueueEvent(stored);
    if (event) {
      state = reduceQueue(state, event);
      sentBefore = typeof stored?.sentCount === 'number' ? stored.sentCount : sentBefore;
    }
  }
  if (state.sending === undefined) {
    return state;
  }
  // only the queue sends while it waits for one to be taken up
  return reduceQueue(state, { type: sentCount > sentBefore ? 'taken' : 'returned' });
}

/** What an older version or half a write may have left; `undefined`: it is no event of a queue. */
function readQueueEvent(value: unknown): QueueEvent | undefined {
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
