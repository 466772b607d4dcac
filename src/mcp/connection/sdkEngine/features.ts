import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { FeatureHost } from '../session/clientFeatures.js';

const schemas = {
  'roots/list': ListRootsRequestSchema,
  'elicitation/create': ElicitRequestSchema,
  'sampling/createMessage': CreateMessageRequestSchema,
} as const;

/** Lets a server ask for what the features offer, until `lifetime` aborts. Call before connecting. */
export function registerSdkFeatures(
  client: Client,
  host: FeatureHost,
  lifetime: AbortSignal,
): void {
  for (const [method, handle] of host.handlers) {
    const schema = schemas[method as keyof typeof schemas];
    client.setRequestHandler(schema, ({ params }, { signal }) => handle(params ?? {}, signal));
  }
  const subscription = host.features.roots?.onDidChange(() => {
    // a server that is going away does not need to know
    void client.sendRootsListChanged().catch(() => undefined);
  });
  lifetime.addEventListener('abort', () => subscription?.dispose(), { once: true });
}
