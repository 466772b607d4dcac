import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type {
  JsonSchemaValidator,
  jsonSchemaValidator,
} from '@modelcontextprotocol/sdk/validation/types.js';
import { raceWithSignal } from '../../../base/async/cancellation.js';
import { errorMessage } from '../../../base/errors.js';
import type { McpTransport } from '../reading/transport.js';
import { FeatureHost } from '../session/clientFeatures.js';
import type { EngineConnectOptions, McpEngine, McpSession } from '../session/engine.js';
import { EngineSession } from '../session/engineSession.js';
import { SdkClient } from './client.js';
import { registerSdkFeatures } from './features.js';
import { type InnerTransport, SdkWire } from './wire.js';

const maxNoticeLength = 300;
/** The SDK's validator compiles every schema of a list at once; ours compiles on use. */
const noValidator: jsonSchemaValidator = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    (input) => ({ valid: true, data: input as T, errorMessage: undefined }),
};

/** MCP up to 2025-11-25 through `@modelcontextprotocol/sdk`, for processes. */
export function createSdkEngine(): McpEngine {
  return { connect };
}

async function connect(
  transport: McpTransport,
  options: EngineConnectOptions,
): Promise<McpSession> {
  const { signal, onNotice, timeoutMs: timeout } = options;
  const wire = new SdkWire(transport as InnerTransport, options);
  const features = options.features ? new FeatureHost(options.features, onNotice) : undefined;
  const client = new Client(
    { ...options.clientInfo },
    { jsonSchemaValidator: noValidator, capabilities: { ...features?.capabilities } },
  );
  const lifetime = new AbortController();
  client.onerror = (error) => onNotice('debug', errorMessage(error).slice(0, maxNoticeLength));
  const session = new EngineSession(
    new SdkClient(client, {
      transport: 'stdio',
      protocolVersion: () => wire.protocolVersion,
      onNotice,
      features,
      requests: wire.direct,
      close: () => wire.close(),
    }),
  );
  wire.onTaskProgress = (notification) => session.receive(notification);
  client.fallbackNotificationHandler = async (notification) => {
    if (!features?.receive(notification)) {
      session.receive(notification);
    }
  };
  client.onclose = () => {
    lifetime.abort();
    session.markClosed();
  };
  if (features) {
    registerSdkFeatures(client, features, lifetime.signal);
  }
  try {
    await raceWithSignal(client.connect(wire, { signal, timeout }), signal);
    return session;
  } catch (error) {
    await wire.close();
    throw signal.aborted ? signal.reason : wire.handshake.explain(error);
  }
}
