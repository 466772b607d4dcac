/**
 * Correlated request/reply over any `postMessage`. Both sides use one {@link MessageChannel}: it sends requests and
 * events, answers the other side's requests, and rejects what is pending when it is disposed.
 */
import { isCancellationError } from '../base/async/cancellation.js';
import type { Disposable } from '../base/disposable.js';
import { isHumanError, messageWithRemedy, stackText } from '../base/errors.js';
import { isJsonObject } from '../base/json.js';

/** Message type → parameters and result, JSON-serialisable. */
export type MessageMap = Record<never, { params: unknown; result: unknown }>;

type Params<M, K extends keyof M> = M[K] extends { params: infer P } ? P : never;
type Result<M, K extends keyof M> = M[K] extends { result: infer R } ? R : never;

/** A handler without a result need not say so. */
type Reply<R> = [R] extends [undefined] ? Promise<void> | void : Promise<R> | R;

/** One handler for every type of `M`. Handlers validate their parameters: the sender is not trusted. */
export type MessageHandlers<M> = {
  readonly [K in keyof M]: (params: Params<M, K>) => Reply<Result<M, K>>;
};

export interface MessageChannelOptions<Incoming> {
  readonly post: (message: unknown) => void;
  readonly handlers: MessageHandlers<Incoming>;
  /** One page has several channels: each hears what names its own scope. Default: what names none. */
  readonly scope?: string;
  /** Gets what was not meant to happen. The page gets every error, and shows it. */
  readonly logError?: (message: string) => void;
}

export class MessageChannel<Outgoing, Incoming> implements Disposable {
  /** A page that was hidden comes back as another one, which late answers to the one before are not for. */
  private nextId = Math.floor(Math.random() * 2 ** 48);
  private readonly pending = new Map<
    /* message id */ number,
    { resolve: (value: unknown) => void; reject: (error: Error) => void }
  >();
  private isDisposed = false;

  constructor(private readonly options: MessageChannelOptions<Incoming>) {}

  /** Rejects with the other side's error message, or when this side is disposed. */
  request<K extends keyof Outgoing & string>(
    type: K,
    params: Params<Outgoing, K>,
  ): Promise<Result<Outgoing, K>> {
    if (this.isDisposed) {
      return Promise.reject(new Error('The view was closed'));
    }
    const id = this.nextId++;
    return new Promise<Result<Outgoing, K>>((resolve, reject) => {
      this.pending.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.post({ id, type, params });
    });
  }

  /** Sends without waiting for a reply. */
  notify<K extends keyof Outgoing & string>(type: K, params: Params<Outgoing, K>): void {
    if (!this.isDisposed) {
      this.post({ type, params });
    }
  }

  /** Feed every received message here. Unknown shapes are ignored. */
  async receive(message: unknown): Promise<void> {
    if (this.isDisposed || !isJsonObject(message) || message.scope !== this.options.scope) {
      return;
    }
    if (typeof message.replyTo === 'number') {
      this.settle(message.replyTo, message);
    } else if (typeof message.type === 'string') {
      await this.handle(message.type, message.params, message.id);
    }
  }

  dispose(): void {
    this.isDisposed = true;
    for (const { reject } of this.pending.values()) {
      reject(new Error('The view was closed'));
    }
    this.pending.clear();
  }

  private post(message: object): void {
    const { scope, post } = this.options;
    post(scope === undefined ? message : { ...message, scope });
  }

  private settle(id: number, reply: { readonly [key: string]: unknown }): void {
    const waiting = this.pending.get(id);
    this.pending.delete(id);
    if (typeof reply.error === 'string') {
      waiting?.reject(new Error(reply.error));
    } else {
      waiting?.resolve(reply.result);
    }
  }

  private async handle(type: string, params: unknown, id: unknown): Promise<void> {
    const handlers = this.options.handlers as Record<string, (params: unknown) => unknown>;
    const handler = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
    let reply: object;
    try {
      if (!handler) {
        throw new Error(`Unknown message: ${type}`);
      }
      reply = { result: await handler(params) };
    } catch (error) {
      if (!isHumanError(error) && !isCancellationError(error)) {
        this.options.logError?.(`${type}: ${stackText(error)}`);
      }
      reply = { error: messageWithRemedy(error) };
    }
    if (typeof id === 'number' && !this.isDisposed) {
      this.post({ replyTo: id, ...reply });
    }
  }
}
