/** Clients of the generation of 2025, which open a session and keep it. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { DisposableStore } from '../../base/disposable.js';
import { asObject, isJsonObject } from '../../base/json.js';
import { rpcCode } from '../../base/jsonRpc.js';
import { isCausing } from '../../mcp/originTypes.js';
import { mayBeAsked, silentOrigin } from './askedClients.js';
import { clientNameIn } from './listening.js';
import { type PlainAnswer, PlainAnswers, type PlainRequest, plainRequest } from './plainAnswer.js';
import { clientInfo, createProtocolServer } from './protocolServer.js';
import { rpcResponse } from './rpcResponse.js';
import { logMethod, SessionSubscriptions } from './sessionSubscriptions.js';
import type { ChangedList, WireOptions } from './wireTypes.js';

type RequestId = string | number;

export class LegacySessions {
  private readonly sessions = new Map</* session id */ string, LegacySession>();
  private readonly answers: PlainAnswers;

  constructor(private readonly options: WireOptions) {
    this.answers = new PlainAnswers(options.signal, options.unread);
  }

  async handle(request: Request, body: unknown): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) {
      const session = this.sessions.get(id);
      // clients begin anew when they read that
      return session
        ? session.handle(request, body)
        : rpcResponse(404, rpcCode.sessionNotFound, 'Session not found');
    }
    if (request.method !== 'POST' || !isInitialize(body)) {
      return rpcResponse(400, rpcCode.plainError, 'Mcp-Session-Id header is required');
    }
    const client = clientNameIn(body);
    if (!this.options.sessions.hasRoom(client)) {
      return rpcResponse(503, rpcCode.plainError, 'Too many sessions');
    }
    const session = await LegacySession.open(this.options, client, {
      opened: (newId) => {
        this.sessions.set(newId, session);
        this.options.sessions.add(newId, session);
      },
      closed: (oldId) => {
        this.sessions.delete(oldId);
        this.options.sessions.remove(oldId);
      },
    });
    return session.handle(request, body);
  }

  answerPlainly(incoming: IncomingMessage, response: ServerResponse, message: unknown): boolean {
    const session = this.sessions.get(String(incoming.headers['mcp-session-id']));
    const request = session && plainRequest(incoming, message, SUPPORTED_PROTOCOL_VERSIONS);
    return session && request ? session.answerPlainly(request, response, this.answers) : false;
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

class LegacySession {
  private readonly gone = new Map<RequestId, AbortSignal>();
  private readonly subscriptions = new SessionSubscriptions((method, params) => {
    // on the stream of what runs, so that it comes before the answer
    const relatedRequestId = method === logMethod ? [...this.gone.keys()].at(-1) : undefined;
    return this.server?.notification(
      { method, params },
      relatedRequestId === undefined ? {} : { relatedRequestId },
    );
  });
  /** To requests that the SDK does not see. */
  private readonly plain = new Map<RequestId, PlainAnswer>();
  private caller: ReturnType<typeof clientInfo> | undefined;
  private open = 0;
  /** Of what is open, the requests. */
  private calls = 0;
  private server: Server | undefined;

  private constructor(
    private readonly options: WireOptions,
    private readonly transport: WebStandardStreamableHTTPServerTransport,
    readonly client: string,
  ) {}

  static async open(
    options: WireOptions,
    client: string,
    on: { opened(id: string): void; closed(id: string): void },
  ): Promise<LegacySession> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: on.opened,
    });
    const session = new LegacySession(options, transport, client);
    const server = createProtocolServer(options, {
      subscriptions: session.subscriptions,
      goneOf: (id) => session.gone.get(id),
      ended: (id, isCancelled) => {
        session.gone.delete(id);
        if (isCancelled) {
          // nothing is answered to it, so its stream would stay open
          transport.closeSSEStream(id);
        }
      },
    });
    server.onclose = () => {
      session.subscriptions.dispose();
      for (const answer of session.plain.values()) {
        answer.abandon();
      }
      if (transport.sessionId !== undefined) {
        on.closed(transport.sessionId);
      }
    };
    session.server = server;
    await server.connect(transport);
    return session;
  }

  get isBusy(): boolean {
    return this.open > 0;
  }

  get isCalled(): boolean {
    return this.calls > 0;
  }

  async handle(request: Request, body: unknown): Promise<Response> {
    this.plain.get(cancelledId(body) ?? '')?.abandon();
    const ids = requestIds(body);
    for (const id of ids) {
      this.gone.set(id, request.signal);
    }
    if (this.transport.sessionId !== undefined) {
      this.options.sessions.touch(this.transport.sessionId);
    }
    const response = await this.transport.handleRequest(
      request,
      body === undefined ? {} : { parsedBody: body },
    );
    const calls = request.method === 'GET' ? 0 : 1;
    this.calls += calls;
    return this.counted(response, request.signal, () => {
      this.calls -= calls;
      for (const id of ids) {
        this.gone.delete(id);
      }
    });
  }

  answerPlainly(request: PlainRequest, response: ServerResponse, answers: PlainAnswers): boolean {
    const { endpoint, sessions, signal: ending } = this.options;
    const { id, method, params } = request;
    const { server, transport, subscriptions } = this;
    const { sessionId } = transport;
    // what servers log and ask comes on the stream of what runs
    const isAsked = isCausing(method) && mayBeAsked(server?.getClientCapabilities());
    const isPlain =
      endpoint.has(method) && !isAsked && !subscriptions.isListening && !this.gone.has(id);
    const isOver = response.closed || ending.aborted;
    if (!isPlain || isOver || !server || sessionId === undefined || this.plain.has(id)) {
      return false;
    }
    sessions.touch(sessionId);
    this.open++;
    this.calls++;
    const answer = answers.begin(id, response, sessionId, () => {
      this.plain.delete(id);
      this.open--;
      this.calls--;
    });
    this.plain.set(id, answer);
    this.caller ??= clientInfo(server);
    const origin = silentOrigin(subscriptions);
    const caller = { client: this.caller, signal: answer.signal, subscriptions, origin };
    answer.follow(endpoint.answer(method, params, caller));
    return true;
  }

  tellChanged(lists: readonly ChangedList[]): void {
    this.subscriptions.tellChanged(lists);
  }

  async close(): Promise<void> {
    await this.server?.close().catch(this.options.onError);
  }

  /** As long as its body flows, the session is in use. */
  private counted(response: Response, gone: AbortSignal, onEnd: () => void): Response {
    if (!response.body) {
      onEnd();
      return response;
    }
    const store = new DisposableStore();
    this.open++;
    const end = () => {
      if (!store.isDisposed) {
        store.dispose();
        this.open--;
        onEnd();
      }
    };
    gone.addEventListener('abort', end, { once: true });
    const body = response.body.pipeThrough(new TransformStream({ flush: end }));
    return new Response(body, { status: response.status, headers: response.headers });
  }
}

function isInitialize(body: unknown): boolean {
  return asObject(body).method === 'initialize';
}

function requestIds(body: unknown): readonly RequestId[] {
  return [body].flat().flatMap((message) => {
    const id = isJsonObject(message) && 'method' in message ? message.id : undefined;
    return typeof id === 'string' || typeof id === 'number' ? [id] : [];
  });
}

function cancelledId(body: unknown): RequestId | undefined {
  const { method, params } = asObject(body);
  const id = method === 'notifications/cancelled' ? asObject(params).requestId : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
