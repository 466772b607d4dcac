/** A queue on disk, beside its conversation: a line for each change, so that a window that ends at once loses none. */
import { rm } from 'node:fs/promises';
import { delay } from '../../base/async/cancellation.js';
import { Sequencer } from '../../base/async/sequencer.js';
import { errorCode } from '../../base/errors.js';
import { asString, parseJsonObject } from '../../base/json.js';
import { readFileLines } from '../../platform/boundedFile.js';
import { appendToFile, writeFileAtomic } from '../../platform/stores/storedFile.js';
import { attachmentKinds } from '../../protocol/attachments.js';
import { type SentAttachment, sendKinds } from '../../protocol/sending.js';
import { itemsOf, kindsOf, objectOf, oneOf, optional } from '../reading/readers.js';
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

const readPrompt = objectOf<ComposedPrompt>({
  text: asString,
  images: itemsOf(
    objectOf<PromptImage>({ type: oneOf(['image']), data: asString, mimeType: asString }),
  ),
});
const readAttachments = itemsOf(
  objectOf<SentAttachment>({
    kind: optional(oneOf(attachmentKinds)),
    label: asString,
    detail: asString,
    isImage: optional(oneOf([true])),
  }),
);

/** What an older version or half a write may have left; `undefined`: it is no event of a queue. */
const readQueueEvent = kindsOf<Exclude<QueueEvent, { type: 'held' | 'wanted' }>, 'type'>('type', {
  added: {
    message: objectOf<QueuedMessage>({
      id: asString,
      kind: oneOf(sendKinds),
      words: asString,
      body: readPrompt,
      attached: readPrompt,
      attachments: readAttachments,
    }),
  },
  edited: {
    id: asString,
    words: asString,
    body: readPrompt,
    attached: optional(readPrompt),
    attachments: optional(readAttachments),
  },
  moved: { id: asString, by: oneOf([1, -1]) },
  turned: { id: asString, kind: oneOf(sendKinds) },
  removed: { id: asString },
  sending: { id: asString },
  taken: {},
  returned: {},
  resumed: {},
  paused: { reason: oneOf(['stopped', 'failed', 'restarted']) },
});
