/** Speaks both generations of the protocol to clients of the gateway. A bundle of its own, loaded with the first client. */
import type { Duplex } from 'node:stream';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { delay } from '../../base/async/cancellation.js';
import { isJsonObject } from '../../base/json.js';
import { rpcCode } from '../../base/jsonRpc.js';
import { HeldRequests } from './askedClients.js';
import { LegacySessions } from './legacySessions.js';
import { isListening, serveListening } from './listening.js';
import { createProtocolServer } from './protocolServer.js';
import { rpcResponse } from './rpcResponse.js';
import { StreamSession, StreamSessions } from './streamSession.js';
import type { EndpointWire, ServingOptions, WireOptions } from './wireTypes.js';

export function createWire(options: WireOptions): EndpointWire {
  const legacy = new LegacySessions(options);
  const streams = new StreamSessions(options);
  const held = new HeldRequests(options.signal);
  const modern = createMcpHandler(() => createProtocolServer(options, { held }), {
    // sessions of ours serve the older generation
    legacy: 'reject',
    onerror: options.onError,
  });
  const updated = new Set</* uri */ string>();
  // several streams may watch the same resource; each of them is told of it by one notice
  const tellUpdated = (uri: string) => {
    if (!updated.has(uri)) {
      updated.add(uri);
      queueMicrotask(() => updated.delete(uri) && modern.notify.resourceUpdated(uri));
    }
  };
  return {
    async handle(request, body) {
      if (await isLegacyRequest(request, body)) {
        return legacy.handle(request, body);
      }
      const unknown = refuseUnknown(options, body);
      if (unknown) {
        return unknown;
      }
      const serve = (one: Request) => modern.fetch(one, { parsedBody: body });
      return isListening(body)
        ? serveListening(options, request, body, { serve, updated: tellUpdated })
        : serve(request);
    },
    answerPlainly: (incoming, response, message) =>
      legacy.answerPlainly(incoming, response, message),
    serveStream: (socket) => streams.serve(socket),
    tellChanged(lists) {
      streams.tellChanged(lists);
      legacy.tellChanged(lists);
      for (const list of lists) {
        modern.notify[`${list}Changed`]();
      }
    },
    async close() {
      await Promise.all([legacy.close(), streams.close(), modern.close()]);
    },
  };
}

/** Serves the only client that there can be; resolves when it is gone. */
export function serveAlone(options: ServingOptions, stream: Duplex): Promise<void> {
  return new Promise((resolve, reject) => {
    const session = new StreamSession(options, stream, resolve);
    const close = () => void session.close();
    // what was asked last is answered first
    stream.once('end', () => void delay(0).then(close)).on('error', close);
    options.signal.addEventListener('abort', close, { once: true });
    session.open().catch(reject);
  });
}

/** Methods that the SDK answers itself. */
const ownMethods = ['server/discover', 'subscriptions/listen', 'ping', 'initialize'];

/** As the protocol wants it answered over HTTP; the SDK takes a handler for everything as one that knows everything. */
function refuseUnknown({ endpoint }: WireOptions, body: unknown): Response | undefined {
  if (!isJsonObject(body) || typeof body.method !== 'string' || body.id === undefined) {
    return undefined;
  }
  const { method, id } = body;
  return ownMethods.includes(method) || endpoint.has(method)
    ? undefined
    : rpcResponse(404, rpcCode.methodNotFound, 'Method not found', id);
}
