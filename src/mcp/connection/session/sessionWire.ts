import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../../base/json.js';
import { rpcCode } from '../../../base/jsonRpc.js';
import { pruneDeeper } from '../reading/nesting.js';
import { NotificationGate } from '../reading/notificationGate.js';
import { failedResponse, type RequestId, repairResponse } from '../reading/repairResponse.js';
import { maxMessageDepth } from '../reading/serverBounds.js';
import type { McpTransport } from '../reading/transport.js';
import { tooDeepSentence } from '../stdio/lineFramer.js';
import { DirectRequests, type SendOptions } from './directRequests.js';
import { type EngineConnectOptions, EngineError, serverError } from './engine.js';
import { HandshakeCheck } from './handshakeCheck.js';

/** What our transport and those of the SDKs look like from here. */
export interface InnerTransport extends Omit<McpTransport, 'send' | 'onmessage'> {
  send(message: JsonObject, options?: SendOptions): Promise<void>;
  onmessage?: ((message: never, text?: never) => void) | undefined;
  readonly hasPerRequestStream?: boolean;
}

interface SessionWireOptions extends Pick<EngineConnectOptions, 'onNotice' | 'onTraffic'> {
  /** The transport bounds depth and rate of messages itself, and survives a reader that throws. */
  readonly isBounded: boolean;
  /** What an error of the transport is to the rest of the domain. Default: as it is. */
  readonly toError?: (error: unknown) => unknown;
  /** Why the wire went down, when that is known. */
  readonly closeError?: () => unknown;
}

/**
 * Stands between a transport, the client of an SDK, which does the handshake and answers what the server asks, and the
 * requests of a session, which go past that client.
 */
export class SessionWire implements McpTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JsonObject) => void;
  /**
   * Progress that no request under way has asked for; and what the server logs, while what it is about still runs: an
   * SDK's client passes it on later.
   */
  onNotification?: (notification: { readonly method: string; readonly params?: unknown }) => void;
  /** The server asks something, which an SDK's client passes on later. */
  onQuestion?: (id: unknown, method: unknown) => void;
  protocolVersion: string | undefined;
  readonly handshake = new HandshakeCheck();
  readonly requests = new DirectRequests(
    (message, sendOptions) => {
      const { toError } = this.options;
      const sent = this.pass(message, sendOptions);
      return toError ? sent.catch((error) => Promise.reject(toError(error))) : sent;
    },
    (id, sentence) => this.noteFault(id, sentence),
  );
  /** Requests of the SDK's client. */
  private readonly pending = new Set<RequestId>();

  constructor(
    private readonly inner: InnerTransport,
    private readonly options: SessionWireOptions,
  ) {}

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  /** Why it went down, when that is known. */
  get closeError(): unknown {
    return this.options.closeError?.();
  }

  get hasPerRequestStream(): boolean {
    return this.inner.hasPerRequestStream ?? false;
  }

  async start(): Promise<void> {
    const { isBounded, onNotice } = this.options;
    const gate = isBounded
      ? undefined
      : new NotificationGate((message) => this.receive(message), onNotice);
    this.inner.onmessage = (message: JsonObject, text?: string) => {
      if (!gate) {
        this.receive(message, text);
        return;
      }
      if (pruneDeeper(message, maxMessageDepth)) {
        onNotice('warn', tooDeepSentence());
      }
      gate.push(message);
    };
    this.inner.onerror = (error) => this.onerror?.(error);
    this.inner.onclose = () => {
      gate?.dispose();
      this.onclose?.();
      this.requests.close(this.closeError ?? new EngineError('closed', 'Connection closed'));
    };
    await this.inner.start();
  }

  /** Of the SDK's client. */
  async send(message: JsonObject, options?: SendOptions): Promise<void> {
    const { id, method, params } = message;
    const requestId = method === undefined ? undefined : (id as RequestId | undefined);
    if (requestId !== undefined) {
      this.pending.add(requestId);
      const forget = () => this.pending.delete(requestId);
      options?.requestSignal?.addEventListener('abort', forget, { once: true });
    } else if (method === 'notifications/cancelled') {
      this.pending.delete((params as { readonly requestId: RequestId }).requestId);
    }
    this.handshake.sent(message);
    try {
      await this.pass(message, options);
    } catch (error) {
      this.pending.delete(requestId ?? '');
      throw error;
    }
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  setProtocolVersion(version: string): void {
    this.protocolVersion = version;
    this.inner.setProtocolVersion?.(version);
  }

  isPending(id: RequestId): boolean {
    return this.pending.has(id) || this.requests.isPending(id);
  }

  /** Ends an unanswered request in the server's place; no effect on any other. */
  failRequest(id: RequestId, sentence: string): void {
    if (this.isPending(id)) {
      this.noteFault(id, sentence);
    }
    if (this.pending.has(id)) {
      this.deliver(failedResponse(id, sentence));
    } else {
      this.requests.fail(id, serverError(rpcCode.internalError, sentence));
    }
  }

  /** Written beside what was received: no answer to `id`, or one that cannot be taken as it is. */
  noteFault(id: RequestId, sentence: string): void {
    this.options.onTraffic?.('local', failedResponse(id, sentence));
  }

  private pass(message: JsonObject, options: SendOptions | undefined): Promise<void> {
    const { inner } = this;
    const text = inner.sendText && JSON.stringify(message);
    this.options.onTraffic?.('sent', message, text);
    return inner.sendText && text !== undefined
      ? inner.sendText(text)
      : inner.send(message, options);
  }

  private receive(message: JsonObject, text?: string): void {
    this.options.onTraffic?.('received', message, text);
    this.deliver(message);
  }

  private deliver(message: JsonObject): void {
    const { id, method, params } = message;
    if (this.requests.receive(message)) {
      return;
    }
    if (method === 'notifications/progress' || method === 'notifications/message') {
      this.onNotification?.({ method, params });
    } else if (method !== undefined) {
      if (id !== undefined) {
        this.onQuestion?.(id, method);
      }
      this.onmessage?.(message);
    } else if (typeof id !== 'string' && typeof id !== 'number') {
      this.options.onNotice('debug', l10n.t('The server answered a request that was not sent.'));
    } else if (this.pending.delete(id)) {
      this.handshake.received(message);
      this.onmessage?.(repairResponse(id, message));
    } else {
      this.options.onNotice('debug', l10n.t('The server answered a request that was not sent.'));
    }
  }
}
