/** The messages that wait for one conversation: gives each to Pi when its moment has come, and keeps them on disk. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../base/disposable.js';
import { HumanError } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import type { QueueView, SendKind } from '../../protocol/sending.js';
import {
  type ComposedPrompt,
  emptyQueue,
  nextMessage,
  type PromptImage,
  type QueuedMessage,
  type QueueEvent,
  type QueueState,
  reduceQueue,
} from './queue.js';
import type { QueueStore } from './queueFile.js';

export type NewMessage = Omit<QueuedMessage, 'id' | 'kind'>;

/** The conversation that messages go to. */
export interface QueueTarget {
  /** Something runs that takes no new message. */
  readonly isBusy: boolean;
  /** Messages of the user that the conversation has. */
  readonly sentCount: number;
  /** Resolves when a run begins with the message. @throws {HumanError} when none does */
  start(message: ComposedPrompt): Promise<void>;
  /** Puts the message before the next step of the run. */
  steer(message: ComposedPrompt): Promise<void>;
  /** Ends the run; resolves when nothing runs any more. */
  end(): Promise<void>;
}

/** What the user wrote, and nothing beside it. */
export function plainMessage(words: string): NewMessage {
  const attached = { text: '', images: [] };
  return { words, body: { text: words, images: [] }, attached, attachments: [] };
}

export interface MessageQueueOptions {
  readonly target: QueueTarget;
  /** Default: nothing is kept. */
  readonly file?: QueueStore | undefined;
  /** Shows a failure that no request of the user waits for. */
  readonly onFailure: (error: unknown) => void;
  readonly log: (error: unknown) => void;
}

const maxMessages = 50;
/** Characters of a message, images included. */
const maxLength = 40_000_000;
/** Characters that are shown. */
const maxShown = 300;

