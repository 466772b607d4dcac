import { randomUUID } from 'node:crypto';
import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';
import { type Disposable, DisposableMap, toDisposable } from '../../base/disposable.js';
import { isJsonObject } from '../../base/json.js';
import { rpcCode } from '../../base/jsonRpc.js';
import { requestUntil } from '../http/body.js';
import { gatewayLimits } from '../http/limits.js';
import { maxClientName, unknownClient } from './protocolServer.js';
import { rpcResponse } from './rpcResponse.js';
import type { Subscriptions, WireOptions } from './wireTypes.js';

const listenMethod = 'subscriptions/listen';

/**
 * A stream that listens takes the place of a session, so that one client leaves room for the others.
 * @returns the request, which ends with its place, or what it is refused with
 */
export function bookListening(
  { sessions }: Pick<WireOptions, 'sessions'>,
  request: Request,
  body: unknown,
): Request | Response {
  if (!isJsonObject(body) || body.method !== listenMethod) {
    return request;
  }
  const client = clientNameIn(body);
  if (!sessions.hasRoom(client)) {
    return rpcResponse(503, rpcCode.plainError, 'Too many sessions', body.id);
  }
  const id = randomUUID();
  const leaving = new AbortController();
  const close = async () => leaving.abort();
  sessions.add(id, { isBusy: true, isCalled: false, client, close });
  request.signal.addEventListener('abort', () => void sessions.end(id), { once: true });
  if (request.signal.aborted) {
    // while the wire was loaded
    void sessions.end(id);
  }
  return requestUntil(leaving.signal, request);
}

/** Watches the resources that a stream of `subscriptions/listen` names, until its client is gone. */
export function watchListening(
  { endpoint, signal: ending, onError }: WireOptions,
  body: unknown,
  gone: AbortSignal,
  onDidUpdate: (uri: string) => void,
): Disposable {
  const uris = urisOf(body);
  if (uris.length === 0) {
    return toDisposable(() => undefined);
  }
  const watched = new DisposableMap<string, Disposable>();
  const leave = () => watched.dispose();
  gone.addEventListener('abort', leave, { once: true });
  ending.addEventListener('abort', leave, { once: true });
  const subscriptions: Subscriptions = {
    add: (uri, open) => watched.set(uri, open()),
    delete: (uri) => watched.delete(uri),
    updated: onDidUpdate,
    // a request names the level, and only what belongs to it is told
    listen: () => undefined,
    logged: () => undefined,
  };
  const client = { name: 'unknown' };
  for (const uri of uris) {
    void endpoint
      .answer('resources/subscribe', { uri }, { client, signal: gone, subscriptions })
      .catch((error) => !gone.aborted && onError(error));
  }
  return toDisposable(() => {
    gone.removeEventListener('abort', leave);
    ending.removeEventListener('abort', leave);
    leave();
  });
}

/** As a client calls itself, in the way of either generation. */
export function clientNameIn(body: unknown): string {
  const params = isJsonObject(body) && isJsonObject(body.params) ? body.params : {};
  const meta = isJsonObject(params._meta) ? params._meta : {};
  const info = params.clientInfo ?? meta[CLIENT_INFO_META_KEY];
  return isJsonObject(info) && typeof info.name === 'string'
    ? info.name.slice(0, maxClientName)
    : unknownClient;
}

function urisOf(body: unknown): readonly string[] {
  if (!isJsonObject(body) || body.method !== listenMethod || !isJsonObject(body.params)) {
    return [];
  }
  const { notifications } = body.params;
  const uris = isJsonObject(notifications) ? notifications.resourceSubscriptions : undefined;
  return Array.isArray(uris)
    ? uris.filter((uri) => typeof uri === 'string').slice(0, gatewayLimits.subscriptions)
    : [];
}
