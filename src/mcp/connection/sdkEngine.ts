import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type {
  JsonSchemaValidator,
  jsonSchemaValidator,
} from '@modelcontextprotocol/sdk/validation/types.js';
import { delay, raceWithSignal } from '../../base/cancellation.js';
import { errorMessage } from '../../base/errors.js';
import type { ResolvedHttpLaunch } from '../mcpTypes.js';
import type { EngineConnectOptions, McpEngine, McpSession, McpTransport } from './engine.js';
import { HttpWatch } from './httpWatch.js';
import { insecureFetch } from './insecureFetch.js';
import { SdkSession } from './sdkSession.js';
import { type InnerTransport, SdkWire } from './sdkWire.js';

/** Longest wait for the server to confirm the end of a session. */
const terminateTimeoutMs = 1000;
const maxNoticeLength = 300;
const reconnectionOptions = {
  initialReconnectionDelay: 200,
  maxReconnectionDelay: 5000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 3,
};
/** The SDK's validator compiles every schema of a list at once; ours compiles on use. */
const noValidator: jsonSchemaValidator = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    (input) => ({ valid: true, data: input as T, errorMessage: undefined }),
};

/** A transport that is ready to be spoken over, and what is special about it. */
interface Wire {
  readonly kind: McpSession['transport'];
  readonly transport: SdkWire;
  /** Why it broke, once it did. */
  closeError: unknown;
  /** Says goodbye to the server before the wire is cut. Never rejects. */
  readonly terminate: () => Promise<void>;
  readonly onTrouble: (error: Error) => void;
}

/** MCP up to 2025-11-25 through `@modelcontextprotocol/sdk`. */
export function createSdkEngine(): McpEngine {
  return {
    connect: (transport, options) => openSession(stdioWire(transport, options), options),
    connectHttp,
  };
}

async function connectHttp(
  launch: ResolvedHttpLaunch,
  options: EngineConnectOptions,
): Promise<McpSession> {
  if (launch.transport !== 'auto') {
    return openSession(httpWire(launch.transport, launch, options), options);
  }
  try {
    return await openSession(httpWire('streamable-http', launch, options), options);
  } catch (error) {
    if (options.signal.aborted || !isFallbackWorthwhile(error)) {
      throw error;
    }
    options.onNotice('debug', `Streamable HTTP: ${errorMessage(error)}`);
    try {
      return await openSession(httpWire('sse', launch, options), options);
    } catch (fallbackError) {
      options.signal.throwIfAborted();
      options.onNotice('debug', `SSE: ${errorMessage(fallbackError)}`);
      // the first transport is the likelier one, so its error is the one that helps
      throw error;
    }
  }
}

/** Old servers refuse the POST; authorization and overload would be refused by any transport. */
function isFallbackWorthwhile(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return (
    typeof code === 'number' && code >= 400 && code < 500 && ![401, 403, 408, 429].includes(code)
  );
}

async function openSession(wire: Wire, options: EngineConnectOptions): Promise<McpSession> {
  const client = new Client({ ...options.clientInfo }, { jsonSchemaValidator: noValidator });
  client.onerror = (error) => {
    wire.onTrouble(error);
    options.onNotice('debug', errorMessage(error).slice(0, maxNoticeLength));
  };
  const session = new SdkSession(client, {
    transport: wire.kind,
    protocolVersion: () => wire.transport.protocolVersion,
    onNotice: options.onNotice,
    closeError: () => wire.closeError,
    close: async () => {
      await wire.terminate();
      await wire.transport.close();
    },
  });
  client.onclose = () => session.markClosed();
  const { signal, timeoutMs: timeout } = options;
  try {
    await raceWithSignal(client.connect(wire.transport, { signal, timeout }), signal);
    return session;
  } catch (error) {
    await wire.transport.close();
    throw signal.aborted ? signal.reason : error;
  }
}

function stdioWire(inner: McpTransport, options: EngineConnectOptions): Wire {
  return {
    kind: 'stdio',
    transport: new SdkWire(inner as InnerTransport, options),
    closeError: undefined,
    terminate: async () => undefined,
    onTrouble: () => undefined,
  };
}

function httpWire(
  kind: 'streamable-http' | 'sse',
  launch: ResolvedHttpLaunch,
  options: EngineConnectOptions,
): Wire {
  const watch = new HttpWatch({
    kind,
    fetch: launch.ignoreCertificateErrors ? insecureFetch : (url, init) => fetch(url, init),
    onLost: (error) => {
      // before `initialize` is answered the connect itself rejects, with a better error
      if (transport.protocolVersion !== undefined && wire.closeError === undefined) {
        wire.closeError = error;
        void transport.close();
      }
    },
    onNotice: options.onNotice,
    failRequest: (id, sentence) => transport.failRequest(id, sentence),
  });
  const inner = createHttpTransport(kind, launch, watch);
  const transport = new SdkWire(inner, options);
  const wire: Wire = {
    kind,
    transport,
    closeError: undefined,
    terminate: async () => {
      if (inner instanceof StreamableHTTPClientTransport && wire.closeError === undefined) {
        // a server that does not answer or refuses loses nothing by our leaving
        await Promise.race([inner.terminateSession(), delay(terminateTimeoutMs)]).catch(
          () => undefined,
        );
      }
    },
    onTrouble: (error) => {
      if (error.message.startsWith('Maximum reconnection attempts')) {
        watch.failResuming();
      }
    },
  };
  return wire;
}

function createHttpTransport(
  kind: 'streamable-http' | 'sse',
  launch: ResolvedHttpLaunch,
  watch: HttpWatch,
): StreamableHTTPClientTransport | SSEClientTransport {
  const url = new URL(launch.url);
  const shared = { requestInit: { headers: { ...launch.headers } }, fetch: watch.fetch };
  return kind === 'sse'
    ? new SSEClientTransport(url, shared)
    : new StreamableHTTPClientTransport(url, { ...shared, reconnectionOptions });
}