export class MessageQueue implements Disposable {
  private state: QueueState = emptyQueue;
  private readonly changeEmitter = new Emitter<void>();
  /** A run that is being started. */
  private starting: Promise<unknown> | undefined;
  /** Begins a run without having waited; on disk until the conversation has it. */
  private direct: QueuedMessage | undefined;
  /** How often the user has ended what ran. */
  private stops = 0;
  private isDisposed = false;

  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: MessageQueueOptions) {}

  /** Takes up what an earlier window left; it waits until the user resumes it. Never rejects. */
  async restore(stored: QueueState): Promise<void> {
    this.state = reduceQueue(stored, { type: 'paused', reason: 'restarted' });
    // where the disk is full it stays as it is there, and the conversation can be read all the same
    await this.options.file?.write(this.state).catch(this.options.log);
    this.changeEmitter.fire();
  }

  get view(): QueueView {
    const { messages, sending, pause } = this.state;
    return {
      messages: messages.map(({ id, kind, words, attachments }) => ({
        id,
        kind,
        text: words.slice(0, maxShown),
        attachments,
        isSending: id === sending || undefined,
      })),
      pause,
    };
  }

  /** What a waiting message shows; none for one that has gone. */
  imagesOf(id: string): readonly PromptImage[] {
    const message = this.state.messages.find((one) => one.id === id);
    return message ? composed(message).images : [];
  }

  /** Pi was given a message, and has not begun with it. */
  get isSending(): boolean {
    return this.starting !== undefined || this.state.sending !== undefined;
  }

  /** Nothing is being sent, and nothing will be without the user. */
  get isAtRest(): boolean {
    const { messages, pause, wanted } = this.state;
    const isWaiting = messages.length > 0 && pause === undefined;
    return !this.isSending && wanted === undefined && !isWaiting;
  }

  /** Starts a run, or waits for the right moment. @throws {HumanError} when it can do neither */
  async submit(message: NewMessage, kind: SendKind): Promise<void> {
    if (this.isDirect()) {
      await this.startDirect(message);
      return;
    }
    const { messages } = this.state;
    if (messages.length >= maxMessages || lengthOf(message) > maxLength) {
      throw queueFull();
    }
    const id = randomUUID();
    const saved = this.apply({ type: 'added', message: { ...message, id, kind } });
    try {
      await saved;
    } catch (error) {
      this.apply({ type: 'removed', id }).catch(this.options.log);
      throw notSaved(error);
    }
    this.advance();
  }

  /** Ends the run; what waits goes on waiting until {@link resume}. */
  async stop(): Promise<void> {
    this.stops++;
    this.record({ type: 'paused', reason: 'stopped' });
    await this.options.target.end();
    if (this.starting) {
      // Pi had not begun yet, so there was nothing to end
      await this.starting.catch(() => undefined);
      await this.options.target.end();
    }
  }

  resume(): void {
    this.record({ type: 'resumed' });
    this.advance();
  }

  /** Sends the message in the place of what runs. */
  async sendNow(id: string): Promise<void> {
    this.record({ type: 'wanted', id });
    if (this.state.wanted === id && this.options.target.isBusy) {
      this.stops++;
      await this.options.target.end();
    }
    this.advance();
  }

  remove(id: string): void {
    this.record({ type: 'removed', id });
    this.advance();
  }

  move(id: string, by: 1 | -1): void {
    this.record({ type: 'moved', id, by });
  }

  /** Into the run under way, or after it. */
  turn(id: string, kind: SendKind): void {
    this.record({ type: 'turned', id, kind });
  }

  /** The text to change; the message waits until {@link edit} or {@link release}. @throws {HumanError} when it has gone */
  hold(id: string): string {
    const { words } = this.waiting(id);
    this.record({ type: 'held', id });
    return words;
  }

  release(): void {
    this.record({ type: 'held', id: undefined });
    this.advance();
  }

  /** What goes with a waiting message. @throws {HumanError} when it has gone */
  attachedOf(id: string): ComposedPrompt {
    return this.waiting(id).attached;
  }

  /** @param attached default: what goes with it stays. @throws {HumanError} when the message has gone, or is too long */
  edit(
    id: string,
    words: string,
    body: ComposedPrompt,
    attached?: Pick<NewMessage, 'attached' | 'attachments'>,
  ): void {
    const message = this.waiting(id);
    if (lengthOf({ ...message, words, body, ...attached }) > maxLength) {
      throw queueFull();
    }
    this.record({ type: 'edited', id, words, body, ...attached });
    this.advance();
  }

  /** Call between two steps of a run; Pi goes on when it resolves. Never rejects. */
  async onStep(): Promise<void> {
    const message = nextMessage(this.state, 'step');
    if (message && !this.isDisposed) {
      await this.give(message, () => this.options.target.steer(composed(message)));
    }
  }

  /** Call when a message of the user has become part of the conversation. @param text what the model gets, if known */
  onTaken(text?: string): void {
    if (this.direct && (text === undefined || mayBecome(composed(this.direct).text, text))) {
      this.forgetDirect();
    }
    const message = this.state.messages.find(({ id }) => id === this.state.sending);
    // extensions of Pi send messages, too; what begins with a slash may stand for another text
    if (message && (text === undefined || mayBecome(composed(message).text, text))) {
      this.record({ type: 'taken' });
    }
  }

  /** Call when nothing runs any more. @param isFailed the run ended with an error */
  onIdle(isFailed: boolean): void {
    if (this.starting === undefined) {
      this.forgetDirect();
    }
    const isReturned = this.state.sending !== undefined && this.starting === undefined;
    if (isReturned) {
      this.record({ type: 'returned' });
    }
    if ((isFailed || isReturned) && this.state.wanted === undefined) {
      this.record({ type: 'paused', reason: 'failed' });
    }
    this.advance();
  }

  dispose(): void {
    this.isDisposed = true;
    this.changeEmitter.dispose();
  }

  /** What the user stopped waits; what is sent meanwhile is a run of its own. */
  private isDirect(): boolean {
    return !this.options.target.isBusy && this.isAtRest;
  }

  private advance(): void {
    if (this.isDisposed || this.options.target.isBusy || this.starting !== undefined) {
      return;
    }
    const message = nextMessage(this.state, 'idle');
    if (message) {
      void this.give(message, () => this.start(message));
    }
  }

  /** Never rejects. */
  private async give(message: QueuedMessage, send: () => Promise<void>): Promise<void> {
    const { stops } = this;
    const { sentCount } = this.options.target;
    const saved = this.apply({ type: 'sending', id: message.id }, sentCount);
    try {
      await saved;
      if (this.isDisposed || stops !== this.stops || this.state.sending !== message.id) {
        this.record({ type: 'returned' });
        return;
      }
      await send();
      if (!this.options.target.isBusy) {
        // a command of an extension of Pi, which needs no run
        this.record({ type: 'taken' });
      }
    } catch (error) {
      this.record({ type: 'returned' });
      this.record({ type: 'paused', reason: 'failed' });
      this.options.onFailure(error);
    }
  }

  /** A window that ends before the conversation has the message leaves it in the queue. */
  private async startDirect(message: NewMessage): Promise<void> {
    const { file, target, log } = this.options;
    const direct = { ...message, id: randomUUID(), kind: 'next' } as const;
    this.direct = direct;
    const saved = file?.append([
      { event: { type: 'added', message: direct } },
      { event: { type: 'sending', id: direct.id }, sentCount: target.sentCount },
    ]);
    try {
      // where the disk is full it is sent all the same
      await this.start(message, saved?.catch(log));
      if (!target.isBusy) {
        // a command of an extension of Pi, which needs no run
        this.forgetDirect();
      }
    } catch (error) {
      this.forgetDirect();
      throw error;
    }
  }

  /** It is part of the conversation, or has gone back to the user. */
  private forgetDirect(): void {
    const { file, log } = this.options;
    if (this.direct && !this.isDisposed) {
      this.direct = undefined;
      const isEmpty = this.state.messages.length === 0;
      const taken = { event: { type: 'taken' } } as const;
      const saved = isEmpty ? file?.write(this.state) : file?.append([taken]);
      saved?.catch(log);
    }
  }

  private async start(message: NewMessage, saved?: Promise<void>): Promise<void> {
    const { target } = this.options;
    const starting = saved
      ? saved.then(() => (this.isDisposed ? undefined : target.start(composed(message))))
      : target.start(composed(message));
    this.starting = starting;
    try {
      await starting;
      this.starting = undefined;
    } catch (error) {
      this.starting = undefined;
      this.record({ type: 'paused', reason: 'failed' });
      throw error;
    }
  }

  private waiting(id: string): QueuedMessage {
    const message = this.state.messages.find((one) => one.id === id);
    if (!message || this.state.sending === id) {
      throw new HumanError('message_gone', l10n.t('This message has been sent already.'));
    }
    return message;
  }

  private record(event: QueueEvent): void {
    this.apply(event).catch(this.options.log);
  }

  /** Takes effect at once. Resolves when it is on disk. */
  private async apply(event: QueueEvent, sentCount?: number): Promise<void> {
    const next = reduceQueue(this.state, event);
    if (next === this.state || this.isDisposed) {
      return;
    }
    this.state = next;
    this.changeEmitter.fire();
    if (event.type === 'held' || event.type === 'wanted') {
      return;
    }
    const { file } = this.options;
    const isEmpty = next.messages.length === 0 && !this.direct;
    await (isEmpty ? file?.write(next) : file?.append([{ event, sentCount }]));
  }
}

/** Pi adds what it has done with images. */
function mayBecome(sent: string, taken: string): boolean {
  return sent.startsWith('/') || taken.trim().startsWith(sent.trim());
}

function composed({ body, attached }: NewMessage): ComposedPrompt {
  return {
    text: [body.text, attached.text].filter((text) => text !== '').join('\n\n'),
    images: [...body.images, ...attached.images],
  };
}

function lengthOf({ words, body, attached }: Omit<NewMessage, 'attachments'>): number {
  const { text, images } = composed({ words, body, attached, attachments: [] });
  return images.reduce((sum, { data }) => sum + data.length, words.length + text.length);
}

function queueFull(): HumanError {
  return new HumanError('queue_full', l10n.t('No more messages can wait.'), {
    remedy: l10n.t('Remove one first.'),
  });
}

function notSaved(cause: unknown): HumanError {
  return new HumanError('queue_not_saved', l10n.t('The message could not be kept on disk.'), {
    remedy: l10n.t('Make room on the disk, then send it again.'),
    cause,
  });
}
