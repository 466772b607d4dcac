import type { Client } from '@modelcontextprotocol/client';
import type { FeatureHost } from '../session/clientFeatures.js';
import { anyObject } from './schema.js';

/** Lets a server ask for what the features offer, until `lifetime` aborts. Call before connecting. */
export function registerFeatures(client: Client, host: FeatureHost, lifetime: AbortSignal): void {
  for (const [method, handle] of host.handlers) {
    client.setRequestHandler(method, { params: anyObject }, (params, context) =>
      handle(params, context.mcpReq.signal),
    );
  }
  const subscription = host.features.roots?.onDidChange(() => {
    // servers of the newer generation ask for roots when they need them
    if (client.getProtocolEra() === 'legacy') {
      void client.notification({ method: 'notifications/roots/list_changed' }).catch(
        // a server that is going away does not need to know
        () => undefined,
      );
    }
  });
  lifetime.addEventListener('abort', () => subscription?.dispose(), { once: true });
}
