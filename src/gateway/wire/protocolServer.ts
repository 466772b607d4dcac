/** One server of the SDK, which passes every request on as it came; ours is the only judge of what it says. */
import {
  type JSONRPCRequest,
  LOG_LEVEL_META_KEY,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { linkSignals, raceWithSignal } from '../../base/async/cancellation.js';
import { isJsonObject } from '../../base/json.js';
import { isServerLogLevel } from '../../mcp/connection/session/serverLog.js';
import type { McpProgress } from '../../mcp/mcpTypes.js';
import { logMethod } from './sessionSubscriptions.js';
import type { Subscriptions, WireOptions } from './wireTypes.js';

export interface ServingSession {
  readonly subscriptions?: Subscriptions | undefined;
  /** A request has begun. */
  began?(): void;
  /** Aborts when nobody waits for the answer to the request any more. */
  goneOf?(requestId: string | number): AbortSignal | undefined;
  /** The request is over. */
  ended?(requestId: string | number, isCancelled: boolean): void;
}

export function createProtocolServer(
  { endpoint, version, signal: ending, onError }: WireOptions,
  session: ServingSession,
): Server {
  const { title, instructions } = endpoint;
  const server = new Server(
    { name: 'pi-mcp', title, version },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      },
      ...(instructions !== undefined && { instructions }),
    },
  );
  server.onerror = onError;
  // the SDK would keep the level, and filter by it what we do not send through it
  server.removeRequestHandler('logging/setLevel');
  // a handler of its own for each method would have the SDK check what servers answer, and refuse what it does not know
  server.fallbackRequestHandler = async (request: JSONRPCRequest, ctx: ServerContext) => {
    const { id } = ctx.mcpReq;
    const left = linkSignals(ctx.mcpReq.signal, session.goneOf?.(id));
    const either = linkSignals(left.signal, ending);
    const progress = progressOf(request, ctx);
    session.began?.();
    const log = logOf(endpoint, ctx);
    try {
      const answering = endpoint.answer(request.method, request.params, {
        client: clientOf(server),
        signal: either.signal,
        onProgress: progress?.report,
        ...(session.subscriptions && { subscriptions: session.subscriptions }),
      });
      const answer = await raceWithSignal(answering, either.signal);
      await Promise.all([progress?.sent(), log?.sent()]);
      return { ...answer };
    } finally {
      log?.dispose();
      either.dispose();
      left.dispose();
      session.ended?.(id, left.signal.aborted);
    }
  };
  return server;
}

export const unknownClient = 'unknown';
export const maxClientName = 100;

export function clientOf(server: Server) {
  const { name = unknownClient, version } = server.getClientVersion() ?? {};
  return { name: name.slice(0, maxClientName), ...(version !== undefined && { version }) };
}

/** Relays progress under the client's own token; the answer comes after all of it. */
function progressOf(request: JSONRPCRequest, ctx: ServerContext) {
  const progressToken = request.params?._meta?.progressToken;
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') {
    return undefined;
  }
  const notices = new RequestNotices(ctx);
  return {
    report: (progress: McpProgress) =>
      notices.send('notifications/progress', { progressToken, ...progress }),
    sent: () => notices.sent,
  };
}

/** Relays what servers log while a request runs that names the level, as those of 2026-07-28 do. */
function logOf({ logs }: WireOptions['endpoint'], ctx: ServerContext) {
  const { envelope } = ctx.mcpReq;
  const level = isJsonObject(envelope) ? envelope[LOG_LEVEL_META_KEY] : undefined;
  if (!isServerLogLevel(level)) {
    return undefined;
  }
  const notices = new RequestNotices(ctx);
  const listening = logs.add({ level, send: (message) => notices.send(logMethod, { ...message }) });
  return { sent: () => notices.sent, dispose: () => listening.dispose() };
}

/** Notifications on the stream of one request. */
class RequestNotices {
  /** Resolves when all are on their way. */
  sent: Promise<void> = Promise.resolve();

  constructor(private readonly ctx: ServerContext) {}

  send(method: string, params: Record<string, unknown>): void {
    this.sent = this.ctx.mcpReq
      .notify({ method, params })
      // the client is gone
      .catch(() => undefined);
  }
}
