import { SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { delay } from '../../../base/async/cancellation.js';
import { isHumanError } from '../../../base/errors.js';
import type { ResolvedHttpLaunch } from '../../../config/definition.js';
import { withBodyLimit } from '../http/bodyLimit.js';
import { HttpWatch, requestId, SessionLostError } from '../http/httpWatch.js';
import { insecureFetch } from '../http/insecureFetch.js';
import { withOwnSignal } from '../http/ownSignal.js';
import { createReconnectionScheduler } from '../http/resumption.js';
import { withRetryAfter } from '../http/retryAfter.js';
import type { EngineConnectOptions, McpSession } from '../session/engine.js';
import { defaultMaxLineBytes } from '../stdio/lineFramer.js';
import { ClientEngineAuth } from './auth/auth.js';
import type { Fetch } from './auth/discovery.js';
import { AuthorizationFailedError } from './errors.js';
import { createIconReader } from './icons.js';
import { ClientEngineWire, type InnerTransport, refusedBySession } from './wire.js';

/** Longest wait for the server to confirm the end of a session. */
const terminateTimeoutMs = 1000;
const reconnectionOptions = {
  initialReconnectionDelay: 100,
  maxReconnectionDelay: 5000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 4,
};

/** A transport that is ready to be spoken over, and what is special about it. */
export interface Wire {
  readonly kind: McpSession['transport'];
  readonly transport: ClientEngineWire;
  /** Why it broke, once it did. */
  closeError: unknown;
  /** The session is established. */
  isOpen: boolean;
  /** Says goodbye to the server before the wire is cut. Never rejects. */
  readonly terminate: () => Promise<void>;
  readonly onTrouble: (error: Error) => void;
  /** See {@link McpSession.readIcon}. */
  readonly readIcon?: NonNullable<McpSession['readIcon']>;
}

export function createHttpWire(
  kind: 'streamable-http' | 'sse',
  launch: ResolvedHttpLaunch,
  options: EngineConnectOptions,
): Wire {
  const isWanted = (init: RequestInit | undefined) => {
    const id = requestId(init?.body);
    return id === undefined || transport.isPending(id);
  };
  const limited = withBodyLimit(baseFetch(launch), defaultMaxLineBytes, (init, error) => {
    options.onNotice('warn', error.message);
    const id = requestId(init?.body);
    if (id !== undefined) {
      transport.failRequest(id, error.message);
    }
  });
  const watch = new HttpWatch({
    kind,
    fetch: withRetryAfter(limited, { isWanted, onNotice: options.onNotice }),
    onLost: (error) => {
      // before the handshake is over the connect itself rejects, with a better error
      if (wire.isOpen && wire.closeError === undefined) {
        wire.closeError = error;
        if (error instanceof SessionLostError && error.refusedId !== undefined) {
          transport.failRequest(error.refusedId, error.message, refusedBySession);
        }
        void transport.close();
      }
    },
    onNotice: options.onNotice,
    isPending: (id) => transport.isPending(id),
    failRequest: (id, sentence) => transport.failRequest(id, sentence),
  });
  const fetch = authorizedFetch(launch, options, watch.fetch, {
    mayAsk: () => wire.isOpen,
    isWanted,
  });
  const inner = createTransport(kind, launch, fetch);
  const transport = new ClientEngineWire(inner as InnerTransport, options);
  const wire: Wire = {
    kind,
    transport,
    closeError: undefined,
    isOpen: false,
    terminate: async () => {
      if (inner instanceof StreamableHTTPClientTransport && wire.closeError === undefined) {
        const waiting = new AbortController();
        // a server that does not answer or refuses loses nothing by our leaving
        await Promise.race([
          inner.terminateSession(),
          delay(terminateTimeoutMs, waiting.signal),
        ]).catch(() => undefined);
        waiting.abort();
      }
    },
    readIcon: createIconReader(launch, baseFetch(launch)),
    onTrouble: (error) => {
      if (error.message.startsWith('Maximum reconnection attempts')) {
        watch.failResuming();
      }
    },
  };
  return wire;
}

export function baseFetch(launch: ResolvedHttpLaunch): Fetch {
  return withOwnSignal(
    launch.ignoreCertificateErrors ? insecureFetch : (url, init) => fetch(url, init),
  );
}

function authorizedFetch(
  launch: ResolvedHttpLaunch,
  { authorization, onNotice }: EngineConnectOptions,
  next: Fetch,
  options: Parameters<ClientEngineAuth['authorize']>[1],
): Fetch {
  if (!authorization) {
    return next;
  }
  const auth = new ClientEngineAuth(authorization, baseFetch(launch), onNotice);
  const authorized = auth.authorize(next, options);
  return async (url, init) => {
    try {
      return await authorized(url, init);
    } catch (error) {
      throw isHumanError(error)
        ? new AuthorizationFailedError(error.message, { cause: error })
        : error;
    }
  };
}

function createTransport(
  kind: 'streamable-http' | 'sse',
  launch: ResolvedHttpLaunch,
  fetch: Fetch,
): StreamableHTTPClientTransport | SSEClientTransport {
  const url = new URL(launch.url);
  const shared = { requestInit: { headers: { ...launch.headers } }, fetch };
  return kind === 'sse'
    ? new SSEClientTransport(url, shared)
    : new StreamableHTTPClientTransport(url, {
        ...shared,
        reconnectionOptions,
        reconnectionScheduler: createReconnectionScheduler(),
      });
}
