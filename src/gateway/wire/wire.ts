/** Speaks both generations of the protocol to clients of the gateway. A bundle of its own, loaded with the first client. */
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { LegacySessions } from './legacySessions.js';
import { watchListening } from './listening.js';
import { createProtocolServer } from './protocolServer.js';
import { StreamSessions } from './streamSession.js';
import type { EndpointWire, WireOptions } from './wireTypes.js';

export function createWire(options: WireOptions): EndpointWire {
  const legacy = new LegacySessions(options);
  const streams = new StreamSessions(options);
  const modern = createMcpHandler(() => createProtocolServer(options, {}), {
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
      const watching = watchListening(options, body, request.signal, tellUpdated);
      try {
        return await modern.fetch(request, { parsedBody: body });
      } catch (error) {
        watching.dispose();
        throw error;
      }
    },
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
