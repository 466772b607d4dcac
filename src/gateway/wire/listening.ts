import { type Disposable, DisposableMap, toDisposable } from '../../base/disposable.js';
import { isJsonObject } from '../../base/json.js';
import { gatewayLimits } from '../http/limits.js';
import type { Subscriptions, WireOptions } from './wireTypes.js';

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

function urisOf(body: unknown): readonly string[] {
  if (!isJsonObject(body) || body.method !== 'subscriptions/listen' || !isJsonObject(body.params)) {
    return [];
  }
  const { notifications } = body.params;
  const uris = isJsonObject(notifications) ? notifications.resourceSubscriptions : undefined;
  return Array.isArray(uris)
    ? uris.filter((uri) => typeof uri === 'string').slice(0, gatewayLimits.subscriptions)
    : [];
}
