import { SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { delay } from '../../../base/async/cancellation.js';
import { isHumanError } from '../../../base/errors.js';
import type { ResolvedHttpLaunch } from '../../../config/definition.js';
import { withBodyLimit } from '../http/bodyLimit.js';
import type { Fetch } from '../http/fetch.js';
import { HttpWatch, requestId, SessionLostError } from '../http/httpWatch.js';
import { insecureFetch } from '../http/insecureFetch.js';
import { withOwnSignal } from '../http/ownSignal.js';
import { createReconnectionScheduler } from '../http/resumption.js';
import { withRetryAfter } from '../http/retryAfter.js';
import { type EngineConnectOptions, EngineError, type McpSession } from '../session/engine.js';
import { type InnerTransport, SessionWire } from '../session/sessionWire.js';
import { defaultMaxLineBytes } from '../stdio/lineFramer.js';
import { ClientEngineAuth } from './auth/auth.js';
import { AuthorizationFailedError, fromEventStream, fromRemote } from './errors.js';
import { createIconReader } from './icons.js';

/** Longest wait for the server to confirm the end of a session. */
const terminateTimeoutMs = 1000;
const reconnectionOptions = {
  initialReconnectionDelay: 100,
  maxReconnectionDelay: 5000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 4,
};

/** A wire that is ready to be spoken over, and what is special about it. */
export interface ClientWire {
  readonly transport: McpSession['transport'];
  readonly wire: SessionWire;
  /** The SDK's errors in the words of the domain. */
  readonly toError: (error: unknown) => unknown;
  /** Why it broke, once it did. */
  closeError?: unknown;
  /** The session is established. */
  isOpen?: boolean;
  /** Says goodbye to the server before the wire is cut. Never rejects. */
  readonly terminate?: () => Promise<void>;
  readonly onTrouble?: (error: Error) => void;
  /** See {@link McpSession.readIcon}. */
  readonly readIcon?: NonNullable<McpSession['readIcon']>;
}

export function createHttpWire(
  kind: 'streamable-http' | 'sse',
  launch: ResolvedHttpLaunch,
  options: EngineConnectOptions,
): ClientWire {
  const isWanted = (init: RequestInit | undefined) => {
    const id = requestId(init?.body);
    return id === undefined || wire.isPending(id);
  };
  const plain = baseFetch(launch);
  const tapped = options.tapHttp?.(plain) ?? plain;
  const limited = withBodyLimit(tapped, defaultMaxLineBytes, (init, error) => {
    options.onNotice('warn', error.message);
    const id = requestId(init?.body);
    if (id !== undefined) {
      wire.failRequest(id, error.message);
    }
  });
  const watch = new HttpWatch({
    kind,
    fetch: withRetryAfter(limited, { isWanted, onNotice: options.onNotice }),
    onLost: (error) => {
      // before the handshake is over the connect itself rejects, with a better error
      if (parts.isOpen && parts.closeError === undefined) {
        parts.closeError = fromRemote(error);
        if (error instanceof SessionLostError && error.refusedId !== undefined) {
          // of other requests nobody knows how far they came
          const refusal = new EngineError('session_refused', error.message, {
            httpStatus: error.status,
          });
          wire.requests.fail(error.refusedId, refusal);
        }
        void wire.close();
      }
    },
    onNotice: options.onNotice,
    isPending: (id) => wire.isPending(id),
    failRequest: (id, sentence) => wire.failRequest(id, sentence),
  });
  const fetch = authorizedFetch(tapped, options, watch.fetch, {
    mayAsk: () => parts.isOpen === true,
    isWanted,
    endOf: (init) => {
      const id = requestId(init?.body);
      return id === undefined ? undefined : wire.requests.endOf(id);
    },
  });
  let thrown: unknown;
  const noted: Fetch = async (url, init) => {
    const isStream = (init?.method ?? 'GET') === 'GET';
    try {
      return await fetch(url, init);
    } catch (error) {
      thrown = isStream ? error : thrown;
      throw error;
    }
  };
  const toError = (error: unknown) => fromEventStream(error, thrown);
  const inner = createTransport(kind, launch, noted);
  const wire = new SessionWire(inner as InnerTransport, {
    ...options,
    isBounded: false,
    toError,
    closeError: () => parts.closeError,
  });
  const parts: ClientWire = {
    transport: kind,
    wire,
    toError,
    terminate: async () => {
      if (inner instanceof StreamableHTTPClientTransport && parts.closeError === undefined) {
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
  return parts;
}

export function baseFetch(launch: ResolvedHttpLaunch): Fetch {
  return withOwnSignal(
    launch.ignoreCertificateErrors ? insecureFetch : (url, init) => fetch(url, init),
  );
}

function authorizedFetch(
  direct: Fetch,
  { authorization, onNotice }: EngineConnectOptions,
  next: Fetch,
  options: Parameters<ClientEngineAuth['authorize']>[1],
): Fetch {
  if (!authorization) {
    return next;
  }
  const auth = new ClientEngineAuth(authorization, direct, onNotice);
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
