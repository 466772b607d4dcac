/** A client at the socket: one connection is one session, with a message on each line. */
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { LineFramer } from '../../mcp/connection/stdio/lineFramer.js';
import { gatewayLimits } from '../http/limits.js';
import type { UnreadAnswers } from '../http/unread.js';
import { clientInfo, createProtocolServer } from './protocolServer.js';
import { SessionSubscriptions } from './sessionSubscriptions.js';
import type { ChangedList, ServingOptions, WireOptions } from './wireTypes.js';

const newline = 10;

export class StreamSessions {
  private readonly sessions = new Map<string, StreamSession>();

  constructor(private readonly options: WireOptions) {}

  async serve(socket: Duplex): Promise<void> {
    const { sessions } = this.options;
    const id = randomUUID();
    const session = new StreamSession(this.options, socket, () => {
      this.sessions.delete(id);
      sessions.remove(id);
    });
    this.sessions.set(id, session);
    sessions.add(id, session);
    await session.open();
    // before its first message is read; who never speaks only looked whether somebody is here
    socket.prependOnceListener('data', () => sessions.hasRoom() || socket.destroy());
  }

  tellChanged(lists: readonly ChangedList[]): void {
    for (const session of this.sessions.values()) {
      session.tellChanged(lists);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.sessions.values()].map((session) => session.close()));
  }
}

export class StreamSession {
  /** As long as it is connected. */
  readonly isBusy = true;
  private calls = 0;
  private readonly subscriptions: SessionSubscriptions;
  private readonly server;

  constructor(
    private readonly options: ServingOptions,
    private readonly socket: Duplex,
    onDidClose: () => void,
  ) {
    this.subscriptions = new SessionSubscriptions((method, params) =>
      this.server.notification({ method, params }),
    );
    this.server = createProtocolServer(options, {
      subscriptions: this.subscriptions,
      began: () => {
        this.calls++;
      },
      ended: () => {
        this.calls--;
      },
    });
    this.server.onclose = () => {
      this.subscriptions.dispose();
      onDidClose();
    };
  }

  get isCalled(): boolean {
    return this.calls > 0;
  }

  get client(): string | undefined {
    return this.isUnnamed ? undefined : clientInfo(this.server).name;
  }

  get isUnnamed(): boolean {
    return this.server.getClientVersion() === undefined;
  }

  async open(): Promise<void> {
    await this.server.connect(new SocketTransport(this.socket, this.options.unread));
  }

  tellChanged(lists: readonly ChangedList[]): void {
    this.subscriptions.tellChanged(lists);
  }

  async close(): Promise<void> {
    await this.server.close().catch(this.options.onError);
  }
}

class SocketTransport implements Transport {
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onmessage: Transport['onmessage'];
  private lineBytes = 0;

  private readonly client = randomUUID();

  constructor(
    private readonly socket: Duplex,
    private readonly unread: UnreadAnswers,
  ) {}

  async start(): Promise<void> {
    const framer = new LineFramer({
      onMessage: (message) => this.onmessage?.(message as unknown as JSONRPCMessage),
      onNotice: () => undefined,
    });
    this.socket.on('data', (chunk: Buffer) => {
      const last = chunk.lastIndexOf(newline);
      this.lineBytes = last === -1 ? this.lineBytes + chunk.length : chunk.length - last;
      if (this.lineBytes > gatewayLimits.bodyBytes) {
        this.socket.destroy();
        return;
      }
      framer.push(chunk);
    });
    this.socket.on('close', () => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.socket.write(`${JSON.stringify(message)}\n`);
    this.unread.look(this.socket, this.client);
    if (this.socket.writableLength > gatewayLimits.unreadOfClientBytes) {
      this.socket.destroy();
    }
  }

  async close(): Promise<void> {
    this.socket.end(() => this.socket.destroy());
  }
}
