import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import * as l10n from '@vscode/l10n';
import type { JsonObject } from '../../../base/json.js';
import type { EngineConnectOptions } from '../session/engine.js';
import { HandshakeCheck } from '../session/handshakeCheck.js';
import { type RequestId, repairResponse } from '../session/repairResponse.js';
import { isTaskProgress, type TaskProgressNotification } from '../session/tasks.js';
import { DirectRequests } from './directRequests.js';

/** What both our transports and the SDK's look like from here. */
export type InnerTransport = Pick<
  Transport,
  'start' | 'close' | 'onclose' | 'onerror' | 'setProtocolVersion'
> & {
  send(message: JSONRPCMessage): Promise<void>;
  onmessage?: ((message: never) => void) | undefined;
};

/**
 * Stands between the SDK's client and a transport: repairs responses that the SDK would ignore, leaving their
 * request to wait for its time-out, and knows which requests are unanswered.
 */
export class SdkWire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Progress that the SDK knows nothing of. */
  onTaskProgress?: (notification: TaskProgressNotification) => void;
  protocolVersion: string | undefined;
  private readonly pending = new Set<RequestId>();
  readonly handshake = new HandshakeCheck();
  /** Of the session that the SDK's client has opened. */
  readonly direct = new DirectRequests((message) => {
    this.options.onTraffic?.('sent', message);
    return this.inner.send(message as JSONRPCMessage);
  });

  constructor(
    private readonly inner: InnerTransport,
    private readonly options: Pick<EngineConnectOptions, 'onNotice' | 'onTraffic'>,
  ) {}

  async start(): Promise<void> {
    this.inner.onmessage = (message: JsonObject) => this.receive(message);
    this.inner.onerror = (error) => this.onerror?.(error);
    this.inner.onclose = () => {
      this.onclose?.();
      this.direct.close();
    };
    await this.inner.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    if (id !== undefined) {
      this.pending.add(id);
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      const cancelled = message.params?.requestId as RequestId | undefined;
      this.pending.delete(cancelled ?? '');
    }
    this.handshake.sent(message);
    this.options.onTraffic?.('sent', message as JsonObject);
    try {
      await this.inner.send(message);
    } catch (error) {
      this.pending.delete(id ?? '');
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

  private receive(message: JsonObject): void {
    this.options.onTraffic?.('received', message);
    if (this.direct.receive(message)) {
      return;
    }
    if ('method' in message) {
      if (isTaskProgress(message)) {
        this.onTaskProgress?.(message);
      } else {
        this.onmessage?.(message as JSONRPCMessage);
      }
      return;
    }
    const { id } = message;
    if (typeof id !== 'string' && typeof id !== 'number') {
      this.options.onNotice('debug', l10n.t('The server sent a response that names no request.'));
      return;
    }
    if (this.pending.delete(id)) {
      this.handshake.received(message);
      this.onmessage?.(repairResponse(id, message) as JSONRPCMessage);
    } else {
      this.options.onNotice(
        'debug',
        l10n.t('The server answered a request that nobody waits for.'),
      );
    }
  }
}
