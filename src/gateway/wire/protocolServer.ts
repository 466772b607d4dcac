/** One server of the SDK, which passes every request on as it came; ours is the only judge of what it says. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type JSONRPCRequest,
  LOG_LEVEL_META_KEY,
  Server,
  type ServerCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { linkSignals, raceWithSignal } from '../../base/async/cancellation.js';
import type { Disposable } from '../../base/disposable.js';
import { isJsonObject, type JsonObject } from '../../base/json.js';
import { isServerLogLevel } from '../../mcp/connection/session/serverLog.js';
import { isCausing } from '../../mcp/originTypes.js';
import { gatewayName } from '../lending/lentServers.js';
import {
  type Begin,
  type HeldRequests,
  mayBeAsked,
  pushingOrigin,
  type Round,
  silentOrigin,
} from './askedClients.js';
import { logMethod } from './sessionSubscriptions.js';
import type { ServingOptions, Subscriptions } from './wireTypes.js';

const ownCapabilities: ServerCapabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

export interface ServingSession {
  readonly subscriptions?: Subscriptions | undefined;
  /** Requests of 2026-07-28 that go on while their clients are asked. Default: those are asked nothing. */
  readonly held?: HeldRequests | undefined;
  /** A request has begun. */
  began?(): void;
  /** Aborts when nobody waits for the answer to the request any more. */
  goneOf?(requestId: string | number): AbortSignal | undefined;
  /** The request is over. */
  ended?(requestId: string | number, isCancelled: boolean): void;
}

export function createProtocolServer(
  { endpoint, version, signal: ending, onError }: ServingOptions,
  session: ServingSession,
): Server {
  const { title, instructions, capabilities = ownCapabilities } = endpoint;
  const { serverInfo = { name: gatewayName, title, version } } = endpoint;
  const server = new Server(serverInfo, { capabilities, instructions });
  server.onerror = onError;
  // clients of the SDK 1 take no notice when request 0 is taken back
  Reflect.set(server, '_requestMessageId', 1);
  // the SDK would keep the level, and filter by it what we do not send through it
  server.removeRequestHandler('logging/setLevel');
  // a handler of its own for each method would have the SDK check what servers answer, and refuse what it does not know
  server.fallbackRequestHandler = async (request: JSONRPCRequest, ctx: ServerContext) => {
    const { id } = ctx.mcpReq;
    const left = linkSignals(ctx.mcpReq.signal, session.goneOf?.(id));
    const either = linkSignals(left.signal, ending);
    const notices = new RequestNotices(ctx);
    session.began?.();
    const begin: Begin = (origin, signal, onProgress) =>
      endpoint.answer(request.method, request.params, {
        client: clientInfo(server),
        signal,
        onProgress,
        origin,
        subscriptions: session.subscriptions,
      });
    const round = {
      ...roundOf(request, ctx, server),
      signal: either.signal,
      onProgress: progressTo(notices, request),
      listen: (client: object) => listenToLogs(endpoint, ctx, client, notices),
    };
    try {
      const answer = await raceWithSignal(answerOf(round, ctx, session, begin), either.signal);
      await notices.sent;
      return { ...answer };
    } finally {
      either.dispose();
      left.dispose();
      session.ended?.(id, left.signal.aborted);
    }
  };
  return server;
}

/** A client of 2026-07-28 that may be asked something comes again with its answers; all others get one answer. */
async function answerOf(
  round: Round,
  ctx: ServerContext,
  { held, subscriptions }: ServingSession,
  begin: Begin,
): Promise<JsonObject> {
  const isAsked = isCausing(ctx.mcpReq.method) && mayBeAsked(round.capabilities);
  if (isModern(ctx) && isAsked && held) {
    return held.answer(round, begin);
  }
  const client = subscriptions ?? round;
  const origin =
    isModern(ctx) || !isAsked
      ? silentOrigin(client)
      : pushingOrigin(client, round.capabilities, ctx);
  const listening = round.listen(origin.client);
  try {
    return await begin(origin, round.signal, round.onProgress);
  } finally {
    listening?.dispose();
  }
}

function isModern({ mcpReq }: ServerContext): boolean {
  return mcpReq.envelope !== undefined;
}

function roundOf({ method, params }: JSONRPCRequest, { mcpReq }: ServerContext, server: Server) {
  const { envelope } = mcpReq;
  const { _meta, ...same } = params ?? {};
  return {
    key: JSON.stringify([method, same]),
    state: mcpReq.requestState<string>(),
    responses: mcpReq.inputResponses,
    capabilities: isJsonObject(envelope)
      ? envelope[CLIENT_CAPABILITIES_META_KEY]
      : server.getClientCapabilities(),
  };
}

export const unknownClient = 'unknown';
export const maxClientName = 100;

export function clientInfo(server: Server) {
  const { name = unknownClient, version } = server.getClientVersion() ?? {};
  return { name: name.slice(0, maxClientName), version };
}

/** Relays progress under the client's own token; the answer comes after all of it. */
function progressTo(notices: RequestNotices, { params }: JSONRPCRequest): Round['onProgress'] {
  const progressToken = params?._meta?.progressToken;
  return typeof progressToken === 'string' || typeof progressToken === 'number'
    ? (progress) => notices.send('notifications/progress', { progressToken, ...progress })
    : undefined;
}

/** Relays what servers log while a request runs that names the level, as those of 2026-07-28 do. */
function listenToLogs(
  { logs }: ServingOptions['endpoint'],
  { mcpReq: { envelope } }: ServerContext,
  client: object,
  notices: RequestNotices,
): Disposable | undefined {
  const level = isJsonObject(envelope) ? envelope[LOG_LEVEL_META_KEY] : undefined;
  return isServerLogLevel(level)
    ? logs.add({ level, client, send: (message) => notices.send(logMethod, { ...message }) })
    : undefined;
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
