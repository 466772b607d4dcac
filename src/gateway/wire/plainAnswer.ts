/**
 * The common request of a session: one that is answered with one message. It takes the shortest way, past the machinery
 * that the SDK has for all others, which takes longer than the call.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { defined, isJsonObject, type JsonObject } from '../../base/json.js';
import { rpcCode } from '../../base/jsonRpc.js';
import { gatewayLimits } from '../http/limits.js';
import type { UnreadAnswers } from '../http/unread.js';

export interface PlainRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params: JsonObject;
}

/** Milliseconds between looks at what is under way. At its second look an answer becomes a stream: clients give up where nothing begins. */
const lookMs = 30;
/** Milliseconds after which a stream says that it is still there. */
const keepAliveMs = 15_000;
const streamType = 'text/event-stream';

/** `undefined`: it needs more than an answer, or is not as it should be, and the SDK says so. */
export function plainRequest(
  { headers }: IncomingMessage,
  message: unknown,
  versions: readonly string[],
): PlainRequest | undefined {
  const { accept = '' } = headers;
  const version = headers['mcp-protocol-version'];
  const isUsual =
    accept.includes('application/json') &&
    accept.includes(streamType) &&
    headers['content-type']?.split(';')[0]?.trim() === 'application/json' &&
    (version === undefined || versions.includes(String(version)));
  if (!isUsual || !isJsonObject(message) || message.jsonrpc !== '2.0') {
    return undefined;
  }
  const { id, method, params = {} } = message;
  const isRequest =
    (typeof id === 'string' || typeof id === 'number') && typeof method === 'string';
  if (!isRequest || !isJsonObject(params)) {
    return undefined;
  }
  const meta = params._meta;
  return isJsonObject(meta) && meta.progressToken !== undefined
    ? undefined
    : { id, method, params };
}

/** The answers that are under way at one address. Those that take their time become streams. */
export class PlainAnswers {
  private readonly running = new Set<PlainAnswer>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param ending ends every answer, with its reason. */
  constructor(
    ending: AbortSignal,
    private readonly unread: UnreadAnswers,
  ) {
    const failAll = () => {
      for (const answer of [...this.running]) {
        answer.fail(ending.reason);
      }
    };
    ending.addEventListener('abort', failAll, { once: true });
  }

  begin(
    id: PlainRequest['id'],
    response: ServerResponse,
    sessionId: string,
    onEnd: () => void,
  ): PlainAnswer {
    const answer = new PlainAnswer(id, response, sessionId, () => {
      this.running.delete(answer);
      this.unread.look(response, sessionId);
      onEnd();
    });
    this.running.add(answer);
    // one timer for all: next to no answer lives to see it
    this.timer ??= setTimeout(() => this.look(), lookMs);
    return answer;
  }

  private look(): void {
    this.timer = this.running.size > 0 ? setTimeout(() => this.look(), lookMs) : undefined;
    for (const answer of this.running) {
      answer.wait();
    }
  }
}

/** What one request is answered with, once. */
export class PlainAnswer {
  private readonly leaving = new AbortController();
  private keepAlive: ReturnType<typeof setInterval> | undefined;
  private looks = 0;
  private isOver = false;

  constructor(
    private readonly id: PlainRequest['id'],
    private readonly response: ServerResponse,
    private readonly sessionId: string,
    private readonly onEnd: () => void,
  ) {
    response.on('close', () => this.abandon());
  }

  /** Aborts when nobody waits for it any more. */
  get signal(): AbortSignal {
    return this.leaving.signal;
  }

  /** @param answering rejects with what becomes an error of the protocol */
  follow(answering: Promise<JsonObject>): void {
    answering.then(
      (result) => this.end(JSON.stringify({ jsonrpc: '2.0', id: this.id, result })),
      (error: unknown) => this.end(this.errorText(error)),
    );
  }

  fail(reason: unknown): void {
    this.end(this.errorText(reason));
    this.leaving.abort(reason);
  }

  /** The client has gone, or has taken the request back. */
  abandon(): void {
    if (!this.isOver) {
      this.end(undefined);
      this.leaving.abort();
    }
  }

  /** Called at every look: who sees a second one has waited for long. */
  wait(): void {
    this.looks++;
    if (this.looks === 2 && !this.isOver) {
      this.response.writeHead(200, this.head(streamType)).flushHeaders();
      this.keepAlive = setInterval(() => this.response.write(': still there\n\n'), keepAliveMs);
    }
  }

  private end(text: string | undefined): void {
    if (this.isOver) {
      return;
    }
    this.isOver = true;
    const { response } = this;
    if (response.headersSent) {
      response.end(text && Buffer.from(`event: message\ndata: ${text}\n\n`));
    } else {
      const head = this.head(text === undefined ? streamType : 'application/json');
      // with its length, Node sends head and body in one piece
      head['content-length'] = String(Buffer.byteLength(text ?? ''));
      // a long text would be held beside its bytes
      const isLong = text !== undefined && text.length > gatewayLimits.unreadWorthBytes;
      response.writeHead(200, head).end(isLong ? Buffer.from(text) : text);
    }
    // the client has its answer before we tidy up
    clearInterval(this.keepAlive);
    this.onEnd();
  }

  private head(type: string): Record<string, string> {
    return { 'mcp-session-id': this.sessionId, 'content-type': type };
  }

  private errorText(error: unknown): string {
    return JSON.stringify({ jsonrpc: '2.0', id: this.id, error: errorItem(error) });
  }
}

function errorItem(error: unknown): JsonObject {
  const { code, message, data } = (error ?? {}) as Partial<
    Record<'code' | 'message' | 'data', unknown>
  >;
  return defined({
    code: Number.isSafeInteger(code) ? code : rpcCode.internalError,
    message: typeof message === 'string' ? message : 'Internal error',
    data,
  });
}
