import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import * as l10n from '@vscode/l10n';
import { isJsonObject, type JsonObject } from '../../../base/json.js';
import { guardDelivery } from '../reading/guardDelivery.js';
import { pruneDeeper } from '../reading/nesting.js';
import { NotificationGate } from '../reading/notificationGate.js';
import { maxMessageDepth } from '../reading/serverBounds.js';
import type { EngineConnectOptions } from '../session/engine.js';
import { HandshakeCheck } from '../session/handshakeCheck.js';
import { failedResponse, type RequestId, repairResponse } from '../session/repairResponse.js';
import { isTaskProgress, type TaskProgressNotification } from '../session/tasks.js';
import { tooDeepSentence } from '../stdio/lineFramer.js';

/** Under this key of a husk is the result as the server sent it. */
const rawKey = 'piMcpRaw';
/** `data` of the error of a request that the server refused because it does not know the session. */
export const refusedBySession = 'piMcpSessionLost';

/** What both our transports and the SDK's look like from here. */
export type InnerTransport = Pick<
  Transport,
  'start' | 'close' | 'onclose' | 'onerror' | 'setProtocolVersion' | 'hasPerRequestStream'
> & {
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>;
  onmessage?: ((message: never) => void) | undefined;
  readonly sessionId?: string | undefined;
};

/** Before the name of a method that the SDK would not send to a server of this generation. */
export const extensionMethodPrefix = 'piMcp/';

/** Results with parts that may be malformed one by one → the least that the SDK accepts in their place. */
const husks: Readonly<Record</* method */ string, JsonObject>> = {
  'completion/complete': { completion: { values: [] } },
  'tools/call': { content: [] },
  'tools/list': { tools: [] },
  'prompts/get': { messages: [] },
  'prompts/list': { prompts: [] },
  'resources/list': { resources: [] },
  'resources/read': { contents: [] },
  'resources/templates/list': { resourceTemplates: [] },
};

/**
 * Stands between the SDK's client and a transport: repairs responses that the SDK would ignore, knows which requests
 * are unanswered, and shows the SDK husks of results that it would refuse whole for one malformed part.
 */
export class ClientEngineWire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  /** Progress that the SDK knows nothing of. */
  onTaskProgress?: (notification: TaskProgressNotification) => void;
  protocolVersion: string | undefined;
  /** Its messages come out of a {@link LineFramer}, which bounds them. */
  protected readonly isFramed: boolean = false;
  private readonly pending = new Map<RequestId, /* method */ string>();
  readonly handshake = new HandshakeCheck();
  private readonly gate = new NotificationGate(
    guardDelivery(
      (message) => {
        this.options.onTraffic?.('received', message);
        if (isTaskProgress(message)) {
          this.onTaskProgress?.(message);
        } else {
          this.onmessage?.(message as JSONRPCMessage);
        }
      },
      (level, message) => this.options.onNotice(level, message),
    ),
    (method, count) =>
      this.options.onNotice(
        'warn',
        l10n.t('The server sent too many {0}; {1} were skipped.', method, count),
      ),
  );

  constructor(
    readonly inner: InnerTransport,
    private readonly options: Pick<EngineConnectOptions, 'onNotice' | 'onTraffic'>,
  ) {}

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  get hasPerRequestStream(): boolean {
    return this.inner.hasPerRequestStream ?? false;
  }

  async start(): Promise<void> {
    const receive = guardDelivery(
      (message) => this.receive(message),
      (level, message) => this.options.onNotice(level, message),
    );
    this.inner.onmessage = (message: JsonObject) => {
      // lines were looked at as text, which is quicker
      if (!this.isFramed && pruneDeeper(message, maxMessageDepth)) {
        this.options.onNotice('warn', tooDeepSentence());
      }
      receive(message);
    };
    this.inner.onerror = (error) => this.onerror?.(error);
    this.inner.onclose = () => {
      this.gate.dispose();
      this.onclose?.();
    };
    await this.inner.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    if (id !== undefined && 'method' in message) {
      this.pending.set(id, message.method);
      options?.requestSignal?.addEventListener('abort', () => this.pending.delete(id), {
        once: true,
      });
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      this.pending.delete((message.params?.requestId as RequestId | undefined) ?? '');
    }
    const sent = withPlainMethod(message);
    this.handshake.sent(sent);
    this.options.onTraffic?.('sent', sent as JsonObject);
    try {
      await this.inner.send(sent, options);
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

  isPending(id: RequestId): boolean {
    return this.pending.has(id);
  }

  /** Answers an unanswered request in the server's place; no effect on any other. */
  failRequest(id: RequestId, sentence: string, data?: string): void {
    if (this.pending.has(id)) {
      this.receive(failedResponse(id, sentence, data));
    }
  }

  private receive(message: JsonObject): void {
    if ('method' in message) {
      this.gate.push(message);
      return;
    }
    this.options.onTraffic?.('received', message);
    const { id } = message;
    if (typeof id !== 'string' && typeof id !== 'number') {
      this.options.onNotice('debug', l10n.t('The server sent a response that names no request.'));
      return;
    }
    const method = this.pending.get(id);
    if (method === undefined) {
      this.options.onNotice(
        'debug',
        l10n.t('The server answered a request that nobody waits for.'),
      );
      return;
    }
    this.pending.delete(id);
    this.handshake.received(message);
    this.onmessage?.(coverParts(method, repairResponse(id, message)) as JSONRPCMessage);
  }
}

/** A wire that the SDK takes for a process's, and therefore asks for its version in its own way. */
export class ClientEngineStdioWire extends ClientEngineWire {
  readonly stderr = undefined;
  protected override readonly isFramed = true;

  get pid(): number | undefined {
    return (this.inner as { readonly pid?: number }).pid;
  }
}

/** The result as the server sent it, of one that came through a {@link ClientEngineWire}. */
export function uncoverParts(result: JsonObject): JsonObject {
  const raw = result[rawKey];
  return isJsonObject(raw) ? raw : result;
}

function withPlainMethod(message: JSONRPCMessage): JSONRPCMessage {
  return 'method' in message && message.method.startsWith(extensionMethodPrefix)
    ? { ...message, method: message.method.slice(extensionMethodPrefix.length) }
    : message;
}

function coverParts(method: string | undefined, response: JsonObject): JsonObject {
  const { result } = response;
  const isTask = isJsonObject(result) && method === 'tools/call' && result.resultType === 'task';
  if (isJsonObject(result) && (isTask || method?.startsWith(extensionMethodPrefix))) {
    // a kind of result that the SDK does not know
    return { ...response, result: { resultType: 'complete', content: [], [rawKey]: result } };
  }
  const known = method === undefined ? undefined : husks[method];
  // a result that does not say is complete
  const isFinal = isJsonObject(result) && (result.resultType ?? 'complete') === 'complete';
  if (known === undefined || !isFinal) {
    return response;
  }
  const husk = {
    resultType: 'complete',
    ...known,
    ttlMs: 0,
    cacheScope: 'private',
    [rawKey]: result,
  };
  return { ...response, result: husk };
}
