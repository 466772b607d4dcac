/**
 * Messages that wait for Pi, as a pure state machine. Pi has queues of its own, but knows no single message of them:
 * it can change none, and loses their images. So each stays here until the moment in which Pi takes it.
 */
import type { QueuePause, SendKind, SentAttachment } from '../../protocol/sending.js';

export interface PromptImage {
  readonly type: 'image';
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** What is sent to the model, composed of what the user wrote and attached. */
export interface ComposedPrompt {
  readonly text: string;
  readonly images: readonly PromptImage[];
}

export interface QueuedMessage {
  readonly id: string;
  readonly kind: SendKind;
  /** What the user wrote. */
  readonly words: string;
  /** What the model gets for the words. */
  readonly body: ComposedPrompt;
  /** What the model gets beside them. */
  readonly attached: ComposedPrompt;
  /** What the user sees of that. */
  readonly attachments: readonly SentAttachment[];
}

export interface QueueState {
  /** Those that go into the run under way stand before those for after it. */
  readonly messages: readonly QueuedMessage[];
  /** Pi was given it and has not taken it up yet. */
  readonly sending?: string | undefined;
  /** Nothing goes out by itself. */
  readonly pause?: QueuePause | undefined;
  /** The user wants it sent as soon as nothing runs, paused or not. */
  readonly wanted?: string | undefined;
  /** The user is changing it: it waits, and what comes after it does. */
  readonly held?: string | undefined;
}

export type QueueEvent =
  | { readonly type: 'added'; readonly message: QueuedMessage }
  | {
      readonly type: 'edited';
      readonly id: string;
      readonly words: string;
      readonly body: ComposedPrompt;
      /** Both or neither; default: as they were. */
      readonly attached?: ComposedPrompt;
      readonly attachments?: readonly SentAttachment[];
    }
  /** Within its kind. */
  | { readonly type: 'moved'; readonly id: string; readonly by: 1 | -1 }
  /** It becomes the last of the other kind. */
  | { readonly type: 'turned'; readonly id: string; readonly kind: SendKind }
  | { readonly type: 'removed'; readonly id: string }
  | { readonly type: 'held'; readonly id: string | undefined }
  | { readonly type: 'wanted'; readonly id: string }
  /** Pi is given the message. */
  | { readonly type: 'sending'; readonly id: string }
  /** It is part of the conversation. */
  | { readonly type: 'taken' }
  /** Pi did not take it. */
  | { readonly type: 'returned' }
  | { readonly type: 'paused'; readonly reason: QueuePause }
  | { readonly type: 'resumed' };

export const emptyQueue: QueueState = { messages: [] };

/** Events that come too late for their message change nothing. */
export function reduceQueue(state: QueueState, event: QueueEvent): QueueState {
  switch (event.type) {
    case 'added':
      return isKnown(state, event.message.id)
        ? state
        : { ...state, messages: insert(state.messages, event.message) };
    case 'edited':
      return isWaiting(state, event.id)
        ? { ...state, held: undefined, messages: edit(state.messages, event) }
        : state;
    case 'moved':
      return isWaiting(state, event.id)
        ? { ...state, messages: move(state, event.id, event.by) }
        : state;
    case 'turned':
      return isWaiting(state, event.id) ? { ...state, messages: turn(state, event) } : state;
    case 'removed':
      return isWaiting(state, event.id) ? without(state, event.id) : state;
    case 'held':
      return event.id === undefined || isWaiting(state, event.id)
        ? { ...state, held: event.id }
        : state;
    case 'wanted':
      return isWaiting(state, event.id) ? { ...state, wanted: event.id, held: undefined } : state;
    case 'sending':
      return state.sending === undefined && isKnown(state, event.id)
        ? { ...state, sending: event.id, wanted: undefined }
        : state;
    case 'taken':
      return state.sending === undefined ? state : without(state, state.sending);
    case 'returned':
      return { ...state, sending: undefined };
    case 'paused':
      // what the user wanted sent was wanted before
      return state.messages.length === 0
        ? state
        : { ...state, pause: state.pause ?? event.reason, wanted: undefined };
    case 'resumed':
      return { ...state, pause: undefined };
  }
}

/**
 * What Pi is to be given now.
 * @param moment `step`: between two steps of a run, `idle`: nothing runs
 */
export function nextMessage(state: QueueState, moment: 'step' | 'idle'): QueuedMessage | undefined {
  const { messages, sending, pause, wanted, held } = state;
  if (sending !== undefined) {
    return undefined;
  }
  if (wanted !== undefined) {
    // the run is being stopped for it
    return moment === 'idle' ? messages.find(({ id }) => id === wanted) : undefined;
  }
  const first = messages[0];
  const isDue = moment === 'idle' || first?.kind === 'next';
  return pause === undefined && isDue && first?.id !== held ? first : undefined;
}

function insert(
  messages: readonly QueuedMessage[],
  message: QueuedMessage,
): readonly QueuedMessage[] {
  const at =
    message.kind === 'after'
      ? messages.length
      : messages.findLastIndex(({ kind }) => kind === 'next') + 1;
  return messages.toSpliced(at, 0, message);
}

function edit(
  messages: readonly QueuedMessage[],
  { type: _, ...changed }: Extract<QueueEvent, { type: 'edited' }>,
): readonly QueuedMessage[] {
  return messages.map((one) => (one.id === changed.id ? { ...one, ...changed } : one));
}

function move({ messages, sending }: QueueState, id: string, by: 1 | -1): readonly QueuedMessage[] {
  const from = messages.findIndex((one) => one.id === id);
  const message = messages[from];
  const other = messages[from + by];
  return message && other?.kind === message.kind && other.id !== sending
    ? messages.with(from, other).with(from + by, message)
    : messages;
}

function turn(
  { messages }: QueueState,
  { id, kind }: Extract<QueueEvent, { type: 'turned' }>,
): readonly QueuedMessage[] {
  const message = messages.find((one) => one.id === id);
  return message && message.kind !== kind
    ? insert(
        messages.filter((one) => one !== message),
        { ...message, kind },
      )
    : messages;
}

function without(state: QueueState, id: string): QueueState {
  const messages = state.messages.filter((one) => one.id !== id);
  const but = (one: string | undefined) => (one === id ? undefined : one);
  return {
    messages,
    sending: but(state.sending),
    wanted: but(state.wanted),
    held: but(state.held),
    // there is nothing left to hold back
    pause: messages.length > 0 ? state.pause : undefined,
  };
}

function isKnown({ messages }: QueueState, id: string): boolean {
  return messages.some((one) => one.id === id);
}

function isWaiting(state: QueueState, id: string): boolean {
  return isKnown(state, id) && state.sending !== id;
}
