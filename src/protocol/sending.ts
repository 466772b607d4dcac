/** What the user sends to the agent: at once, or through the queue. */
import type { AttachmentKind } from './attachments.js';
import type { MessageMap } from './messages.js';

/** What was sent with a message. */
export interface SentAttachment {
  /** Default: a resource, or an image. */
  readonly kind?: AttachmentKind;
  readonly label: string;
  /** Where it came from, or of which type it is. */
  readonly detail: string;
  readonly isImage?: boolean;
}

/** Where a message goes while Pi works: into the run before its next step, or after the run. */
export const sendKinds = ['next', 'after'] as const;
export type SendKind = (typeof sendKinds)[number];

/** Why messages wait although nothing runs. */
export type QueuePause = 'stopped' | 'failed' | 'restarted';

export interface QueuedMessageView {
  readonly id: string;
  readonly kind: SendKind;
  /** The beginning of what the user wrote. */
  readonly text: string;
  readonly attachments: readonly SentAttachment[];
  /** Pi has it and takes it up at once; it cannot be changed any more. */
  readonly isSending?: true;
}

export interface QueueView {
  /** In the order in which they are sent. */
  readonly messages: readonly QueuedMessageView[];
  readonly pause?: QueuePause;
}

export const queueCalls = ['remove', 'up', 'down', 'send', 'next', 'after'] as const;
export type QueueCall = (typeof queueCalls)[number];

export interface SendRequests extends MessageMap {
  /** Starts a run, or joins the queue. `kind`: default `next`; means nothing while nothing runs. */
  prompt: { params: { text: string; kind?: SendKind }; result: { isSent: boolean } };
  /** Calls for one message of the queue; `send`: at once, in the place of what runs; `next`, `after`: its kind. */
  callQueued: {
    params: { id: string; call: QueueCall };
    result: undefined;
  };
  /** The whole text of a queued message, which waits until it is saved or left. */
  editQueued: { params: { id: string }; result: { text: string } };
  /** `text`: default: everything stays as it is. `removed`: places of its attachments; what was attached to it joins. */
  endEditQueued: {
    params: { id: string; text?: string; removed?: readonly number[] };
    result: undefined;
  };
  resumeQueue: { params: undefined; result: undefined };
}
