import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ErrorCode,
  ListRootsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import type { McpTransport } from '../reading/transport.js';
import { FeatureHost } from '../session/clientFeatures.js';
import {
  type EngineConnectOptions,
  EngineError,
  type McpEngine,
  type McpSession,
  serverError,
} from '../session/engine.js';
import { noValidator, openSession } from '../session/openSession.js';
import { type InnerTransport, SessionWire } from '../session/sessionWire.js';

const schemas = {
  'roots/list': ListRootsRequestSchema,
  'elicitation/create': ElicitRequestSchema,
  'sampling/createMessage': CreateMessageRequestSchema,
} as const;

/** MCP up to 2025-11-25 through `@modelcontextprotocol/sdk`, for processes. */
export function createSdkEngine(): McpEngine {
  return { connect };
}

async function connect(
  transport: McpTransport,
  options: EngineConnectOptions,
): Promise<McpSession> {
  const { signal, onNotice, timeoutMs: timeout } = options;
  const wire = new SessionWire(transport as InnerTransport, { ...options, isBounded: true });
  const features = new FeatureHost(options.features, onNotice, options.mask);
  const client = new Client(
    { ...options.clientInfo },
    { jsonSchemaValidator: noValidator, capabilities: { ...features.capabilities } },
  );
  for (const [method, handle] of features.handlers) {
    const schema = schemas[method as keyof typeof schemas];
    client.setRequestHandler(schema, ({ params }, { signal, requestId }) =>
      handle(params ?? {}, signal, features.relays.take(requestId)),
    );
  }
  return openSession(client, options, {
    transport: 'stdio',
    wire,
    features,
    toError,
    connect: () => client.connect(wire as Transport, { signal, timeout }),
  });
}

function toError(error: unknown): unknown {
  if (!(error instanceof McpError)) {
    return error;
  }
  const { code, data } = error;
  const text = error.message.replace(`MCP error ${code}: `, '');
  // servers use these codes too
  if (code === ErrorCode.RequestTimeout && text === 'Request timed out') {
    return new EngineError('request_timeout', text, { cause: error });
  }
  if (code === ErrorCode.ConnectionClosed && text === 'Connection closed') {
    return new EngineError('closed', text, { cause: error });
  }
  return serverError(code, text, { data, cause: error });
}
