/** One server of the SDK, which passes every request on as it came; ours is the only judge of what it says. */
import { type JSONRPCRequest, Server, type ServerContext } from '@modelcontextprotocol/server';
import { linkSignals, raceWithSignal } from '../../base/async/cancellation.js';
import type { McpProgress } from '../../mcp/mcpTypes.js';
import type { Subscriptions, WireOptions } from './wireTypes.js';

export interface ServingSession {
  readonly subscriptions?: Subscriptions | undefined;
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
      },
      ...(instructions !== undefined && { instructions }),
    },
  );
  server.onerror = onError;
  // a handler of its own for each method would have the SDK check what servers answer, and refuse what it does not know
  server.fallbackRequestHandler = async (request: JSONRPCRequest, ctx: ServerContext) => {
    const { id } = ctx.mcpReq;
    const left = linkSignals(ctx.mcpReq.signal, session.goneOf?.(id));
    const either = linkSignals(left.signal, ending);
    const progress = progressOf(request, ctx);
    try {
      const answering = endpoint.answer(request.method, request.params, {
        client: clientOf(server),
        signal: either.signal,
        onProgress: progress?.report,
        ...(session.subscriptions && { subscriptions: session.subscriptions }),
      });
      const answer = await raceWithSignal(answering, either.signal);
      await progress?.sent();
      return { ...answer };
    } finally {
      either.dispose();
      left.dispose();
      session.ended?.(id, left.signal.aborted);
    }
  };
  return server;
}

function clientOf(server: Server) {
  const { name = 'unknown', version } = server.getClientVersion() ?? {};
  return { name: name.slice(0, 100), ...(version !== undefined && { version }) };
}

/** Relays progress under the client's own token; the answer comes after all of it. */
function progressOf(request: JSONRPCRequest, ctx: ServerContext) {
  const progressToken = request.params?._meta?.progressToken;
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') {
    return undefined;
  }
  let last: Promise<void> = Promise.resolve();
  return {
    report: (progress: McpProgress) => {
      const params = { progressToken, ...progress };
      last = ctx.mcpReq
        .notify({ method: 'notifications/progress', params })
        // the client is gone
        .catch(() => undefined);
    },
    sent: () => last,
  };
}
