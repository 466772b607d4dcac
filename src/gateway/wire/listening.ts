import { randomUUID } from 'node:crypto';
import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import { type Disposable, DisposableMap } from '../../base/disposable.js';
import { asObject, asTexts, isJsonObject, type JsonObject } from '../../base/json.js';
import { rpcCode } from '../../base/jsonRpc.js';
import { requestUntil } from '../http/body.js';
import { gatewayLimits } from '../http/limits.js';
import { maxClientName, unknownClient } from './protocolServer.js';
import { rpcResponse } from './rpcResponse.js';
import type { Subscriptions, WireOptions } from './wireTypes.js';

const listenMethod = 'subscriptions/listen';

export function isListening(body: unknown): body is JsonObject {
  return asObject(body).method === listenMethod;
}

/**
 * A stream that listens takes the place of a session, so that one client leaves room for the others, and watches the
 * resources that it names. Both end with the stream.
 */
export async function serveListening(
  { endpoint, sessions, onError }: Pick<WireOptions, 'endpoint' | 'sessions' | 'onError'>,
  request: Request,
  body: JsonObject,
  on: { serve(request: Request): Promise<Response>; updated(uri: string): void },
): Promise<Response> {
  const client = clientNameIn(body);
  if (!sessions.hasRoom(client)) {
    return rpcResponse(503, rpcCode.plainError, 'Too many sessions', body.id);
  }
  const id = randomUUID();
  const leaving = new AbortController();
  const { signal } = leaving;
  const watched = new DisposableMap<string, Disposable>();
  const close = async () => {
    watched.dispose();
    leaving.abort();
  };
  sessions.add(id, { isBusy: true, isCalled: false, client, close });
  request.signal.addEventListener('abort', () => void sessions.end(id), { once: true });
  if (request.signal.aborted) {
    // while the wire was loaded
    await sessions.end(id);
  }
  const subscriptions: Subscriptions = {
    add: (uri, open) => watched.set(uri, open()),
    delete: (uri) => watched.delete(uri),
    updated: on.updated,
    // a request names the level, and only what belongs to it is told
    listen: () => undefined,
    logged: () => undefined,
  };
  for (const uri of urisOf(body)) {
    void endpoint
      .answer('resources/subscribe', { uri }, { client: { name: client }, signal, subscriptions })
      .catch((error) => !signal.aborted && onError(error));
  }
  let isStream = false;
  try {
    const answer = await on.serve(requestUntil(signal, request));
    isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
    return answer;
  } finally {
    if (!isStream) {
      await sessions.end(id);
    }
  }
}

/** As a client calls itself, in the way of either generation. */
export function clientNameIn(body: unknown): string {
  const params = asObject(asObject(body).params);
  const meta = asObject(params._meta);
  const info = params.clientInfo ?? meta[CLIENT_INFO_META_KEY];
  return isJsonObject(info) && typeof info.name === 'string'
    ? info.name.slice(0, maxClientName)
    : unknownClient;
}

function urisOf({ params }: JsonObject): readonly string[] {
  const uris = asTexts(asObject(asObject(params).notifications).resourceSubscriptions);
  return uris.slice(0, gatewayLimits.subscriptions);
}
